import type { JobId } from "@earmark/core/jobs"
import { Context, Effect, Layer, PubSub, Stream } from "effect"

/**
 * Tells the workers of this process at once that a job is not wanted any more. Only a hint: workers elsewhere learn it from
 * their lease.
 */
export class Cancellations extends Context.Tag("@earmark/service/Cancellations")<
  Cancellations,
  {
    readonly announce: (job: JobId) => Effect.Effect<void>
    readonly heard: Stream.Stream<JobId>
  }
>() {
  static readonly layer = Layer.effect(
    Cancellations,
    Effect.map(PubSub.sliding<JobId>(1024), (hub) => ({
      announce: (job) => Effect.asVoid(PubSub.publish(hub, job)),
      heard: Stream.fromPubSub(hub),
    })),
  )
}
