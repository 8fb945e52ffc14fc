/** Earmark for applications without Effect: promises, the shapes of the REST interface, and the same typed errors. */
import {
  Account,
  AccountId,
  AccountNotFound,
  Acknowledgement,
  ApiKeyWithValue,
  Batch,
  BatchStatus,
  CreateEndpoint,
  type CreateTranscription,
  Credits,
  decodeCreate,
  decodeQuote,
  decodeRequest,
  EndpointWithSecret,
  EpisodeList,
  EpisodesQuery,
  ExportRequest,
  Job,
  JobSummary,
  ListQuery,
  PatchTranscription,
  parseId,
  Quote,
  SearchAllQuery,
  SearchAnswer,
  TranscribeFeed,
} from "@earmark/core/jobs"
import { parseIdempotencyKey } from "@earmark/core/requests"
import { Cause, Effect, Either, Exit, Layer, ManagedRuntime, Redacted, Schema } from "effect"
import { type EarmarkOptions, earmarkLayer } from "./earmarkLayer.js"
import { CreditDesk } from "./useCases/CreditDesk.js"
import { Customers } from "./useCases/Customers.js"
import { Keys } from "./useCases/Keys.js"
import { Podcasts } from "./useCases/Podcasts.js"
import { Quotes } from "./useCases/Quotes.js"
import type { RequestContext } from "./useCases/Repeats.js"
import { Transcriptions } from "./useCases/Transcriptions.js"
import { Webhooks } from "./useCases/Webhooks.js"

/** What may come with a request. */
interface Once {
  /** Makes a repeat of the same request safe. */
  readonly idempotencyKey?: string
}

type Wire<S extends Schema.Schema.Any> = Schema.Schema.Encoded<S>

const list = <A, I>(item: Schema.Schema<A, I>) => Schema.encodeSync(Schema.Array(item))

const accountOf = (text: string) =>
  Effect.mapError(parseId(AccountId)(text), () => new AccountNotFound({ id: text.slice(0, 64) }))

const contextOf = ({ idempotencyKey }: Once) =>
  idempotencyKey === undefined
    ? Effect.succeed<RequestContext>({})
    : Effect.map(parseIdempotencyKey(idempotencyKey), (key): RequestContext => ({ idempotencyKey: key }))

/**
 * The whole service in this process. Methods take and give what the REST interface takes and gives, and reject with the
 * errors of the use cases themselves: test `error._tag`, or use `instanceof`.
 */
