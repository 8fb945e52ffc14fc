import { trimEndOf } from "../../text/trimEndOf.js"

/** Names that some file systems keep for devices, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** Gives each file of an archive a name of its own, also where letters are compared without case; `taken` are given to nobody. */
export const makeArchiveNames = (taken: ReadonlyArray<string>) => {
  const given = new Set(taken.map((name) => name.toLowerCase()))
  return (name: string, extension: string): string => {
    const whole = name.endsWith(extension) ? name.slice(0, name.length - extension.length) : name
    const stem = trimEndOf(whole, ".")
    for (let number = RESERVED.test(stem) ? 2 : 1; ; number++) {
      const candidate = `${stem}${number === 1 ? "" : `-${number}`}${extension}`
      if (given.has(candidate.toLowerCase())) continue
      given.add(candidate.toLowerCase())
      return candidate
    }
  }
}
