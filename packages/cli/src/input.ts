import { isAddress, isStandardInput, nearbyFile } from "@earmark/batch"
import { FileSystem, type Error as Platform } from "@effect/platform"
import { Effect, Stream } from "effect"
import { type CommandFailed, failed, usage } from "./CommandFailed.js"

export { isAddress, isOpml, isStandardInput, STANDARD_INPUT } from "@earmark/batch"

const CHUNK_BYTES = 256 * 1024

/** Why a file cannot be read. */
const reasonOf = (error: Platform.PlatformError): string => {
  if (error._tag === "BadArgument") return error.message
  switch (error.reason) {
    case "NotFound":
      return "there is no such file"
    case "PermissionDenied":
      return "this user may not read it"
    case "BadResource":
      return error.message.includes("ENOTDIR") ? "a part of its path is a file" : "it is a folder"
    default:
      return error.description ?? "it could not be opened"
  }
}

const cannotRead = (source: string, reason: string, hint = "") =>
  failed(`Could not read ${source}: ${reason}.${hint} Give the path of a file, or - for standard input.`)

const isMissing = (error: Platform.PlatformError): boolean =>
  error._tag === "SystemError" && error.reason === "NotFound"

const notOpened = (path: string) => (error: Platform.PlatformError) =>
  Effect.flatMap(isMissing(error) ? nearbyFile(path) : Effect.succeed(""), (hint) =>
    Effect.fail(cannotRead(path, reasonOf(error), hint)),
  )

const standardInput = Effect.suspend(() =>
  process.stdin.isTTY
    ? Effect.fail(usage("Nothing is piped in. Pipe the data in (command | earmark ...) or name a file."))
    : Effect.succeed(
        Stream.fromAsyncIterable<Uint8Array, CommandFailed>(process.stdin, (cause) =>
          failed(`Could not read standard input: ${String(cause)}.`),
        ),
      ),
)

const file = (path: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const found = yield* files.stat(path).pipe(Effect.catchAll(notOpened(path)))
    if (found.type === "Directory") return yield* cannotRead(path, "it is a folder")
    return files
      .stream(path, { chunkSize: CHUNK_BYTES })
      .pipe(Stream.mapError((error) => cannotRead(path, reasonOf(error))))
  })

/** The bytes of a file, or of standard input for `STANDARD_INPUT`, chunk by chunk. */
export const open = Effect.fn("open")(function* (source: string) {
  if (isStandardInput(source)) return yield* standardInput
  if (source === "")
    return yield* usage("The name of the file is empty. Give the path of a file, or - for standard input.")
  if (isAddress(source)) {
    return yield* usage(
      `${source} is an address, and a file is wanted here. Fetch it first: curl -L ADDRESS -o FILE`,
    )
  }
  return yield* file(source)
})

/** The whole input, refused when it is longer than `limit` bytes. */
export const readAll = Effect.fn("readAll")(function* (source: string, limit: number) {
  const chunks: Array<Uint8Array> = []
  let length = 0
  yield* Stream.runForEach(yield* open(source), (chunk) => {
    length += chunk.length
    chunks.push(chunk)
    return length > limit
      ? Effect.fail(
          failed(
            `${source} is larger than ${Math.floor(limit / 1_000_000)} MB. That is not a file of this kind.`,
          ),
        )
      : Effect.void
  })
  return Buffer.concat(chunks)
})
