import { JobQueue, RateLimiter } from "@earmark/service"
import {
  type Backend,
  jobQueueCases,
  rateLimiterCases,
  type StoreClock,
  withClock,
} from "@earmark/testkit/contracts"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Logger, LogLevel } from "effect"
import { because } from "../../../test/servers/because.js"
import { limiter, memory, redisMissing, withRedis } from "./backends.js"

/** One suite notices what is broken, by the case whose name begins so. */
const caught = <Ports>(
  what: string,
  backend: Backend<Ports, StoreClock>,
  cases: ReadonlyArray<{
    readonly name: string
    readonly run: Effect.Effect<void, never, Ports | StoreClock>
  }>,
  ...beginnings: ReadonlyArray<string>
) => {
  it.live(
    what,
    () =>
      Effect.gen(function* () {
        for (const beginning of beginnings) {
          const found = cases.find(({ name }) => name.startsWith(beginning))
          if (found === undefined) return yield* Effect.dieMessage(`there is no case ${beginning}`)
          const exit = yield* Effect.timeout(found.run, "10 seconds").pipe(
            Effect.provide(withClock(backend)),
            Effect.exit,
          )
          if (Exit.isSuccess(exit)) return assert.fail(`not caught by: ${beginning}`)
          // Caught by what the case says, not by a mistake of this file.
          assert.notMatch(Cause.pretty(exit.cause), /ReferenceError|TypeError|there is no case/)
        }
      }).pipe(Logger.withMinimumLogLevel(LogLevel.None)),
    60_000,
  )
}

const brokenQueue = (change: (queue: JobQueue["Type"]) => Partial<JobQueue["Type"]>) =>
  withRedis(memory(), (queue) =>
    Layer.provide(
      Layer.effect(
        JobQueue,
        Effect.map(JobQueue, (port) => ({ ...port, ...change(port) })),
      ),
      queue,
    ),
  )

const brokenLimiter = (change: (limiter: RateLimiter["Type"]) => RateLimiter["Type"]) => {
  const sound = limiter()
  const layer = Layer.map(sound.layer, (context) =>
    Context.add(context, RateLimiter, change(Context.get(context, RateLimiter))),
  )
  return { ...sound, layer }
}

describe.skipIf(redisMissing !== null)(`the suites notice a broken layer${because(redisMissing)}`, () => {
  caught(
    "turns that forget the cap",
    brokenQueue(({ claim }) => ({ claim: (options) => claim({ ...options, cap: 1_000_000 }) })),
    jobQueueCases,
    "with eight racing claimers",
    "an ended job makes room under the cap",
  )
  caught(
    "turns that never come",
    brokenQueue(() => ({ claim: () => Effect.succeed([]) })),
    jobQueueCases,
    "a claim takes no more than is wanted",
  )
  caught(
    "a worker that takes more than it wants",
    brokenQueue(({ claim }) => ({ claim: (options) => claim({ ...options, want: options.want + 1 }) })),
    jobQueueCases,
    "a claim takes no more than is wanted",
  )
  caught(
    "leases of another than the claimer",
    brokenQueue(({ claim }) => ({
      claim: (options) =>
        Effect.map(claim(options), (claimed) =>
          claimed.map(({ job, lease }) => ({ job, lease: { ...lease, token: "other" } })),
        ),
    })),
    jobQueueCases,
    "a released job is ready at once",
  )

  caught(
    "a limiter with one bucket for all",
    brokenLimiter(({ take }) => ({ take: (_, policy) => take("all", policy) })),
    rateLimiterCases,
    "buckets do not know each other",
  )
  caught(
    "a limiter that lets one more pass",
    brokenLimiter(({ take }) => ({
      take: (bucket, policy) => take(bucket, { ...policy, burst: policy.burst + 1 }),
    })),
    rateLimiterCases,
    "of any number of racing calls",
  )
  caught(
    "a limiter that never gives back",
    brokenLimiter(({ take }) => ({ take: (bucket, policy) => take(bucket, { ...policy, limit: 0.0001 }) })),
    rateLimiterCases,
    "what is used up comes back",
  )
  caught(
    "a limiter that does not say when to come again",
    brokenLimiter(({ take }) => ({
      take: (bucket, policy) =>
        Effect.map(take(bucket, policy), (taken) => ({ ...taken, retryAfterSeconds: 0 })),
    })),
    rateLimiterCases,
    "each answer says what is left",
  )
})
