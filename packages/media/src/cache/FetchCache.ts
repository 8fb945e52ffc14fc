import { createHash } from "node:crypto"
import { type FetchedAnswer, Fetcher, type FetchFailed, type FetchRequest } from "@earmark/service"
import { Clock, Context, Duration, Effect, Exit, Layer, Scope } from "effect"
import { failed } from "../fetch/failures.js"
import { makeSlots } from "../fetch/slots.js"
import type { Kept, Shelf, ShelfLimits, Shelved } from "./shelf.js"
import { makeDiskShelf } from "./shelfDisk.js"
import { makeMemoryShelf } from "./shelfMemory.js"

/** An answer, and how it came to be. */
export interface CachedAnswer extends FetchedAnswer {
  /** `kept`: nobody was asked; `unchanged`: the server says that the kept answer still holds; `fetched`: it sent this. */
  readonly origin: "kept" | "unchanged" | "fetched"
  /** Of the body, in hexadecimal; null when the answer is none that is kept. */
  readonly sha256: string | null
}

export interface FetchCacheOptions extends Partial<ShelfLimits> {
  /** For so long at least a server is not asked again for the same, whatever it says. A minute by default. */
  readonly askAgainAfter?: Duration.DurationInput
  /** For so long at most an answer is given again unasked, whatever the server allows. Five minutes by default. */
  readonly keptAtMost?: Duration.DurationInput
}

const MEBIBYTE = 1024 * 1024
const onDisk: ShelfLimits = { maxBytes: 1024 * MEBIBYTE, maxEntryBytes: 256 * MEBIBYTE, maxEntries: 1000 }
const inMemory: ShelfLimits = { maxBytes: 64 * MEBIBYTE, maxEntryBytes: 16 * MEBIBYTE, maxEntries: 1000 }

/** The headers that make another answer of the same address. */
const TELLING = ["accept", "accept-language", "authorization", "cookie"]

