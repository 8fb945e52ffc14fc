import { constants } from "node:fs"
import { access, open, readdir, stat } from "node:fs/promises"
import { basename, extname, join, relative, resolve } from "node:path"
import { MEDIA_EXTENSIONS, parseUploadRef } from "@earmark/core/links"
import { Effect } from "effect"
import { refusedBySystem } from "../work/permission.js"
import type { Identity, Show } from "../work/Workplace.js"
import { byName, expandPattern, isPattern, unquoted } from "./glob.js"
import { isAddress, isStandardInput, withoutFileScheme } from "./named.js"
import { nearbyFile } from "./nearbyFile.js"

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
  | {
      readonly type: "input"
      readonly name: string
      /** Of a pipe with a name, as in `<(command)`; null: standard input. */
      readonly path: string | null
    }
  | {
      readonly type: "episode"
      readonly name: string
      readonly show: Show
      readonly episode: Show["episodes"][number]
    }
  | {
      readonly type: "broken"
      readonly name: string
      readonly code: string
      readonly problem: string
      /** What is known of it all the same. */
      readonly identity: Partial<Identity>
    }

/** Whether it is named like a recording. */
export const isMedia = (name: string): boolean => MEDIA_EXTENSIONS.has(extname(name).slice(1).toLowerCase())

export const broken = (
  name: string,
  problem: string,
  code = "source_not_found",
  identity: Partial<Identity> = {},
): Item => ({ type: "broken", name, code, problem, identity })

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "No such file or folder. Check the path.",
  ENOTDIR: "No such file or folder. Check the path.",
  EACCES: "You may not read it; change its permissions, or ask its owner.",
  EPERM: "You may not read it; change its permissions, or ask its owner.",
  ELOOP: "Its links lead in a circle; give the path of the file itself.",
  ENAMETOOLONG: "The name is too long for a file.",
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""

/** Why something cannot be opened, and the code of that. */
interface Unopened {
  readonly problem: string
  readonly code: string
}

const reasonOf = (cause: unknown): Unopened => ({
  problem: REASONS[codeOf(cause)] ?? "It cannot be opened; check the path.",
  code: refusedBySystem(cause) === null ? "source_not_found" : "source_forbidden",
})

const notReadable = (source: string, { problem, code }: Unopened): Item =>
  broken(source, problem, code, { path: resolve(source) })

/** `www.example.com/show.mp3` is no file, and probably was meant to be an address. */
const looksLikeHost = (text: string): boolean => /^(?:[\w-]+\.)+[a-z]{2,}\//i.test(text)

interface Seen {
  readonly files: ReadonlyArray<string>
  /** Folders that cannot be opened, with the reason. */
  readonly closed: ReadonlyArray<Unopened & { readonly path: string }>
}

/** As much of a file as shows whether it is text. */
const BEGINNING = 1024

/** `.mts` is video of cameras, and source code of TypeScript: that has no zero byte. */
const isSourceCode = (path: string): Effect.Effect<boolean> =>
  extname(path).toLowerCase() !== ".mts"
    ? Effect.succeed(false)
    : Effect.tryPromise(async () => {
        const file = await open(path)
        try {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0)
          return bytesRead > 0 && !buffer.subarray(0, bytesRead).includes(0)
        } finally {
          await file.close()
        }
      }).pipe(Effect.orElseSucceed(() => false))

/** Every media file in a folder and below it, sorted; hidden ones are nobody's recordings. */
const seenIn = (folder: string): Effect.Effect<Seen> =>
  Effect.tryPromise({ try: () => readdir(folder, { withFileTypes: true }), catch: reasonOf }).pipe(
    Effect.flatMap((entries) =>
      Effect.forEach(
        byName(entries.filter(({ name }) => !name.startsWith("."))),
        (entry): Effect.Effect<Seen> => {
          const path = join(folder, entry.name)
          if (entry.isDirectory()) return seenIn(path)
          const isFound = (entry.isFile() || entry.isSymbolicLink()) && isMedia(entry.name)
          return isFound
            ? Effect.map(isSourceCode(path), (isCode) => ({ files: isCode ? [] : [path], closed: [] }))
            : Effect.succeed({ files: [], closed: [] })
        },
      ),
    ),
    Effect.map((all) => ({
      files: all.flatMap(({ files }) => files),
      closed: all.flatMap(({ closed }) => closed),
    })),
    Effect.catchAll((reason) => Effect.succeed({ files: [], closed: [{ ...reason, path: folder }] })),
  )

