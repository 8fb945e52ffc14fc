/** How each operation of an account is done: the use case behind it. Hosts read the request and write the answer. */
import type { Answer, JsonOperationId, Operation, OperationOf, Request } from "@earmark/core/operations"
import { Effect } from "effect"
import type { Bearer } from "./ports/Accounts.js"
import { GrantedApps } from "./signIn/GrantedApps.js"
import { identityOf } from "./signIn/identity.js"
import type { Session } from "./signIn/sessions.js"
import { CreditDesk } from "./useCases/CreditDesk.js"
import { Customers } from "./useCases/Customers.js"
import { Edits } from "./useCases/Edits.js"
import { ExportLinks } from "./useCases/ExportLinks.js"
import { Extras } from "./useCases/Extras.js"
import { Keys } from "./useCases/Keys.js"
import { Podcasts } from "./useCases/Podcasts.js"
import { Publications } from "./useCases/Publications.js"
import { Purchases } from "./useCases/Purchases.js"
import type { Refused } from "./useCases/problemOf.js"
import { Questions } from "./useCases/Questions.js"
import { Quotes } from "./useCases/Quotes.js"
import { Recordings } from "./useCases/Recordings.js"
import type { Answered, RequestContext } from "./useCases/Repeats.js"
import { Transcriptions } from "./useCases/Transcriptions.js"
import { UploadParts } from "./useCases/UploadParts.js"
import { Uploads } from "./useCases/Uploads.js"
import { Webhooks } from "./useCases/Webhooks.js"

/** A request that was read, and who makes it. */
export type Asked<Of extends Operation> = Request<Of> & {
  readonly caller: Pick<Bearer, "account" | "scopes"> & { readonly session?: Session }
  readonly context: RequestContext
}

/** The use case of each operation. Files and streams of events are answered by `Transcriptions.export` and `Following`. */
export type Operations = {
  readonly [Id in JsonOperationId]: (
    asked: Asked<OperationOf<Id>>,
  ) => Effect.Effect<Answered<Answer<OperationOf<Id>>>, Refused>
}

/** An answer that no earlier request was given. */
const fresh = <Value, E>(effect: Effect.Effect<Value, E>): Effect.Effect<Answered<Value>, E> =>
  Effect.map(effect, (answer) => ({ answer, replayed: false }))

/** Nothing is answered. */
const nothing = <E>(effect: Effect.Effect<unknown, E>): Effect.Effect<Answered<undefined>, E> =>
  Effect.map(effect, () => ({ answer: undefined, replayed: false }))

