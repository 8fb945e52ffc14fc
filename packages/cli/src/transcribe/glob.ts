/** Patterns for files, where no shell has expanded them: `*`, `?`, `[a-z]`, `{a,b}` and `**` for folders below. */
import { readdir, stat } from "node:fs/promises"
import { join, sep } from "node:path"
import { Effect } from "effect"

export const isPattern = (text: string): boolean => /[*?]|\[.+\]|\{.*,.*\}/.test(text)

/** Some shells hand over the quotes that were meant for them. */
export const unquoted = (text: string): string => /^(['"])(.+)\1$/s.exec(text)?.[2] ?? text

const MOST_ALTERNATIVES = 1000

/** `a{b,c}` as `ab` and `ac`. */
const alternatives = (pattern: string): ReadonlyArray<string> => {
  const match = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(pattern)
  if (match === null) return [pattern]
  const [, before = "", choices = "", after = ""] = match
  return choices
    .split(",")
    .flatMap((choice) => alternatives(`${before}${choice}${after}`))
    .slice(0, MOST_ALTERNATIVES)
}

const escaped = (text: string): string => text.replace(/[.+^${}()|\\[\]]/g, "\\$&")

/** A name pattern as a regular expression. A leading dot has to be written. */
const matcherOf = (pattern: string): RegExp => {
  const parts = pattern.match(/\[!?[^\]]+\]|\*+|\?|[^*?[]+|\[/g) ?? []
  const source = parts.map((part) => {
    if (part.startsWith("*")) return "[^/]*"
    if (part === "?") return "[^/]"
    const set = /^\[(!?)([^\]]+)\]$/.exec(part)
    return set === null
      ? escaped(part)
      : `[${set[1] === "!" ? "^" : ""}${(set[2] ?? "").replace(/[\\\]^]/g, "\\$&")}]`
  })
  return new RegExp(`^${pattern.startsWith(".") ? "" : "(?!\\.)"}${source.join("")}$`, "su")
}

const namesIn = (folder: string) =>
  Effect.tryPromise(() => readdir(folder === "" ? "." : folder, { withFileTypes: true })).pipe(
    Effect.map((entries) =>
      [...entries].sort((left, right) => left.name.localeCompare(right.name, "en", { numeric: true })),
    ),
    Effect.orElseSucceed(() => []),
  )

const isThere = (path: string) =>
  Effect.tryPromise(() => stat(path)).pipe(
    Effect.as(true),
    Effect.orElseSucceed(() => false),
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
      (entry) => matcher.test(entry.name) && (rest.length === 0 || !entry.isFile()),
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