/** The media files of a folder and below it; those of folders that cannot be opened are left out. */
export const mediaIn = (folder: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(seenIn(folder), ({ files }) => files)

/** A file of a folder that was named; its results keep its place below that folder. */
export const fileIn = (folder: string, path: string): Item => ({
  type: "file",
  name: path,
  path,
  below: relative(folder, join(path, "..")),
})

const fileAlone = (path: string): Item => ({ type: "file", name: path, path, below: "" })

/** The recordings of a folder, and the folders below it that cannot be opened. */
const foundIn = (folder: string): Effect.Effect<ReadonlyArray<Item>> =>
  Effect.map(seenIn(folder), ({ files, closed }) => [
    ...files.map((path) => fileIn(folder, path)),
    ...closed.map(({ path, ...reason }) => notReadable(path, reason)),
  ])

const inFolder = (folder: string) =>
  Effect.map(foundIn(folder), (items) =>
    items.length > 0
      ? items
      : [
          broken(
            folder,
            "This folder has no audio or video file. Name a file with another extension directly.",
          ),
        ],
  )

const fits = (pattern: string) =>
  Effect.gen(function* () {
    const paths = yield* expandPattern(pattern)
    // A pattern that names an ending means it; `talks/*` means recordings, and not the results beside them.
    const isEndingNamed = /\.[^*./\\]+$/.test(pattern)
    const lists = yield* Effect.forEach(paths, (path) =>
      Effect.tryPromise(() => stat(path)).pipe(
        Effect.flatMap((found) => {
          if (found.isDirectory()) return foundIn(path)
          return Effect.succeed(isEndingNamed || isMedia(path) ? [fileAlone(path)] : [])
        }),
        Effect.orElseSucceed((): ReadonlyArray<Item> => []),
      ),
    )
    const items = lists.flat()
    return items.length === 0
      ? [broken(pattern, "No audio or video file fits this pattern; check it, or name a folder.")]
      : items
  })

/** What one source stands for. */
export const itemsOf = (given: string): Effect.Effect<ReadonlyArray<Item>> =>
  Effect.gen(function* () {
    if (isStandardInput(given)) return [{ type: "input", name: "standard input", path: null }]
    if (given === "")
      return [broken('""', "The name is empty; give a file, a folder, an address, or - for standard input.")]
    const asGiven = yield* Effect.either(Effect.tryPromise({ try: () => stat(given), catch: reasonOf }))
    const source = asGiven._tag === "Right" ? given : withoutFileScheme(unquoted(given))
    const found =
      source === given
        ? asGiven
        : yield* Effect.either(Effect.tryPromise({ try: () => stat(source), catch: reasonOf }))
    if (found._tag === "Left") {
      if (isAddress(source) || parseUploadRef(source) !== undefined) return [{ type: "link", name: source }]
      if (isPattern(source)) return yield* fits(source)
      const hint = "No such file. If it is an address, begin it with https://"
      if (looksLikeHost(source)) return [broken(source, hint)]
      const { problem } = found.left
      return [notReadable(source, { ...found.left, problem: problem + (yield* nearbyFile(source)) })]
    }
    const readable = yield* Effect.either(
      Effect.tryPromise({ try: () => access(source, constants.R_OK), catch: reasonOf }),
    )
    if (readable._tag === "Left") return [notReadable(source, readable.left)]
    if (found.right.isFIFO()) return [{ type: "input", name: source, path: source }]
    return found.right.isDirectory() ? yield* inFolder(source) : [fileAlone(source)]
  })

/** Two items with the same key are the same thing. */
export const keyOf = (item: Item): string => {
  if (item.type === "file") return resolve(item.path)
  return item.type === "episode" ? `${item.show.address} ${item.episode.guid}` : item.name
}

/** The name of a file without its ending. */
export const stemOf = (path: string): string => basename(path, extname(path)) || basename(path)