const keyOf = ({ url, headers = {}, trusted = false }: FetchRequest): string => {
  const telling = Object.entries(headers)
    .map(([name, value]): readonly [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => TELLING.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash("sha256")
    .update(JSON.stringify([url, trusted, telling]))
    .digest("hex")
}

const isCacheable = ({ method = "GET", body, headers = {} }: FetchRequest) =>
  method === "GET" &&
  body === undefined &&
  !Object.keys(headers).some((name) => /^(?:range|if-.*)$/i.test(name))

const isStorable = ({ status, headers }: FetchedAnswer) =>
  status === 200 && !/\bno-store\b/i.test(headers["cache-control"] ?? "") && headers.vary?.trim() !== "*"

const maxAgeOf = (headers: FetchedAnswer["headers"]): number => {
  const [, seconds] = /\bmax-age=(\d{1,9})\b/i.exec(headers["cache-control"] ?? "") ?? []
  return Number(seconds ?? 0) * 1000
}

const conditionsOf = ({ headers }: Kept): Readonly<Record<string, string>> => ({
  ...(headers.etag === undefined ? {} : { "if-none-match": headers.etag }),
  ...(headers["last-modified"] === undefined ? {} : { "if-modified-since": headers["last-modified"] }),
})

const answerOf = ({ kept, body }: Shelved, origin: CachedAnswer["origin"]): CachedAnswer => ({
  status: 200,
  headers: kept.headers,
  url: kept.url,
  ...(kept.movedTo === undefined ? {} : { movedTo: kept.movedTo }),
  body,
  origin,
  sha256: kept.sha256,
})

/** Answers that are asked for again and again, such as feeds: kept, and asked for under the condition that they have changed. */
export class FetchCache extends Context.Tag("@earmark/media/FetchCache")<
  FetchCache,
  {
    /** As `Fetcher.fetch`. Requests for the same at the same time are one request; all but a plain GET passes by. */
    readonly fetch: (request: FetchRequest) => Effect.Effect<CachedAnswer, FetchFailed, Scope.Scope>
  }
>() {
  static readonly layerMemory = (options: FetchCacheOptions = {}): Layer.Layer<FetchCache, never, Fetcher> =>
    Layer.effect(FetchCache, make(makeMemoryShelf({ ...inMemory, ...options }), options))

  /** The folder is made when it is first needed. Processes may share it. */
  static readonly layerDisk = ({
    directory,
    ...options
  }: FetchCacheOptions & { readonly directory: string }): Layer.Layer<FetchCache, never, Fetcher> =>
    Layer.effect(FetchCache, make(makeDiskShelf(directory, { ...onDisk, ...options }), options))
}

const make = (shelf: Shelf, options: FetchCacheOptions) =>
  Effect.map(Fetcher, (fetcher) => {
    const least = Duration.toMillis(options.askAgainAfter ?? "1 minute")
    const most = Math.max(least, Duration.toMillis(options.keptAtMost ?? "5 minutes"))
    const turns = makeSlots({ inAll: Number.POSITIVE_INFINITY, perHost: 1 })

    const freshUntil = (headers: FetchedAnswer["headers"]) =>
      Effect.map(Clock.currentTimeMillis, (now) => now + Math.min(most, Math.max(least, maxAgeOf(headers))))

    const passing = (request: FetchRequest) =>
      Effect.map(
        fetcher.fetch(request),
        (answer): CachedAnswer => ({ ...answer, origin: "fetched", sha256: null }),
      )

    const limited = ({ maxBytes }: FetchRequest, shelved: Shelved, origin: CachedAnswer["origin"]) =>
      shelved.kept.bytes <= maxBytes
        ? Effect.succeed(answerOf(shelved, origin))
        : failed("too_large", `${new URL(shelved.kept.url).hostname} sent more than ${maxBytes} bytes`, {
            status: 200,
          })

    const ask = Effect.fnUntraced(function* (request: FetchRequest, key: string, shelved: Shelved | null) {
      const conditions = shelved === null ? {} : conditionsOf(shelved.kept)
      const answer = yield* fetcher.fetch({ ...request, headers: { ...request.headers, ...conditions } })
      if (answer.status === 304 && shelved !== null) {
        // What a 304 repeats is news; what it leaves out stays.
        const headers = { ...shelved.kept.headers, ...lasting(answer.headers), ...lengthOf(shelved.kept) }
        const kept = { ...shelved.kept, headers, freshUntil: yield* freshUntil(headers) }
        yield* shelf.renew(key, kept)
        return yield* limited(request, { ...shelved, kept }, "unchanged")
      }
      if (!isStorable(answer)) return { ...answer, origin: "fetched" as const, sha256: null }
      const headers = lasting(answer.headers)
      const facts = { url: answer.url, headers, freshUntil: yield* freshUntil(headers) }
      const moved = answer.movedTo === undefined ? {} : { movedTo: answer.movedTo }
      const stored = yield* shelf.put(key, { ...facts, ...moved }, answer.body)
      return stored === null ? null : yield* limited(request, stored, "fetched")
    })

    const fetch = Effect.fn("FetchCache.fetch")(function* (request: FetchRequest) {
      if (!isCacheable(request)) return yield* passing(request)
      const key = keyOf(request)
      const turn = yield* Scope.fork(yield* Effect.scope, (yield* Effect.scope).strategy)
      yield* turns.take(key).pipe(
        Scope.extend(turn),
        Effect.timeoutFail({
          duration: request.deadline,
          onTimeout: () =>
            failed("timeout", "The same address is being asked already, and did not answer in time"),
        }),
      )
      const shelved = yield* shelf.find(key)
      if (shelved !== null && (yield* Clock.currentTimeMillis) < shelved.kept.freshUntil) {
        yield* Scope.close(turn, Exit.void)
        return yield* limited(request, shelved, "kept")
      }
      const answer = yield* ask(request, key, shelved)
      yield* Scope.close(turn, Exit.void)
      // Too large to be kept: it is read as it comes, from the start.
      return answer ?? (yield* passing(request))
    })

    return FetchCache.of({ fetch })
  })

/** What holds of the decoded body too, and is nobody's secret. */
const lasting = (headers: FetchedAnswer["headers"]): FetchedAnswer["headers"] =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name !== "set-cookie" && name !== "content-encoding"),
  )

const lengthOf = ({ headers }: Kept): Readonly<Record<string, string>> =>
  headers["content-length"] === undefined ? {} : { "content-length": headers["content-length"] }
