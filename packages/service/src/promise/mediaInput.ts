/** What can be brought: the path of a file, a blob, bytes, or a stream of known length. */
import { mediaTypeOf } from "@earmark/core/jobs"
import { Effect, Stream } from "effect"
import { RequestRefused } from "../useCases/refusals.js"

export type MediaInput =
  /** The path of a file on this machine. */
  string | URL | Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

export interface MediaFacts {
  /** The name that the job shows; that of the file when left out. */
  readonly filename?: string
  /** Such as `audio/mpeg`; by the end of the name when left out. */
  readonly contentType?: string
  /** The exact length. Needed for a stream, known for everything else. */
  readonly bytes?: number
}

const refused = (detail: string) => new RequestRefused({ code: "invalid_request", detail })

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied",
  EISDIR: "it is a folder",
}

const unreadable = (path: string | URL) => (error: unknown) => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown"
  return refused(`Cannot read ${path}: ${REASONS[code] ?? code}`)
}

const fileOf = Effect.fnUntraced(function* (path: string | URL) {
  // The service imports no technology; only programs that name a path need files.
  const files = process.getBuiltinModule("node:fs")
  const failed = unreadable(path)
  const found = yield* Effect.tryPromise({ try: () => files.promises.stat(path), catch: failed })
  if (!found.isFile()) return yield* refused(`Cannot read ${path}: it is not a file`)
  const name = path instanceof URL ? decodeURIComponent(path.pathname) : path
  return {
    name: name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1),
    type: "",
    bytes: found.size,
    body: Stream.fromAsyncIterable<Uint8Array, RequestRefused>(files.createReadStream(path), failed),
  }
})

const broken = (error: unknown) =>
  refused(`The stream broke: ${error instanceof Error ? error.message : String(error)}`)

const found = (input: Exclude<MediaInput, string | URL>) => {
  if (input instanceof Uint8Array)
    return { name: "", type: "", bytes: input.length, body: Stream.succeed(input) }
  if (input instanceof Blob) {
    const name = "name" in input && typeof input.name === "string" ? input.name : ""
    const body = Stream.fromReadableStream({ evaluate: () => input.stream(), onError: broken })
    return { name, type: input.type, bytes: input.size, body }
  }
  const body =
    input instanceof ReadableStream
      ? Stream.fromReadableStream({ evaluate: () => input, onError: broken })
      : Stream.fromAsyncIterable(input, broken)
  return { name: "", type: "", bytes: undefined, body }
}

const isMedia = (input: object): boolean =>
  input instanceof URL ||
  input instanceof Uint8Array ||
  input instanceof Blob ||
  input instanceof ReadableStream ||
  Symbol.asyncIterator in input

/** What somebody gave who writes plain JavaScript, which is not held to types; null where it can be read. */
const wrongInput = (input: unknown): string | null => {
  if (typeof input === "string") return null
  if (typeof input !== "object" || input === null) return String(input)
  return isMedia(input) ? null : "another object"
}

/** The announcement of an upload, as the wire has it, and its bytes. */
export const openInput = Effect.fnUntraced(function* (input: MediaInput, facts: MediaFacts) {
  const wrong = wrongInput(input)
  if (wrong !== null)
    return yield* refused(`Give the path of a file, a Blob, bytes or a stream, not ${wrong}`)
  const isPath = typeof input === "string" || input instanceof URL
  const { name, type, bytes: known, body } = isPath ? yield* fileOf(input) : found(input)
  const filename = facts.filename ?? (name === "" ? "upload" : name)
  const bytes = known ?? facts.bytes
  const contentType = facts.contentType ?? (type === "" ? mediaTypeOf(filename) : type)
  if (bytes === undefined)
    return yield* refused("Give `bytes`: the exact length of a stream has to be known before it is read")
  if (contentType === null)
    return yield* refused(`Give \`contentType\`, such as audio/mpeg: the name ${filename} does not tell`)
  return { announced: { filename, content_type: contentType, bytes }, body }
})
