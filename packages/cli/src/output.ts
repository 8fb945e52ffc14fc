import { fstatSync, writeSync } from "node:fs"
import { FileSystem, Path, type Error as Platform } from "@effect/platform"
import { Effect, Option } from "effect"
import { type CommandFailed, failed } from "./CommandFailed.js"
import { draftPrefix, sweepDrafts } from "./drafts.js"
import { followLinks } from "./followLinks.js"
import { isStandardOutputClosed } from "./isStandardOutputClosed.js"

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  EROFS: "you may not write there",
  ENOENT: "there is no such folder",
  ENOTDIR: "there is no such folder",
  EISDIR: "it is a folder",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  EFBIG: "the file would be larger than this user may write",
  EPIPE: "its reader went away",
}

/** Messages of the system begin with its code: `ENOSPC: no space left on device, write`. */
const reasonOf = (message: string): string => REASONS[/\bE[A-Z]+\b/.exec(message)?.[0] ?? ""] ?? message

const toStandardOutput = (cause: unknown) => {
  const message = cause instanceof Error ? cause.message : String(cause)
  return failed(`Could not write to standard output: ${reasonOf(message)}.`)
}

const isBrokenPipe = (cause: unknown) => cause instanceof Error && "code" in cause && cause.code === "EPIPE"

/** Node's own stream for files loses what does not fit on the disk any more. */
const writesAtOnce = (): boolean => {
  const found = fstatSync(process.stdout.fd)
  return found.isFile() || (found.isCharacterDevice() && !process.stdout.isTTY)
}

const writeAtOnce = (descriptor: number, text: string | Uint8Array) => {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
}

let hasToldOfClosedOutput = false

const tellOfClosedOutput = Effect.suspend(() => {
  if (hasToldOfClosedOutput || !isStandardOutputClosed()) return Effect.void
  hasToldOfClosedOutput = true
  return note("Standard output is closed: what belongs there is lost.")
})

/** Data goes to standard output, and nothing else does. Waits until the text is handed over. */
export const print = (text: string | Uint8Array): Effect.Effect<void, CommandFailed> =>
  Effect.zipRight(tellOfClosedOutput, handOver(text))

const handOver = (text: string | Uint8Array): Effect.Effect<void, CommandFailed> =>
  writesAtOnce()
    ? Effect.try({ try: () => writeAtOnce(process.stdout.fd, text), catch: toStandardOutput })
    : Effect.async((resume) => {
        process.stdout.write(text, (error) => {
          // A reader that went away ends the command quietly: see main.
          if (isBrokenPipe(error)) return
          resume(error ? Effect.fail(toStandardOutput(error)) : Effect.void)
        })
      })

/** What people should know, beside the data. */
export const note = (text: string): Effect.Effect<void> =>
  Effect.async((resume) => {
    process.stderr.write(`${text}\n`, () => resume(Effect.void))
  })

/** Foreign text without what would control the terminal or turn its reading direction around. */
export const printable = (text: string): string =>
  text.replace(/\p{Bidi_Control}+/gu, "").replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")

/** Escaped too in what we print: 8-bit controls, which JSON takes as they are, and what turns the reading direction around. */
const UNPRINTABLE = /[\u007f-\u009f]|\p{Bidi_Control}/gu

/** JSON that says the same to a program, and controls no terminal. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    UNPRINTABLE,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

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
  if (found?.type === "Directory") return yield* failed("EISDIR")
  if (found !== undefined && found.type !== "File") return yield* writeInto(target, chunks)
  return yield* replace(yield* Effect.promise(() => followLinks(target)), chunks, found)
})

const messageOf = (error: Platform.PlatformError | CommandFailed): string =>
  error._tag === "SystemError" ? (error.description ?? error.reason) : error.message

export const notWritten = (target: string, message: string): CommandFailed =>
  failed(
    `Could not write ${target}: ${reasonOf(message)}. Name a file in a folder that exists and that you may write to.`,
  )

/**
 * Writes a whole file or none: a reader never sees half of it. Links are followed, an existing file keeps its
 * permissions, and what is no regular file (a pipe, a device) is written into.
 */
export const writeFile = (target: string, chunks: Chunks) =>
  writeTo(target, chunks).pipe(
    Effect.scoped,
    Effect.mapError((error) => notWritten(target, messageOf(error))),
  )
