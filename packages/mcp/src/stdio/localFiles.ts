import { constants } from "node:fs"
import { lstat, open } from "node:fs/promises"
import { basename, dirname, isAbsolute } from "node:path"
import { Effect, Stream } from "effect"
import type { LocalFiles } from "../tools/LocalFiles.js"
import { mediaTypeOf } from "../tools/mediaTypeOf.js"
import { ToolRefused } from "../tools/ToolRefused.js"

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "it may not be read or written",
  EEXIST: "there is a file already; nothing is overwritten",
  ENOENT: "it is not there",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is a file",
  EPERM: "it may not be read or written",
  EROFS: "its disk cannot be written to",
}

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return REASONS[code] ?? "it cannot be used"
}

const refused = (field: "path" | "save_to", detail: string) =>
  new ToolRefused({ code: "invalid_request", detail: `${field}: ${detail}` })

const absolute = (field: "path" | "save_to", path: string) =>
  isAbsolute(path) ? Effect.void : Effect.fail(refused(field, "Give an absolute path"))

const withoutLinks = (field: "path" | "save_to", path: string) =>
  Effect.tryPromise({
    try: () => lstat(path),
    catch: (error) => refused(field, `The place ${path} cannot be used: ${reasonOf(error)}`),
  })

/** The bytes of a file; a link that was put in its place meanwhile is not followed. */
const contentOf = (path: string): Stream.Stream<Uint8Array, ToolRefused> => {
  const trouble = (error: unknown) => refused("path", `The file ${path} cannot be read: ${reasonOf(error)}`)
  const opened = Effect.acquireRelease(
    Effect.tryPromise({
      try: () => open(path, constants.O_RDONLY | constants.O_NOFOLLOW),
      catch: trouble,
    }),
    (file) => Effect.promise(() => file.close()),
  )
  return Stream.unwrapScoped(
    Effect.map(opened, (file) =>
      Stream.fromAsyncIterable<Uint8Array, ToolRefused>(
        file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 }),
        trouble,
      ),
    ),
  )
}

/** The files of this machine, as far as tools may touch them: regular files to read, new files to write. */
export const localFiles: LocalFiles = {
  open: Effect.fn("localFiles.open")(function* (path: string) {
    yield* absolute("path", path)
    const found = yield* withoutLinks("path", path)
    if (!found.isFile()) return yield* refused("path", `${path} is not a regular file`)
    const contentType = mediaTypeOf(path)
    if (contentType === null) {
      return yield* refused("path", `The name ${basename(path)} is not that of an audio or video file`)
    }
    return { filename: basename(path), contentType, bytes: found.size, content: contentOf(path) }
  }),
  save: Effect.fn("localFiles.save")(function* (path: string, content: Uint8Array) {
    yield* absolute("save_to", path)
    const folder = yield* withoutLinks("save_to", dirname(path))
    if (!folder.isDirectory()) return yield* refused("save_to", `${dirname(path)} is not a folder`)
    yield* Effect.tryPromise({
      try: async () => {
        const file = await open(path, "wx")
        try {
          await file.writeFile(content)
        } finally {
          await file.close()
        }
      },
      catch: (error) => refused("save_to", `The file ${path} cannot be written: ${reasonOf(error)}`),
    })
  }),
}
