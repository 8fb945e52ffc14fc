/** The whole service over its ports, as layers. */
import { Effect, Layer } from "effect"
import { Administration } from "./administration/Administration.js"
import { GrantedApps } from "./signIn/GrantedApps.js"
import { AccountEvents } from "./useCases/AccountEvents.js"
import { Cancellations } from "./useCases/Cancellations.js"
import { CreditDesk } from "./useCases/CreditDesk.js"
import { Customers } from "./useCases/Customers.js"
import { Edits } from "./useCases/Edits.js"
import { ExportArchives } from "./useCases/ExportArchives.js"
import { ExportLinks } from "./useCases/ExportLinks.js"
import { Extras } from "./useCases/Extras.js"
import { Following } from "./useCases/Following.js"
import { JobWatch } from "./useCases/JobWatch.js"
import { Keys } from "./useCases/Keys.js"
import { PaymentNotices } from "./useCases/PaymentNotices.js"
import { Podcasts } from "./useCases/Podcasts.js"
import { Publications } from "./useCases/Publications.js"
import { Purchases } from "./useCases/Purchases.js"
import { Questions } from "./useCases/Questions.js"
import { Quotes } from "./useCases/Quotes.js"
import { Recordings } from "./useCases/Recordings.js"
import { Reloads } from "./useCases/Reloads.js"
import { Transcriptions } from "./useCases/Transcriptions.js"
import { UploadParts } from "./useCases/UploadParts.js"
import { Uploads } from "./useCases/Uploads.js"
import { Webhooks } from "./useCases/Webhooks.js"
import { Deliveries } from "./worker/Deliveries.js"
import { ExtraWork } from "./worker/ExtraWork.js"
import { Upkeep } from "./worker/Upkeep.js"
import { Worker } from "./worker/Worker.js"

const shared = Layer.mergeAll(Reloads.layer, PaymentNotices.layer).pipe(
  Layer.provideMerge(Cancellations.layer),
)

/** Every use case. Needs the stores, the ports to the world, the secrets and the settings. */
export const useCases = Layer.mergeAll(
  Layer.provideMerge(
    Layer.mergeAll(ExportArchives.layer, ExportLinks.layer, Publications.layer),
    Transcriptions.layer,
  ).pipe(
    Layer.merge(Following.layer),
    // One look for all who wait.
    Layer.provide(JobWatch.layer),
  ),
  AccountEvents.layer,
  Edits.layer,
  Extras.layer,
  Podcasts.layer,
  Uploads.layer,
  UploadParts.layer,
  Questions.layer,
  Quotes.layer,
  Recordings.layer,
  CreditDesk.layer,
  Purchases.layer,
  Keys.layer,
  GrantedApps.layer,
  Webhooks.layer,
  Customers.layer,
).pipe(Layer.provideMerge(shared))

/** What the operator does. Needs stores, payments, secrets and settings; no media and no engine. */
export const administration = Administration.layer.pipe(
  Layer.provide(
    Layer.mergeAll(Customers.layer, Keys.layer, GrantedApps.layer, CreditDesk.layer, Purchases.layer),
  ),
  Layer.provide(Reloads.layer),
)

/** The loops, not running yet. */
export const loops = Layer.mergeAll(Worker.layer, ExtraWork.layer, Deliveries.layer, Upkeep.layer).pipe(
  Layer.provideMerge(shared),
)

/** Runs the loops until it is interrupted: jobs, extras, deliveries and upkeep, which then come to their end side by side. */
export const work = Effect.gen(function* () {
  const worker = yield* Worker
  const extras = yield* ExtraWork
  const deliveries = yield* Deliveries
  const upkeep = yield* Upkeep
  const all = [worker.run, extras.run, deliveries.run, upkeep.run]
  return yield* Effect.zipRight(Effect.all(all, { concurrency: "unbounded", discard: true }), Effect.never)
})

/** Works for as long as the layer lives. When it ends, running jobs are handed back. */
export const workers = Layer.provide(Layer.scopedDiscard(Effect.forkScoped(work)), loops)
