import {
  Acknowledgement,
  type CreateTranscription,
  decodeCreate,
  decodeRequest,
  ExportRequest,
  formatPlace,
  Job,
  JobSummary,
  JobUpdate,
  ListQuery,
  listOf,
  PatchTranscription,
  parsePlace,
  SearchAllQuery,
  SearchAnswer,
} from "@earmark/core/jobs"
import { Effect, Option, Schema, Stream } from "effect"
import { Following, type Update } from "../useCases/Following.js"
import { Transcriptions } from "../useCases/Transcriptions.js"
import { accountOf, callsOf, contextOf, type Door, type Once, type Wire } from "./door.js"

const showUpdate = (update: Update) => ({
  id: formatPlace(update.place),
  ...Schema.encodeSync(JobUpdate)(update),
})

export const transcriptions = (door: Door) => {
  const ask = callsOf(door, Transcriptions)
  return {
    create: (account: string, body: Wire<typeof CreateTranscription>, once: Once = {}) =>
      ask(account, (service, owner) =>
        Effect.gen(function* () {
          const made = yield* service.create(owner, yield* decodeCreate(body), yield* contextOf(once))
          return Schema.encodeSync(Acknowledgement)(made.answer)
        }),
      ),
    /** With `wait`, as soon as the job ends or after so many seconds. */
    get: (account: string, id: string, query: { readonly wait?: number; readonly words?: boolean } = {}) =>
      ask(account, (service, owner) => {
        const include = query.words === true ? "words" : undefined
        return Effect.map(service.get(owner, id, { wait: query.wait ?? 0, include }), Schema.encodeSync(Job))
      }),
    /**
     * What happens to a job until it ends: its progress, each line as soon as it is recognised, and the end. `after` is the `id` of the
     * last event that you have.
     */
    events: (account: string, id: string, { after }: { readonly after?: string } = {}) =>
      door.iterate(
        Stream.unwrap(
          Effect.gen(function* () {
            const following = yield* Following
            const place = Option.getOrNull(parsePlace(after ?? ""))
            const updates = yield* following.follow(yield* accountOf(account), id, place)
            return updates === null ? Stream.empty : Stream.map(updates, showUpdate)
          }),
        ),
      ),
    list: (account: string, query: Wire<typeof ListQuery> = {}) =>
      ask(account, (service, owner) =>
        Effect.gen(function* () {
          const page = yield* service.list(owner, yield* decodeRequest(ListQuery)(query))
          return Schema.encodeSync(listOf(JobSummary))(page)
        }),
      ),
    search: (account: string, query: Wire<typeof SearchAllQuery>) =>
      ask(account, (service, owner) =>
        Effect.gen(function* () {
          const answer = yield* service.searchAll(owner, yield* decodeRequest(SearchAllQuery)(query))
          return Schema.encodeSync(SearchAnswer)(answer)
        }),
      ),
    /** The bytes of a file. */
    export: (account: string, id: string, query: Wire<typeof ExportRequest>) =>
      ask(account, (service, owner) =>
        Effect.gen(function* () {
          const made = yield* service.export(owner, id, yield* decodeRequest(ExportRequest)(query))
          const chunks = Array.from(made.chunks, (chunk) => Buffer.from(chunk))
          return { contentType: made.contentType, bytes: Buffer.concat(chunks) }
        }),
      ),
    patch: (account: string, id: string, body: Wire<typeof PatchTranscription>) =>
      ask(account, (service, owner) =>
        Effect.gen(function* () {
          const job = yield* service.patch(owner, id, yield* decodeRequest(PatchTranscription)(body))
          return Schema.encodeSync(JobSummary)(job)
        }),
      ),
    cancel: (account: string, id: string) =>
      ask(account, (service, owner) => Effect.map(service.cancel(owner, id), Schema.encodeSync(JobSummary))),
    retry: (account: string, id: string) =>
      ask(account, (service, owner) => Effect.map(service.retry(owner, id), Schema.encodeSync(JobSummary))),
    remove: (account: string, id: string) => ask(account, (service, owner) => service.remove(owner, id)),
  }
}
