import { ObjectRefused, StorageError } from "@earmark/service"
import { Effect, Exit, Stream } from "effect"
import { type S3Answer, type S3Requests, textOf, unexpected } from "./s3Requests.js"

export interface NewObject {
  readonly key: string
  readonly contentType: string
  readonly bytes: number
}

const OPERATION = "ObjectStore.put"
/** The protocol takes no more parts than this. */
const MOST_PARTS = 10_000
/** The store itself refuses a key that is taken, however many put to it at once. */
const ONLY_NEW = { "if-none-match": "*" }

export const refuse = (reason: ObjectRefused["reason"]) => new ObjectRefused({ reason })

export const unquoted = (etag: string): string => etag.replaceAll('"', "")

const isTaken = ({ status }: S3Answer) => status === 412 || status === 409

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/** Hands the body on in pieces of the given size (the last is smaller), through one buffer. Exactly `bytes` bytes, or it fails. */
const inParts = <E, E2>(
  body: Stream.Stream<Uint8Array, E>,
  { bytes, partBytes }: { readonly bytes: number; readonly partBytes: number },
  use: (part: Uint8Array) => Effect.Effect<void, E2>,
) =>
  Effect.gen(function* () {
    const buffer = new Uint8Array(Math.min(partBytes, bytes))
    let filled = 0
    let length = 0
    yield* Stream.runForEach(body, (chunk) =>
      Effect.gen(function* () {
        length += chunk.length
        if (length > bytes) return yield* refuse("too_long")
        for (let done = 0; done < chunk.length; ) {
          const taken = Math.min(chunk.length - done, buffer.length - filled)
          buffer.set(chunk.subarray(done, done + taken), filled)
          filled += taken
          done += taken
          // The last one waits for the end: only then is it known that nothing more comes.
          if (filled === buffer.length && length - chunk.length + done < bytes) {
            yield* use(buffer)
            filled = 0
          }
        }
      }),
    )
    if (length < bytes) return yield* refuse("too_short")
    yield* use(buffer.subarray(0, filled))
  })

export const makeS3Upload = ({ send }: S3Requests, wantedPartBytes: number) => {
  const whole = <E>({ key, contentType, bytes }: NewObject, body: Stream.Stream<Uint8Array, E>) =>
    Effect.gen(function* () {
      let etag = ""
      yield* inParts(body, { bytes, partBytes: bytes }, (part) =>
        Effect.gen(function* () {
          const headers = { "content-type": contentType, ...ONLY_NEW }
          const answer = yield* send(OPERATION, { method: "PUT", key, headers, body: part })
          if (isTaken(answer)) return yield* refuse("exists")
          if (answer.status !== 200) return yield* unexpected(OPERATION, answer)
          etag = unquoted(answer.headers.etag ?? "")
        }),
      )
      return etag
    })

  const begin = Effect.fnUntraced(function* ({ key, contentType }: NewObject) {
    const answer = yield* send(OPERATION, {
      method: "POST",
      key,
      query: { uploads: "" },
      headers: { "content-type": contentType },
    })
    const id = textOf(answer, "UploadId")
    return answer.status === 200 && id !== undefined ? id : yield* unexpected(OPERATION, answer)
  })

  const sendPart = Effect.fnUntraced(function* (
    key: string,
    uploadId: string,
    number: number,
    body: Uint8Array,
  ) {
    const query = { partNumber: String(number), uploadId }
    const answer = yield* send(OPERATION, { method: "PUT", key, query, body })
    const { etag } = answer.headers
    return answer.status === 200 && etag !== undefined ? etag : yield* unexpected(OPERATION, answer)
  })

  const end = Effect.fnUntraced(function* (key: string, uploadId: string, etags: ReadonlyArray<string>) {
    const parts = etags.map(
      (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
    )
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`, "utf8")
    const headers = { "content-type": "application/xml", ...ONLY_NEW }
    const answer = yield* send(OPERATION, { method: "POST", key, query: { uploadId }, headers, body })
    if (isTaken(answer)) return yield* refuse("exists")
    const etag = textOf(answer, "ETag")
    if (answer.status === 200 && etag !== undefined) return unquoted(etag)
    // A status of 200 may still carry an error, and after a repeated request "no such upload" may mean that the first one was heard.
    const isUnknown = answer.status === 200 || answer.status === 404
    return yield* isUnknown
      ? new StorageError({
          operation: OPERATION,
          reason: "unknown",
          cause: textOf(answer, "Code") ?? "no ETag",
        })
      : unexpected(OPERATION, answer)
  })

  const inManyParts = <E>(object: NewObject, body: Stream.Stream<Uint8Array, E>) => {
    const { key, bytes } = object
    const partBytes = Math.max(wantedPartBytes, Math.ceil(bytes / MOST_PARTS))
    return Effect.acquireUseRelease(
      begin(object),
      (uploadId) =>
        Effect.gen(function* () {
          const etags: Array<string> = []
          yield* inParts(body, { bytes, partBytes }, (part) =>
            Effect.map(sendPart(key, uploadId, etags.length + 1, part), (etag) => void etags.push(etag)),
          )
          return yield* end(key, uploadId, etags)
        }),
      (uploadId, exit) =>
        Exit.isSuccess(exit)
          ? Effect.void
          : // What cannot be taken away now is left to the bucket's own rule for unfinished uploads.
            Effect.ignore(send(OPERATION, { method: "DELETE", key, query: { uploadId } })),
    )
  }

  return <E>(object: NewObject, body: Stream.Stream<Uint8Array, E>) =>
    object.bytes <= wantedPartBytes ? whole(object, body) : inManyParts(object, body)
}
