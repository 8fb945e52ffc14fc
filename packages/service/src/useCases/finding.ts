import { EditRefused, newestTranscript } from "@earmark/core/edits"
import { type AccountId, JobExpired, JobId, JobNotFound, parseId } from "@earmark/core/jobs"
import { Clock, DateTime, Effect, Either } from "effect"
import { EditStore } from "../ports/EditStore.js"
import { ExtraStore } from "../ports/ExtraStore.js"
import { JobStore } from "../ports/JobStore.js"
import type { StoredJob } from "../ports/records.js"
import type { StorageError } from "../ports/StorageError.js"
import { correctedContent, firstTranslation, hasLaterExtras, withExtras } from "./laterExtras.js"
import { TranscriptNotReady } from "./refusals.js"
import { labelledTranscript } from "./showJob.js"

export type Unknown = JobNotFound | StorageError
export type Unreadable = Unknown | JobExpired

const jobId = parseId(JobId)

/** What is past its retention is nobody's to read, also until it has been swept. */
export const isOver = ({ expiresAt }: StoredJob, now: number): boolean =>
  expiresAt !== null && expiresAt <= now

/** A moment of a filter, as stores compare it. */
export const millisOf = (moment: DateTime.Utc | undefined): number | undefined =>
  moment === undefined ? undefined : DateTime.toEpochMillis(moment)

/** A job as it was at a revision; as it is now where none is named. */
export const jobAt = (
  job: StoredJob,
  revision: number = job.revision,
): Either.Either<StoredJob, EditRefused> =>
  revision <= job.revision
    ? Either.right({ ...job, revision })
    : Either.left(
        new EditRefused({
          reason: "unknown_revision",
          operation: null,
          detail: `The transcript has no revision ${revision}; the newest is ${job.revision}.`,
        }),
      )

/** Jobs by whatever was given as their id, and what they hold. */
export const makeFinding = Effect.gen(function* () {
  const jobs = yield* JobStore
  const edits = yield* EditStore
  const extras = yield* ExtraStore

  const idOf = (text: string) => Either.mapLeft(jobId(text), () => new JobNotFound({ id: text.slice(0, 64) }))

  const find = (account: AccountId, text: string): Effect.Effect<StoredJob, Unknown> => {
    const id = idOf(text)
    return Either.isRight(id) ? jobs.get(account, id.right) : Effect.fail(id.left)
  }

  /** What was heard. */
  const heardContent = Effect.fnUntraced(function* (job: StoredJob) {
    const isGone = isOver(job, yield* Clock.currentTimeMillis)
    const content = isGone ? null : yield* jobs.content(job.account, job.id)
    return content ?? (yield* new JobExpired({ id: job.id }))
  })

  /** Extras that were asked for after the job was done. */
  const madeFor = (job: StoredJob) =>
    hasLaterExtras(job.enrichment) ? extras.made(job.account, job.id) : Effect.succeed([])

  /** The transcript of a job at the revision that it has, with all of its extras. */
  const keptContent = Effect.fnUntraced(function* (job: StoredJob) {
    const heard = yield* heardContent(job)
    const made = yield* madeFor(job)
    const newest = Math.max(job.revision, ...made.map(({ revision }) => revision))
    const revisions = newest === 0 ? [] : yield* edits.first(job.account, job.id, newest)
    // They go with the content.
    if (revisions.length < job.revision) return yield* new JobExpired({ id: job.id })
    const linesOf = new Map([[0, heard.segments]])
    for (const revision of new Set([job.revision, ...made.map((extra) => extra.revision)])) {
      if (revision === 0) continue
      // Each of them was applied before it was stored.
      const { segments } = yield* Effect.orDie(
        newestTranscript(
          labelledTranscript(job, heard),
          revisions.slice(0, revision).map(({ change }) => change),
        ),
      )
      linesOf.set(revision, segments)
    }
    const linesAt = (revision: number) => linesOf.get(revision) ?? heard.segments
    const newestContent = job.revision === 0 ? heard : correctedContent(heard, linesAt(job.revision))
    return made.length === 0 ? newestContent : withExtras(newestContent, made, linesAt, firstTranslation(job))
  })

  const contentOf = Effect.fnUntraced(function* (job: StoredJob) {
    if (job.state.status !== "done") return yield* new TranscriptNotReady({ status: job.state.status })
    return yield* keptContent(job)
  })

  return { idOf, find, heardContent, keptContent, contentOf }
})
