/** Writes results: whole files or none. */
import { FileSystem, Path, type Error as Platform } from "@effect/platform"
import { Data, Effect, Option } from "effect"
import { draftPrefix, sweepDrafts } from "./drafts.js"
import { followLinks } from "./followLinks.js"

const DISK_FULL = "the disk is full"
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  EROFS: "you may not write there",
  ENOENT: "there is no such folder",
  ENOTDIR: "there is no such folder",
  EISDIR: "it is a folder",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  EFBIG: "the file would be larger than this user may write",
  EPIPE: "its reader went away",
}

/** Messages of the system begin with its code: `ENOSPC: no space left on device, write`. */
export const systemReasonOf = (message: string): string =>
  REASONS[/\bE[A-Z]+\b/.exec(message)?.[0] ?? ""] ?? message

export class FileNotWritten extends Data.TaggedError("FileNotWritten")<{
  readonly path: string
  readonly message: string
}> {}

type Chunks = Iterable<string | Uint8Array>

const writeChunks = Effect.fn("writeChunks")(function* (file: FileSystem.File, chunks: Chunks) {
  const encoder = new TextEncoder()
  for (const chunk of chunks) {
    yield* file.writeAll(typeof chunk === "string" ? encoder.encode(chunk) : chunk)
  }
})

/** A pipe or a device has no place to write at: it is appended to. */
const writeInto = Effect.fn("writeInto")(function* (target: string, chunks: Chunks) {
  const files = yield* FileSystem.FileSystem
  yield* writeChunks(yield* files.open(target, { flag: "a" }), chunks)
})

const PERMISSIONS = 0o7777

/** A draft in the same folder takes the place of the file when it is whole. */
const replace = Effect.fn("replace")(function* (
  target: string,
  chunks: Chunks,
  before: FileSystem.File.Info | undefined,
) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (before !== undefined) yield* files.access(target, { writable: true })
  const directory = path.dirname(target)
  yield* sweepDrafts(directory)
  const folder = yield* files.makeTempDirectoryScoped({ directory, prefix: draftPrefix })
  const draft = path.join(folder, "draft")
  const opened = yield* files.open(draft, { flag: "wx" })
  yield* writeChunks(opened, chunks)
  yield* opened.sync
  if (before !== undefined) yield* files.chmod(draft, before.mode & PERMISSIONS)
  yield* files.rename(draft, target)
})

const writeTo = Effect.fn("writeTo")(function* (target: string, chunks: Chunks) {
  const files = yield* FileSystem.FileSystem
  const found = yield* files.stat(target).pipe(
    Effect.asSome,
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "NotFound",
      () => Effect.succeedNone,
    ),
    Effect.map(Option.getOrUndefined),
  )
  if (found?.type === "Directory") return yield* notWritten(target, "EISDIR")
  if (found !== undefined && found.type !== "File") return yield* writeInto(target, chunks)
  return yield* replace(yield* Effect.promise(() => followLinks(target)), chunks, found)
})

const messageOf = (error: Platform.PlatformError): string =>
  error._tag === "SystemError" ? (error.description ?? error.reason) : error.message

const ADVICE: Readonly<Record<string, string>> = {
  [DISK_FULL]: "Make room, or name a file on another disk.",
}

export const notWritten = (path: string, message: string): FileNotWritten => {
  const reason = systemReasonOf(message)
  const advice = ADVICE[reason] ?? "Name a file in a folder that exists and that you may write to."
  return new FileNotWritten({ path, message: `Could not write ${path}: ${reason}. ${advice}` })
}

/**
 * Writes a whole file or none: a reader never sees half of it. Links are followed, an existing file keeps its
 * permissions, and what is no regular file (a pipe, a device) is written into.
 */
export const writeFile = (target: string, chunks: Chunks) =>
  writeTo(target, chunks).pipe(
    Effect.scoped,
    Effect.mapError((error) =>
      error._tag === "FileNotWritten" ? error : notWritten(target, messageOf(error)),
    ),
  )
