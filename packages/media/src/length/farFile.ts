import { stripCredentials } from "@earmark/core/links"
import { type FetchedAnswer, Fetcher, FetchFailed, LengthUnknown, ObjectStore } from "@earmark/service"
import { Effect, Stream } from "effect"
import { rangeOf, totalOf } from "../fetch/download.js"
import { loginFor, REDIRECTS } from "../obtain/obtain.js"

/** A file, here or somewhere else, of which parts can be read. */
export interface MediaBytes {
  readonly bytes: number
  readonly head: Buffer
  /** The bytes from one place up to, not including, another; null where the other side gives no parts. */
  readonly part: (from: number, to: number) => Effect.Effect<Buffer | null, LengthUnknown>
}

/** Headers of all containers fit in, most of them many times over. */
const HEAD = 512 * 1024

const unknown = (reason: string) => new LengthUnknown({ reason })

const unreadable = (cause: unknown) =>
  unknown(cause instanceof FetchFailed ? `${cause.detail}.` : "The uploaded file cannot be read now.")

/** The first bytes of a body, however many more there are. */
const firstOf = <E>(body: Stream.Stream<Uint8Array, E>, most: number): Effect.Effect<Buffer, E> =>
  Effect.suspend(() => {
    const pieces: Array<Uint8Array> = []
    let bytes = 0
    const take = (piece: Uint8Array) =>
      Effect.sync(() => {
        pieces.push(piece)
        bytes += piece.length
        return bytes < most
      })
    return Effect.map(Stream.runForEachWhile(body, take), () => Buffer.concat(pieces).subarray(0, most))
  })

const withHead = (
  file: Pick<MediaBytes, "bytes" | "head">,
  read: (from: number, to: number) => Effect.Effect<Buffer | null, LengthUnknown>,
): MediaBytes => ({
  ...file,
  part: (from, to) => {
    const end = Math.min(to, file.bytes)
    return end <= file.head.length ? Effect.succeed(file.head.subarray(from, end)) : read(from, end)
  },
})

/** An upload of this service. */
export const uploadedFile = Effect.fnUntraced(function* (mediaRef: string) {
  const store = yield* ObjectStore
  const found = yield* Effect.mapError(store.head(mediaRef), unreadable)
  if (found === null) return yield* unknown("The upload has no bytes any more.")
  const read = (from: number, to: number) =>
    Effect.mapError(firstOf(store.read(mediaRef, { from, to }), to - from), unreadable)
  const head = yield* read(0, Math.min(HEAD, found.bytes))
  return withHead({ bytes: found.bytes, head }, read)
})

/** The bytes of an answer from a place on; null when it has others. */
const partOf = (answer: FetchedAnswer, from: number, length: number) =>
  answer.status === 206 && rangeOf(answer.headers)?.start === from
    ? firstOf(answer.body, length)
    : Effect.succeed(null)

/** A file of the web, through the guarded door: no request reads more than it asked for, whatever is sent. */
export const webFile = Effect.fnUntraced(function* (address: string, link: string | null, deadline: number) {
  const fetcher = yield* Fetcher
  const authorization = loginFor(address, link)
  const { url } = stripCredentials(address)
  const ask = (from: number, to: number) =>
    fetcher.fetch({
      url,
      headers: {
        range: `bytes=${from}-${to - 1}`,
        "accept-encoding": "identity",
        ...(authorization !== null && { authorization }),
      },
      deadline,
      // Counted where it is read: a server without ranges sends the whole file.
      maxBytes: Number.MAX_SAFE_INTEGER,
      redirects: REDIRECTS,
    })
  const read = (from: number, to: number) =>
    Effect.scoped(Effect.flatMap(ask(from, to), (answer) => partOf(answer, from, to - from))).pipe(
      Effect.mapError(unreadable),
    )
  const { head, bytes } = yield* Effect.scoped(
    Effect.gen(function* () {
      const answer = yield* ask(0, HEAD)
      if (answer.status !== 200 && answer.status !== 206)
        return yield* unknown(`${new URL(answer.url).hostname} answered with status ${answer.status}.`)
      const first = yield* firstOf(answer.body, HEAD)
      const isWhole = answer.status === 200 && first.length < HEAD
      return { head: first, bytes: isWhole ? first.length : totalOf(answer) }
    }),
  ).pipe(Effect.catchTag("FetchFailed", (failed) => Effect.fail(unreadable(failed))))
  if (bytes === null) return yield* unknown("The server does not say how large the file is.")
  return withHead({ bytes, head }, read)
})
