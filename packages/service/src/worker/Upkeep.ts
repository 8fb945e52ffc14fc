import { Context, Duration, Effect, Layer, Random } from "effect"
import { JobQueue } from "../ports/JobQueue.js"
import { JobStore } from "../ports/JobStore.js"
import { OAuthRecords } from "../ports/OAuthRecords.js"
import { ObjectStore, UploadStore } from "../ports/Uploads.js"
import { WebhookStore } from "../ports/WebhookStore.js"
import { PaymentNotices } from "../useCases/PaymentNotices.js"
import { Reloads } from "../useCases/Reloads.js"
import { ServiceConfig } from "../useCases/ServiceConfig.js"
import { DeliveryConfig } from "./DeliveryConfig.js"
import { WorkerConfig } from "./WorkerConfig.js"

const BATCH = 500
const RELOADS = 20
const PURCHASES = 20
const REAPED = 100

/** What has to be done from time to time by any process: every task can run anywhere, twice and at once. */
export class Upkeep extends Context.Tag("@earmark/service/Upkeep")<
  Upkeep,
  {
    /** Everything once: expired leases come back, due charges are made, what is past its time goes. */
    readonly once: Effect.Effect<void>
    readonly run: Effect.Effect<never>
  }
>() {
  static readonly layer = Layer.effect(
    Upkeep,
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const jobs = yield* JobStore
      const webhooks = yield* WebhookStore
      const uploads = yield* UploadStore
      const records = yield* OAuthRecords
      const objects = yield* ObjectStore
      const reloads = yield* Reloads
      const notices = yield* PaymentNotices
      const { backoff } = yield* DeliveryConfig
      const { upkeepEvery } = yield* WorkerConfig
      const { billing } = yield* ServiceConfig

      const sweepUploads = Effect.gen(function* () {
        const references = yield* uploads.sweep(BATCH)
        yield* Effect.forEach(references, (reference) => objects.remove(reference), { discard: true })
        return references.length
      })

      const reapDeliveries = Effect.flatMap(Random.next, (random) =>
        webhooks.reapExpired(REAPED, { backoff, random }),
      )

      const tasks = {
        "expired leases": queue.reapExpired(REAPED),
        // They were parked when jobs still cost something.
        ...(!billing && { "jobs that wait for credits": queue.wakeAll(BATCH) }),
        "lost deliveries": reapDeliveries,
        "auto-reload": reloads.chargeDue(RELOADS),
        "purchases without a notice": notices.askAfter(PURCHASES),
        "ended jobs": jobs.sweep(BATCH),
        "old attempts": webhooks.sweep(BATCH),
        "unused uploads": sweepUploads,
        "expired sign-ins": records.sweep(BATCH),
      }

      // One task that fails keeps none of the others from being done.
      const once = Effect.forEach(
        Object.entries(tasks),
        ([name, task]) =>
          Effect.catchAllCause(task, (cause) => Effect.logError(`Upkeep failed: ${name}`, cause)),
        { discard: true },
      )

      const run = Effect.gen(function* () {
        for (;;) {
          yield* once
          const spread = 0.8 + 0.4 * (yield* Random.next)
          yield* Effect.sleep(Duration.times(upkeepEvery, spread))
        }
      })

      return Upkeep.of({ once, run })
    }),
  )
}
