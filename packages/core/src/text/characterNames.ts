import { bareNames, namedCharacters } from "./namedCharacters.js"

/** What nearly every text uses; the whole table is only unpacked for the others. */
const COMMON: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", "\u00a0"],
])

const words = (text: string) => text.trim().split(/\s+/)

const unpack = (): ReadonlyMap<string, string> =>
  new Map(
    words(namedCharacters).map((entry) => {
      const [name = "", points = ""] = entry.split("=")
      const codes = points.split("+").map((point) => Number.parseInt(point, 16))
      return [name, String.fromCodePoint(...codes)]
    }),
  )

let unpacked: ReadonlyMap<string, string> | undefined

/** What HTML means by `&name;`; undefined when it knows no such name. */
export const characterNamed = (name: string): string | undefined => {
  const common = COMMON.get(name)
  if (common !== undefined) return common
  unpacked ??= unpack()
  return unpacked.get(name)
}

const unpackBare = () => {
  const bare = new Set(words(bareNames))
  return { bare, longestBare: Math.max(...[...bare].map((name) => name.length)) }
}

let unpackedBare: ReturnType<typeof unpackBare> | undefined

/** The names that count without their semicolon too, and how long the longest is. */
export const namesWithoutSemicolon = () => {
  unpackedBare ??= unpackBare()
  return unpackedBare
}
