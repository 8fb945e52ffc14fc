/** Patterns for files, where no shell has expanded them: `*`, `?`, `[a-z]`, `{a,b}` and `**` for folders below. */
import { readdir } from "node:fs/promises"
import { join, sep } from "node:path"
import { Effect } from "effect"
import { isThere } from "../results/pathKind.js"

/** The text between the first `open` and the last `close`; empty where they do not enclose anything. */
const enclosed = (text: string, open: string, close: string): string => {
  const from = text.indexOf(open)
  return from < 0 ? "" : text.slice(from + 1, Math.max(from + 1, text.lastIndexOf(close)))
}

export const isPattern = (text: string): boolean =>
  /[*?]/.test(text) || enclosed(text, "[", "]") !== "" || enclosed(text, "{", "}").includes(",")

/** Some shells hand over the quotes that were meant for them. */
export const unquoted = (text: string): string => /^(['"])(.+)\1$/s.exec(text)?.[2] ?? text

const MOST_ALTERNATIVES = 1000

/** `a{b,c}` as `ab` and `ac`. */
const alternatives = (pattern: string): ReadonlyArray<string> => {
  for (const { index, 0: group } of pattern.matchAll(/\{[^{}]*\}/g)) {
    if (!group.includes(",")) continue
    const [before, after] = [pattern.slice(0, index), pattern.slice(index + group.length)]
    return group
      .slice(1, -1)
      .split(",")
      .flatMap((choice) => alternatives(`${before}${choice}${after}`))
      .slice(0, MOST_ALTERNATIVES)
  }
  return [pattern]
}

type IsFitting = (character: string) => boolean

const ANY = "any characters"

/** The characters of `[a-z_]`, or all but those of `[!a-z_]`. */
const setOf = (content: ReadonlyArray<string>): IsFitting => {
  const isNegated = content.length > 1 && content[0] === "!"
  const ranges: Array<readonly [string, string]> = []
  for (let at = isNegated ? 1 : 0; at < content.length; at++) {
    const first = content[at] ?? ""
    const last = content[at + 1] === "-" ? content[at + 2] : undefined
    ranges.push([first, last ?? first])
    if (last !== undefined) at += 2
  }
  const codeOf = (character: string) => character.codePointAt(0) ?? 0
  return (character) =>
    isNegated !==
    ranges.some(([first, last]) => codeOf(first) <= codeOf(character) && codeOf(character) <= codeOf(last))
}

const partsOf = (pattern: ReadonlyArray<string>): ReadonlyArray<IsFitting | typeof ANY> => {
  const parts: Array<IsFitting | typeof ANY> = []
  const lastClosing = pattern.lastIndexOf("]")
  for (let at = 0; at < pattern.length; at++) {
    const written = pattern[at]
    if (written === "*") {
      if (parts.at(-1) !== ANY) parts.push(ANY)
    } else if (written === "?") parts.push(() => true)
    else if (written === "[" && lastClosing > at + 1) {
      const closing = pattern.indexOf("]", at + 2)
      parts.push(setOf(pattern.slice(at + 1, closing)))
      at = closing
    } else parts.push((character) => character === written)
  }
  return parts
}

/**
 * Whether names fit a pattern. A leading dot has to be written. Only the last `*` is tried again, so that no pattern
 * takes more than its length for each character of a name.
 */
const matcherOf = (pattern: string): ((name: string) => boolean) => {
  const parts = partsOf([...pattern])
  return (name) => {
    if (name.startsWith(".") && !pattern.startsWith(".")) return false
    const characters = [...name]
    let part = 0
    let at = 0
    let again: { readonly part: number; at: number } | null = null
    while (at < characters.length) {
      const wanted = parts[part]
      if (wanted === ANY) {
        part++
        again = { part, at }
      } else if (wanted?.(characters[at] ?? "")) {
        part++
        at++
      } else if (again !== null) {
        again.at++
        part = again.part
        at = again.at
      } else return false
    }
    return parts.slice(part).every((left) => left === ANY)
  }
}

/** As people sort names: talk-2 before talk-10. */
export const byName = <Entry extends { readonly name: string }>(entries: ReadonlyArray<Entry>) => {
  const { compare } = new Intl.Collator("en", { numeric: true })
  return entries.toSorted((left, right) => compare(left.name, right.name))
}

const namesIn = (folder: string) =>
  Effect.tryPromise(() => readdir(folder === "" ? "." : folder, { withFileTypes: true })).pipe(
    Effect.map(byName),
    Effect.orElseSucceed(() => []),
  )

const below = (folder: string, name: string): string => (folder === "" ? name : join(folder, name))

const expand = (folder: string, segments: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const [first, ...rest] = segments
    if (first === undefined) return [folder]
    if (first === "**") {
      const here = yield* expand(folder, rest.length === 0 ? ["*"] : rest)
      const folders = (yield* namesIn(folder)).filter(
        (entry) => entry.isDirectory() && !entry.name.startsWith("."),
      )
      const deeper = yield* Effect.forEach(folders, ({ name }) => expand(below(folder, name), segments))
      return [...here, ...deeper.flat()]
    }
    if (!isPattern(first)) {
      const path = below(folder, first)
      if (!(yield* isThere(path))) return []
      return yield* expand(path, rest)
    }
    const matcher = matcherOf(first)
    const found = (yield* namesIn(folder)).filter(
      (entry) => matcher(entry.name) && (rest.length === 0 || !entry.isFile()),
    )
    const lists = yield* Effect.forEach(found, ({ name }) => expand(below(folder, name), rest))
    return lists.flat()
  })

/** Every path that fits, each once, in the order of their names. */
export const expandPattern = (pattern: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const text = sep === "\\" ? pattern.replaceAll("\\", "/") : pattern
    const lists = yield* Effect.forEach(alternatives(text), (each) => {
      const segments = each.split("/").filter((segment) => segment !== "" && segment !== ".")
      return expand(each.startsWith("/") ? "/" : "", segments)
    })
    return [...new Set(lists.flat())]
  })
