import { constants } from "node:fs"
import { access, readdir, stat } from "node:fs/promises"
import { basename, extname, join, relative, resolve } from "node:path"
import { MEDIA_EXTENSIONS } from "@earmark/core/links"
import { Effect } from "effect"
import { STANDARD_INPUT } from "../input.js"

/** One thing to transcribe, or why it cannot be. */
export type Item =
  | {
      readonly type: "file"
      /** As people know it. */
      readonly name: string
      readonly path: string
      /** The folder of the results below a folder for all of them. */
      readonly below: string
    }
  | { readonly type: "link"; readonly name: string }
  | { readonly type: "input"; readonly name: string }
  | { readonly type: "broken"; readonly name: string; readonly problem: string }

const isMedia = (name: string): boolean => MEDIA_EXTENSIONS.has(extname(name).slice(1).toLowerCase())

const broken = (name: string, problem: string): Item => ({ type: "broken", name, problem })

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "There is no such file or folder; check the path.",
  ENOTDIR: "There is no such file or folder; check the path.",
  EACCES: "You may not read it; change its permissions, or ask its owner.",
  EPERM: "You may not read it; change its permissions, or ask its owner.",
  ELOOP: "Its links lead in a circle; give the path of the file itself.",
  ENAMETOOLONG: "The name is too long for a file.",
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""

const reasonOf = (cause: unknown): string => REASONS[codeOf(cause)] ?? "It cannot be opened; check the path."

/** `www.example.com/show.mp3` is no file, and probably was meant to be an address. */
const looksLikeHost = (text: string): boolean => /^(?:[\w-]+\.)+[a-z]{2,}\//i.test(text)

const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text)

/** Every media file in a folder and below it, sorted; hidden ones are nobody's recordings. */
export const mediaIn = (folder: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.tryPromise(() => readdir(folder, { withFileTypes: true })).pipe(
    Effect.orElseSucceed(() => []),
    Effect.flatMap((entries) =>
      Effect.forEach(
        entries
          .filter(({ name }) => !name.startsWith("."))
          .sort((left, right) => left.name.localeCompare(right.name, "en", { numeric: true })),
        (entry) => {
          const path = join(folder, entry.name)
          if (entry.isDirectory()) return mediaIn(path)
          return Effect.succeed(
            (entry.isFile() || entry.isSymbolicLink()) && isMedia(entry.name) ? [path] : [],
          )
        },
      ),
    ),
    Effect.map((lists) => lists.flat()),
  )

/** A file of a folder that was named; its results keep its place below that folder. */
export const fileIn = (folder: string, path: string): Item => ({
  type: "file",
  name: path,
  path,
  below: relative(folder, join(path, "..")),
})

const itemsOf = (source: string): Effect.Effect<ReadonlyArray<Item>> =>
  Effect.gen(function* () {
    if (source === STANDARD_INPUT) return [{ type: "input", name: "standard input" }]
    if (source === "")
      return [broken('""', "The name is empty; give a file, a folder, an address, or - for standard input.")]
    const found = yield* Effect.either(Effect.tryPromise({ try: () => stat(source), catch: reasonOf }))
    if (found._tag === "Left") {
      if (isAddress(source)) return [{ type: "link", name: source }]
      const hint = "There is no such file; if it is an address, begin it with https://"
      return [broken(source, looksLikeHost(source) ? hint : found.left)]
    }
    const readable = yield* Effect.either(
      Effect.tryPromise({ try: () => access(source, constants.R_OK), catch: reasonOf }),
    )
    if (readable._tag === "Left") return [broken(source, readable.left)]
    if (!found.right.isDirectory()) return [{ type: "file", name: source, path: source, below: "" }]
    const files = yield* mediaIn(source)
    return files.length === 0
      ? [
          broken(
            source,
            "There is no audio or video file in this folder; a file with another ending can be named itself.",
          ),
        ]
      : files.map((path) => fileIn(source, path))
  })

/** What the arguments stand for, in their order, each file once. */
export const expandSources = (sources: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Item>> =>
  Effect.map(Effect.forEach(sources, itemsOf), (lists) => {
    const seen = new Set<string>()
    return lists.flat().filter((item) => {
      const key = item.type === "file" ? resolve(item.path) : item.name
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
  })

/** The name of a file without its ending. */
export const stemOf = (path: string): string => basename(path, extname(path)) || basename(path)
