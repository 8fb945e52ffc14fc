import { promisify } from "node:util"
import { constants, gunzip } from "node:zlib"
import { SNIFFED_BYTES, type Sniffed, sniff } from "@earmark/core/links"
import { type FetchedAnswer, FetchFailed } from "@earmark/service"
import { type Chunk, Effect, Option, type Scope, Stream } from "effect"

/** A body whose beginning is known, and whose rest is read as it is asked for. */
export interface Body {
  readonly kind: Sniffed
  /** The next piece, from the first byte on; null at the end. */
  readonly next: Effect.Effect<Uint8Array | null, FetchFailed>
}

const gunzipped = promisify(gunzip)

export const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b

/** What a gzip file holds; of one that was cut off, as far as it goes. Fails when it is broken, or holds more than `most` bytes. */
export const unpackGzip = (
  packed: Uint8Array,
  most: number,
): Effect.Effect<Uint8Array, "broken" | "too-large"> =>
  Effect.tryPromise({
    try: () => gunzipped(packed, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH }),
    catch: (cause) => (cause instanceof RangeError ? "too-large" : "broken"),
  })

/** Reads pieces from one pull after another; `held` are those read already. */
const reading = (
  pull: Effect.Effect<Chunk.Chunk<Uint8Array>, Option.Option<FetchFailed>>,
): Effect.Effect<Uint8Array | null, FetchFailed> => {
  const held: Array<Uint8Array> = []
  const step: Effect.Effect<Uint8Array | null, FetchFailed> = Effect.suspend(() => {
    const piece = held.shift()
    if (piece !== undefined) return Effect.succeed(piece)
    return pull.pipe(
      Effect.matchEffect({
        onFailure: Option.match({ onNone: () => Effect.succeed(null), onSome: Effect.fail }),
        onSuccess: (chunk) => {
          held.push(...chunk)
          return step
        },
      }),
    )
  })
  return step
}

const piecesOf = (...pieces: ReadonlyArray<Uint8Array>): Effect.Effect<Uint8Array | null> => {
  let at = 0
  return Effect.sync(() => pieces[at++] ?? null)
}

/** Everything that is left, or null when that is more than `most` bytes. */
export const readWhole = Effect.fnUntraced(function* (body: Pick<Body, "next">, most: number) {
  const pieces: Array<Uint8Array> = []
  let bytes = 0
  for (;;) {
    const piece = yield* body.next
    if (piece === null) return Buffer.concat(pieces)
    bytes += piece.length
    if (bytes > most) return null
    pieces.push(piece)
  }
})

/** As much of the beginning as there is, up to about `most` bytes. */
export const readBeginning = Effect.fnUntraced(function* (body: Pick<Body, "next">, most: number) {
  const pieces: Array<Uint8Array> = []
  let bytes = 0
  while (bytes < most) {
    const piece = yield* body.next
    if (piece === null) break
    pieces.push(piece)
    bytes += piece.length
  }
  return Buffer.concat(pieces).subarray(0, most)
})

const tooLarge = (most: number) =>
  new FetchFailed({
    reason: "too_large",
    detail: `What the server packed is more than ${most} bytes`,
    status: null,
    retryAfter: null,
    isTransient: false,
  })

/** Some servers hand out packed files without saying so. */
const unpacked = Effect.fnUntraced(function* (packed: Body["next"], most: number) {
  const bytes = yield* readWhole({ next: packed }, most)
  if (bytes === null) return yield* tooLarge(most)
  const text = yield* Effect.orElseSucceed(unpackGzip(bytes, most), () => null)
  const body: Body =
    text === null
      ? { kind: { kind: "archive", format: "gzip" }, next: piecesOf() }
      : { kind: sniff(text), next: piecesOf(text) }
  return body
})

/** The body of an answer, told by its first bytes and not by what the server says. It lives as long as the scope. */
export const openBody = Effect.fnUntraced(function* (
  answer: FetchedAnswer,
  { unpackAtMost }: { readonly unpackAtMost: number },
): Effect.fn.Return<Body, FetchFailed, Scope.Scope> {
  const rest = reading(yield* Stream.toPull(answer.body))
  const held: Array<Uint8Array> = []
  for (let bytes = 0; bytes < SNIFFED_BYTES; ) {
    const piece = yield* rest
    if (piece === null) break
    held.push(piece)
    bytes += piece.length
  }
  const kind = sniff(Buffer.concat(held))
  const next = Effect.suspend(() => {
    const piece = held.shift()
    return piece === undefined ? rest : Effect.succeed(piece)
  })
  return kind.kind === "gzip" ? yield* unpacked(next, unpackAtMost) : { kind, next }
})