/** The operations over the use cases. */
export const makeOperations = Effect.gen(function* () {
  const jobs = yield* Transcriptions
  const edits = yield* Edits
  const extras = yield* Extras
  const links = yield* ExportLinks
  const publications = yield* Publications
  const recordings = yield* Recordings
  const podcasts = yield* Podcasts
  const uploads = yield* Uploads
  const parts = yield* UploadParts
  const hooks = yield* Webhooks
  const desk = yield* CreditDesk
  const purchases = yield* Purchases
  const questions = yield* Questions
  const quotes = yield* Quotes
  const keys = yield* Keys
  const apps = yield* GrantedApps
  const customers = yield* Customers
  const features = { translation: extras.canTranslate, autoReload: desk.canReload }

  const operations: Operations = {
    "transcriptions.create": ({ caller, body, context }) => jobs.create(caller.account, body, context),
    "transcriptions.list": ({ caller, query }) => fresh(jobs.list(caller.account, query)),
    "transcriptions.counts": ({ caller }) => fresh(jobs.counts(caller.account)),
    "transcriptions.get": ({ caller, path, query }) => fresh(jobs.get(caller.account, path.id, query)),
    "transcriptions.update": ({ caller, path, body }) => fresh(jobs.patch(caller.account, path.id, body)),
    "transcriptions.delete": ({ caller, path }) => nothing(jobs.remove(caller.account, path.id)),
    "transcriptions.cancel": ({ caller, path }) => fresh(jobs.cancel(caller.account, path.id)),
    "transcriptions.retry": ({ caller, path }) => fresh(jobs.retry(caller.account, path.id)),
    "transcriptions.exportLink": ({ caller, path, body }) =>
      fresh(links.create(caller.account, path.id, body)),
    "transcriptions.words": ({ caller, path }) => fresh(jobs.words(caller.account, path.id)),
    "transcriptions.mediaLink": ({ caller, path }) => fresh(recordings.link(caller.account, path.id)),
    "transcriptions.publish": ({ caller, path, body }) =>
      fresh(publications.publish(caller.account, path.id, body)),
    "transcriptions.publication": ({ caller, path }) => fresh(publications.get(caller.account, path.id)),
    "transcriptions.unpublish": ({ caller, path }) => nothing(publications.takeBack(caller.account, path.id)),
    "transcriptions.edit": ({ caller, path, body, context }) =>
      edits.edit(caller.account, path.id, body, context),
    "transcriptions.edits": ({ caller, path, query }) => fresh(edits.history(caller.account, path.id, query)),
    "transcriptions.undoEdit": ({ caller, path, context }) =>
      fresh(edits.undo(caller.account, path.id, path.revision, context)),
    "transcriptions.extras": ({ caller, path, body }) => fresh(extras.ask(caller.account, path.id, body)),
    "transcriptions.search": ({ caller, path, query }) => fresh(jobs.search(caller.account, path.id, query)),
    "transcriptions.searchAll": ({ caller, query }) => fresh(jobs.searchAll(caller.account, query)),
    "transcriptions.ask": ({ caller, path, body, context }) =>
      fresh(questions.ask(caller.account, path.id, body, context)),
    "transcriptions.askAll": ({ caller, body, context }) =>
      fresh(questions.askAll(caller.account, body, context)),
    "podcasts.episodes": ({ caller, query }) => fresh(podcasts.episodes(caller.account, query)),
    "podcasts.transcribe": ({ caller, body, context }) => podcasts.transcribe(caller.account, body, context),
    "podcasts.batches": ({ caller, query }) => fresh(podcasts.batches(caller.account, query)),
    "podcasts.batch": ({ caller, path }) => fresh(podcasts.batch(caller.account, path.id)),
    "podcasts.retryBatch": ({ caller, path }) => fresh(podcasts.retryBatch(caller.account, path.id)),
    "podcasts.cancelBatch": ({ caller, path }) => fresh(podcasts.cancelBatch(caller.account, path.id)),
    "uploads.create": ({ caller, body, context }) => uploads.create(caller.account, body, context),
    "uploads.parts": ({ caller, body }) => fresh(parts.list(caller.account, body.mediaRef)),
    "uploads.complete": ({ caller, body }) => fresh(parts.complete(caller.account, body.mediaRef)),
    "webhooks.create": ({ caller, body, context }) => hooks.create(caller.account, body, context),
    "webhooks.list": ({ caller, query }) => fresh(hooks.list(caller.account, query)),
    "webhooks.get": ({ caller, path }) => fresh(hooks.get(caller.account, path.id)),
    "webhooks.update": ({ caller, path, body }) => fresh(hooks.patch(caller.account, path.id, body)),
    "webhooks.delete": ({ caller, path }) => nothing(hooks.remove(caller.account, path.id)),
    "webhooks.rotateSecret": ({ caller, path, body }) => fresh(hooks.rotate(caller.account, path.id, body)),
    "webhooks.test": ({ caller, path }) => fresh(hooks.test(caller.account, path.id)),
    "webhooks.deliveries": ({ caller, path, query }) =>
      fresh(hooks.deliveries(caller.account, path.id, query)),
    "webhooks.delivery": ({ caller, path }) => fresh(hooks.delivery(caller.account, path.id, path.delivery)),
    "webhooks.redeliver": ({ caller, path }) =>
      fresh(hooks.redeliver(caller.account, path.id, path.delivery)),
    "credits.get": ({ caller }) => fresh(desk.get(caller.account)),
    "credits.entries": ({ caller, query }) => fresh(desk.entries(caller.account, query)),
    "credits.setAutoReload": ({ caller, body }) => fresh(desk.putAutoReload(caller.account, body)),
    "credits.purchase": ({ caller, body, context }) => purchases.begin(caller.account, body, context),
    "credits.purchases": ({ caller, query }) => fresh(purchases.list(caller.account, query)),
    "credits.getPurchase": ({ caller, path }) => fresh(purchases.get(caller.account, path.id)),
    "credits.cancelPurchase": ({ caller, path }) => fresh(purchases.cancel(caller.account, path.id)),
    "credits.quote": ({ caller, body }) => fresh(quotes.quote(caller.account, body)),
    "credits.usage": ({ caller, query }) => fresh(desk.usage(caller.account, query)),
    "keys.list": ({ caller, query }) => fresh(keys.list(caller.account, query)),
    "keys.create": ({ caller, body, context }) =>
      fresh(keys.createWith({ ...caller, isTest: context.isTest === true }, body)),
    "keys.update": ({ caller, path, body }) => fresh(keys.update(caller.account, path.id, body)),
    "keys.revoke": ({ caller, path }) => nothing(keys.revoke(caller.account, path.id)),
    "grants.list": ({ caller, query }) => fresh(apps.list(caller.account, query)),
    "grants.revoke": ({ caller, path }) => nothing(apps.revoke(caller.account, path.id)),
    "account.get": ({ caller, context }) =>
      fresh(
        Effect.map(customers.get(caller.account), (account) =>
          identityOf(account, { ...caller, isTest: context.isTest === true }, features),
        ),
      ),
  }
  return operations
})