export const makeEarmark = async <E1, E2>(options: EarmarkOptions<E1, E2>) => {
  for (const name of ["store", "surroundings"] as const) {
    if (!Layer.isLayer(options[name])) throw new TypeError(`makeEarmark needs \`${name}\`, a layer`)
  }
  const runtime = ManagedRuntime.make(earmarkLayer(options))

  type Provided = ManagedRuntime.ManagedRuntime.Context<typeof runtime>

  let isClosed = false
  const run = async <A, E>(effect: Effect.Effect<A, E, Provided>): Promise<A> => {
    if (isClosed) throw new Error("This Earmark is closed. Make another one with makeEarmark.")
    const exit = await runtime.runPromiseExit(effect)
    if (Exit.isSuccess(exit)) return exit.value
    throw Cause.squash(exit.cause)
  }

  // A layer that cannot be built is told here, not at the first request.
  await run(Effect.void)

  return {
    accounts: {
      create: (account: { readonly name: string; readonly email?: string }) =>
        run(
          Effect.gen(function* () {
            const customers = yield* Customers
            return Schema.encodeSync(Account)(yield* customers.create(account))
          }),
        ),
    },

    transcriptions: {
      create: (account: string, body: Wire<typeof CreateTranscription>, once: Once = {}) =>
        run(
          Effect.gen(function* () {
            const transcriptions = yield* Transcriptions
            const request = yield* decodeCreate(body)
            const made = yield* transcriptions.create(
              yield* accountOf(account),
              request,
              yield* contextOf(once),
            )
            return Schema.encodeSync(Acknowledgement)(made.answer)
          }),
        ),
      /** With `wait`, as soon as the job ends or after so many seconds. */
      get: (account: string, id: string, query: { readonly wait?: number; readonly words?: boolean } = {}) =>
        run(
          Effect.gen(function* () {
            const transcriptions = yield* Transcriptions
            const job = yield* transcriptions.get(yield* accountOf(account), id, {
              wait: query.wait ?? 0,
              include: query.words === true ? "words" : undefined,
            })
            return Schema.encodeSync(Job)(job)
          }),
        ),
      list: (account: string, query: Wire<typeof ListQuery> = {}) =>
        run(
          Effect.gen(function* () {
            const transcriptions = yield* Transcriptions
            const asked = yield* decodeRequest(ListQuery)(query)
            const page = yield* transcriptions.list(yield* accountOf(account), asked)
            return {
              data: list(JobSummary)(page.data),
              has_more: page.hasMore,
              next_cursor: page.nextCursor,
            }
          }),
        ),
      search: (account: string, query: Wire<typeof SearchAllQuery>) =>
        run(
          Effect.gen(function* () {
            const transcriptions = yield* Transcriptions
            const asked = yield* decodeRequest(SearchAllQuery)(query)
            const answer = yield* transcriptions.searchAll(yield* accountOf(account), asked)
            return Schema.encodeSync(SearchAnswer)(answer)
          }),
        ),
      /** The bytes of a file. */
      export: (account: string, id: string, query: Wire<typeof ExportRequest>) =>
        run(
          Effect.gen(function* () {
            const transcriptions = yield* Transcriptions
            const asked = yield* decodeRequest(ExportRequest)(query)
            const made = yield* transcriptions.export(yield* accountOf(account), id, asked)
            const chunks = Array.from(made.chunks, (chunk) => Buffer.from(chunk))
            return { contentType: made.contentType, bytes: Buffer.concat(chunks) }
          }),
        ),
      patch: (account: string, id: string, body: Wire<typeof PatchTranscription>) =>
        run(
          Effect.gen(function* () {
            const transcriptions = yield* Transcriptions
            const changes = yield* decodeRequest(PatchTranscription)(body)
            const job = yield* transcriptions.patch(yield* accountOf(account), id, changes)
            return Schema.encodeSync(JobSummary)(job)
          }),
        ),
      cancel: (account: string, id: string) =>
        run(
          Effect.gen(function* () {
            const transcriptions = yield* Transcriptions
            const job = yield* transcriptions.cancel(yield* accountOf(account), id)
            return Schema.encodeSync(JobSummary)(job)
          }),
        ),
      retry: (account: string, id: string) =>
        run(
          Effect.gen(function* () {
            const transcriptions = yield* Transcriptions
            const job = yield* transcriptions.retry(yield* accountOf(account), id)
            return Schema.encodeSync(JobSummary)(job)
          }),
        ),
      remove: (account: string, id: string) =>
        run(
          Effect.gen(function* () {
            const transcriptions = yield* Transcriptions
            yield* transcriptions.remove(yield* accountOf(account), id)
          }),
        ),
    },

    podcasts: {
      episodes: (account: string, query: Wire<typeof EpisodesQuery>) =>
        run(
          Effect.gen(function* () {
            const podcasts = yield* Podcasts
            const asked = yield* decodeRequest(EpisodesQuery)(query)
            return Schema.encodeSync(EpisodeList)(yield* podcasts.episodes(yield* accountOf(account), asked))
          }),
        ),
      transcribe: (account: string, body: Wire<typeof TranscribeFeed>, once: Once = {}) =>
        run(
          Effect.gen(function* () {
            const podcasts = yield* Podcasts
            const request = yield* decodeRequest(TranscribeFeed)(body)
            const made = yield* podcasts.transcribe(
              yield* accountOf(account),
              request,
              yield* contextOf(once),
            )
            return Schema.encodeSync(Batch)(made.answer)
          }),
        ),
      batch: (account: string, id: string) =>
        run(
          Effect.gen(function* () {
            const podcasts = yield* Podcasts
            return Schema.encodeSync(BatchStatus)(yield* podcasts.batch(yield* accountOf(account), id))
          }),
        ),
    },

    /** What a transcription or a whole feed would cost. */
    quote: (account: string, body: Wire<typeof CreateTranscription> | Wire<typeof TranscribeFeed>) =>
      run(
        Effect.gen(function* () {
          const quotes = yield* Quotes
          const request = yield* decodeQuote(body)
          return Schema.encodeSync(Quote)(yield* quotes.quote(yield* accountOf(account), request))
        }),
      ),

    credits: {
      get: (account: string) =>
        run(
          Effect.gen(function* () {
            const desk = yield* CreditDesk
            return Schema.encodeSync(Credits)(yield* desk.get(yield* accountOf(account)))
          }),
        ),
      /** Credits from the operator; the same reference counts once. */
      grant: (
        account: string,
        grant: { readonly credits: number; readonly reference: string; readonly asPurchase?: boolean },
      ) =>
        run(
          Effect.gen(function* () {
            const desk = yield* CreditDesk
            const id = yield* accountOf(account)
            yield* desk.grant(id, { ...grant, asPurchase: grant.asPurchase === true })
          }),
        ),
    },

    keys: {
      create: (account: string, name?: string) =>
        run(
          Effect.gen(function* () {
            const keys = yield* Keys
            const key = yield* keys.create(yield* accountOf(account), { name })
            return Schema.encodeSync(ApiKeyWithValue)(key)
          }),
        ),
      /** The account that a key belongs to; null for one that is not good. */
      accountOf: (value: string) =>
        run(
          Effect.gen(function* () {
            const keys = yield* Keys
            const bearer = yield* Effect.either(keys.authenticate(Redacted.make(value)))
            if (Either.isRight(bearer)) return bearer.right.account
            return bearer.left._tag === "Unauthorized" ? null : yield* bearer.left
          }),
        ),
    },

    webhooks: {
      create: (account: string, body: Wire<typeof CreateEndpoint>, once: Once = {}) =>
        run(
          Effect.gen(function* () {
            const webhooks = yield* Webhooks
            const request = yield* decodeRequest(CreateEndpoint)(body)
            const made = yield* webhooks.create(yield* accountOf(account), request, yield* contextOf(once))
            return Schema.encodeSync(EndpointWithSecret)(made.answer)
          }),
        ),
    },

    /** Stops claiming, lets running jobs come to their next checkpoint, hands the rest back, and closes the store. */
    close: () => {
      isClosed = true
      return runtime.dispose()
    },
  }
}
