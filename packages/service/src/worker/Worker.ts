import { type FailureCode, failureSentence, isRetryable } from "@earmark/core/jobs"
import { Cause, Context, Duration, Effect, Layer, Queue, Random } from "effect"
import { countEnd, countFailure } from "../observing/measure.js"
import { continueTrace } from "../observing/traces.js"
import { type Claimed, JobQueue, type Lease } from "../ports/JobQueue.js"
import { Reloads } from "../useCases/Reloads.js"
import { makeLeases } from "./Leases.js"
import { type AttemptFailed, makeRunJob } from "./runJob.js"
import { runLoop } from "./runLoop.js"
import { steady } from "./steady.js"
import { WorkerConfig } from "./WorkerConfig.js"
import { watchClaims } from "./watchClaims.js"

interface Verdict {
  readonly code: FailureCode
  readonly detail: string | null
  readonly transient: boolean
}

const ours: Verdict = { code: "internal_error", detail: null, transient: true }

/** What a failed attempt means for its job. Null: somebody else has the job, or the store will have to be asked later. */
const verdictOf = (error: AttemptFailed): Verdict | null => {
  switch (error._tag) {
    case "WorkFailed":
      return { code: error.code, detail: error.detail ?? null, transient: error.isTransient }
    case "SourceRefused":
      return { code: error.failure, detail: error.detail, transient: error.later }
    case "LeaseLost":
      return null
    case "StorageError":
      return error.isTransient ? null : ours
  }
}

const GIVEN_UP = "The work on a job was given up: it was canceled or removed, or another worker has it"

/** What is wrong with the job itself takes a line; of everything else all is told that is known. */
const logFailure = (verdict: Verdict | null, cause: Cause.Cause<AttemptFailed>) =>
  verdict === null || isRetryable(verdict.code)
    ? Effect.logWarning("An attempt at a job failed", cause)
    : Effect.logWarning(`A job failed (${verdict.code}): ${verdict.detail ?? failureSentence(verdict.code)}`)

/** Takes jobs up and brings them to their end. */
export class Worker extends Context.Tag("@earmark/service/Worker")<
  Worker,
  {
    /**
     * Works until it is interrupted. Then it claims nothing more, lets running jobs come to their next checkpoint, and hands
     * their leases back.
     */
    readonly run: Effect.Effect<never>
    /** What keeps this process from taking up jobs that are ready; null when nothing does. */
    readonly trouble: Effect.Effect<string | null>
  }
>() {
  static readonly layer = Layer.scoped(
    Worker,
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const reloads = yield* Reloads
      const config = yield* WorkerConfig
      const leases = yield* makeLeases
      const claims = watchClaims(queue)
      const runJob = yield* makeRunJob
      const spenders = yield* Queue.sliding<Claimed["job"]["account"]>(1000)

      const retryDelay = Effect.fnUntraced(function* (attempt: number) {
        const [first, ...more] = config.retryDelays
        const delay = [first, ...more][Math.min(attempt, more.length + 1) - 1] ?? first
        return Duration.toSeconds(delay) * (0.8 + 0.4 * (yield* Random.next))
      })

      /** Writes a failed attempt down. What cannot be written is set aside for an operator, or left to its lease. */
      const fail = Effect.fnUntraced(function* (lease: Lease, { code, detail, transient }: Verdict) {
        const retryInSeconds = transient ? yield* retryDelay(lease.attempt) : null
        yield* countFailure(code)
        yield* steady(queue.fail(lease, { code, detail, retryInSeconds })).pipe(
          Effect.tap((end) => (end === "failed" ? countEnd("failed", code) : Effect.void)),
          Effect.catchTag("LeaseLost", () => Effect.void),
          Effect.catchAllCause((cause) =>
            Effect.zipRight(
              Effect.logError("The end of a job cannot be written", cause),
              Effect.ignore(queue.bury(lease, `The end of the job (${code}) cannot be written`)),
            ),
          ),
        )
      })

      const afterFailure = (lease: Lease) => (cause: Cause.Cause<AttemptFailed>) =>
        Effect.gen(function* () {
          const failure = Cause.failureOption(cause)
          const verdict = failure._tag === "Some" ? verdictOf(failure.value) : ours
          const isLost = failure._tag === "Some" && failure.value._tag === "LeaseLost"
          yield* isLost ? Effect.logInfo(GIVEN_UP) : logFailure(verdict, cause)
          if (verdict !== null) yield* fail(lease, verdict)
        })

      // The next attempt may go on at once, and this one does not count.
      const handBack = (lease: Lease) => Effect.ignore(queue.release(lease))

      let isStopping = false

      /**
       * A stop never fails a job: whoever ends this process may have ended the programs that decode and hear as well, and what they
       * leave behind looks like bad media.
       */
      const afterCause = (lease: Lease) => (cause: Cause.Cause<AttemptFailed>) =>
        Effect.suspend(() => {
          if (isStopping) {
            const why = Cause.isInterruptedOnly(cause) ? Cause.empty : cause
            return Effect.zipRight(Effect.logInfo("A job is handed back", why), handBack(lease))
          }
          return Cause.isInterruptedOnly(cause) ? Effect.interrupt : afterFailure(lease)(cause)
        })

      const begin = (claimed: Claimed) =>
        Effect.suspend(() =>
          isStopping
            ? Effect.interrupt
            : leases.hold(claimed.lease, Effect.scoped(runJob(claimed, () => isStopping))),
        )

      const attempt = ({ lease, job }: Claimed): Effect.Effect<void> =>
        begin({ lease, job }).pipe(
          continueTrace(job.source.trace),
          Effect.tap((end) => (end === "done" ? countEnd("done", "") : Effect.void)),
          Effect.zipLeft(Queue.offer(spenders, job.account)),
          Effect.catchAllCause(afterCause(lease)),
          Effect.onInterrupt(() => handBack(lease)),
          Effect.annotateLogs({ job: job.id, account: job.account, attempt: lease.attempt }),
          Effect.asVoid,
        )

      const consider = Effect.gen(function* () {
        const account = yield* Queue.take(spenders)
        yield* reloads
          .consider(account)
          .pipe(
            Effect.catchAllCause((cause) => Effect.logWarning("Auto-reload could not be looked at", cause)),
          )
      }).pipe(Effect.forever)
      yield* Effect.forkScoped(consider)

      const work = runLoop({
        name: "The worker",
        slots: config.slots,
        claim: (want) =>
          claims.noted(
            queue.claim({
              worker: config.worker,
              want,
              cap: config.accountConcurrency,
              leaseSeconds: Duration.toSeconds(config.lease),
            }),
          ),
        run: attempt,
        wakeUps: queue.wakeUps,
        pollEvery: config.pollEvery,
        grace: config.grace,
        stopping: Effect.sync(() => {
          isStopping = true
        }),
      })

      const run = Effect.suspend(() => {
        isStopping = false
        return Effect.zipRight(Effect.forkScoped(claims.run), work)
      }).pipe(Effect.scoped)

      return Worker.of({ run, trouble: claims.trouble })
    }),
  )
}
