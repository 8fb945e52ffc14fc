import { Context, Duration, Effect, Layer } from "effect"
import { type ClaimedExtra, ExtraStore } from "../ports/ExtraStore.js"
import { Translator, Writer } from "../ports/Speech.js"
import * as Scripted from "../scripted/Scripted.js"
import { makeFinding } from "../useCases/finding.js"
import { makeExtra } from "../useCases/finishing.js"
import { labelledTranscript } from "../useCases/showJob.js"
import { runLoop } from "./runLoop.js"
import { steady } from "./steady.js"
import { WorkerConfig } from "./WorkerConfig.js"

const MOST_ATTEMPTS = 3
const BEATS_IN_LEASE = 3

const staff = Effect.all({ writer: Writer, translator: Translator })

/** Makes the extras that are asked for after a job is done. */
export class ExtraWork extends Context.Tag("@earmark/service/ExtraWork")<
  ExtraWork,
  {
    /** Works until it is interrupted; what is under way then is handed back. */
    readonly run: Effect.Effect<never>
  }
>() {
  static readonly layer = Layer.scoped(
    ExtraWork,
    Effect.gen(function* () {
      const store = yield* ExtraStore
      const config = yield* WorkerConfig
      const { keptContent } = yield* makeFinding
      const live = yield* staff
      const rehearsing = yield* Effect.provide(staff, yield* Layer.build(Scripted.staff))
      const leaseSeconds = Duration.toSeconds(config.lease)
      const pause = Duration.seconds(leaseSeconds / BEATS_IN_LEASE)

      const make = Effect.fnUntraced(function* ({ job, lease, attempt }: ClaimedExtra) {
        const { revision } = job
        if (attempt > MOST_ATTEMPTS) {
          const error = `The ${lease.name.kind} could not be made: the work on it broke off ${MOST_ATTEMPTS} times.`
          return { status: "failed", error, revision } as const
        }
        const content = yield* steady(keptContent(job))
        // For a job made with a test key nothing is asked that costs.
        const hands = job.isTest ? rehearsing : live
        return yield* makeExtra(lease.name, labelledTranscript(job, content), revision, hands)
      })

      /** Ends when the lease is lost: somebody else makes the extra then, or nobody wants it any more. */
      const beat = ({ lease }: ClaimedExtra) =>
        Effect.sleep(pause).pipe(
          Effect.zipRight(store.extend(lease, leaseSeconds)),
          Effect.repeat({ while: (isHeld) => isHeld }),
        )

      const work = Effect.fn("ExtraWork.make")(function* (claimed: ClaimedExtra) {
        const outcome = yield* Effect.raceFirst(make(claimed), Effect.as(beat(claimed), null))
        if (outcome !== null) yield* steady(store.finish(claimed.lease, outcome))
      })

      const attempt = (claimed: ClaimedExtra): Effect.Effect<void> =>
        work(claimed).pipe(
          Effect.catchAllCause((cause) => Effect.logWarning("An extra could not be made", cause)),
          Effect.onInterrupt(() => Effect.ignore(store.release(claimed.lease))),
          Effect.annotateLogs({ job: claimed.job.id, account: claimed.job.account }),
        )

      const run = runLoop({
        name: "The worker of extras",
        slots: config.slots,
        claim: (want) => store.claim({ want, leaseSeconds }),
        run: attempt,
        wakeUps: store.wakeUps,
        pollEvery: config.pollEvery,
        grace: config.grace,
        stopping: Effect.void,
      })

      return ExtraWork.of({ run })
    }),
  )
}
