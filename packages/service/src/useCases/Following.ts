import {
  type AccountId,
  type FollowPlace,
  firstPlace,
  followFinished,
  followSpans,
  fromFirstSpan,
  isSamePlan,
  JobId,
  JobNotFound,
  parseId,
  spansAfter,
} from "@earmark/core/jobs"
import { type JobUpdate, transcriptionPath } from "@earmark/core/wire"
import { Chunk, Clock, Context, Effect, Layer, Option, Stream } from "effect"
import { JobQueue } from "../ports/JobQueue.js"
import { JobStore, type Standing } from "../ports/JobStore.js"
import type { StoredJob } from "../ports/records.js"
import type { StorageError } from "../ports/StorageError.js"
import { isOver } from "./finding.js"
import { JobWatch } from "./JobWatch.js"

/** What happened to a job, and the place of whoever was told. */
export type Update = JobUpdate & { readonly place: FollowPlace }

interface Follower {
  readonly job: StoredJob
  readonly place: FollowPlace
  /** Of the progress that was told last. */
  readonly shown: string | null
  /** Where the job stood when it was last read; null before the first look. */
  readonly known: Standing | null
}

type Unknown = JobNotFound | StorageError

const endOf = ({ id, state }: StoredJob, place: FollowPlace): Update => {
  const status = state.status === "done" ? "done" : "failed"
  const failure = state.status === "failed" ? { code: state.code } : null
  return {
    event: status,
    data: { id, status, url: transcriptionPath(id), failure },
    place: { ...place, stage: "end" },
  }
}

const goneOf = ({ id }: StoredJob, place: FollowPlace): Update => ({
  event: "failed",
  data: { id, status: "failed", url: transcriptionPath(id), failure: { code: "canceled" } },
  place: { ...place, stage: "end" },
})

const linesOf = ({ lines }: ReturnType<typeof followSpans>): ReadonlyArray<Update> =>
  lines.map(({ line: { start, end, speaker, text }, index, place }) => ({
    event: "segment",
    data: { index, start, end, speaker, text },
    place,
  }))

/** Jobs as they are worked on. All of it is derived from what is stored, so that it goes on after any break, in any process. */
export class Following extends Context.Tag("@earmark/service/Following")<
  Following,
  {
    /**
     * Everything about a job that was not told up to a place (all of it without one): its progress, each line as soon as it is recognised,
     * and how it ended, with which the stream ends. Null: the end itself was told already. A job that is deleted ends as canceled.
     */
    readonly follow: (
      account: AccountId,
      id: string,
      after: FollowPlace | null,
    ) => Effect.Effect<Stream.Stream<Update, StorageError> | null, Unknown>
  }
>() {
  static readonly layer = Layer.effect(
    Following,
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const queue = yield* JobQueue
      const watch = yield* JobWatch

      const heard = Effect.fnUntraced(function* (job: JobId, place: FollowPlace) {
        const spans = yield* queue.spans(job, spansAfter(place))
        if (isSamePlan(place, spans)) return followSpans(place, spans)
        // Between two plans there may be none at all.
        const all = yield* queue.spans(job, -1)
        return all.length === 0 ? { lines: [], place } : followSpans(fromFirstSpan(place), all)
      })

      const written = Effect.fnUntraced(function* (job: StoredJob, place: FollowPlace) {
        const isThere = job.state.status === "done" && !isOver(job, yield* Clock.currentTimeMillis)
        const content = isThere ? yield* jobs.content(job.account, job.id) : null
        return content === null ? { lines: [], place } : followFinished(place, content.segments)
      })

      const tell = Effect.fnUntraced(function* (follower: Follower) {
        const { job, shown } = follower
        const { run, status } = job.state
        const place = follower.place.run === run ? follower.place : firstPlace(run)
        if (status !== "queued") {
          const last = yield* written(job, place)
          return { updates: [...linesOf(last), endOf(job, last.place)], follower: null }
        }
        const { phase, progress } = job.state
        const showing = `${run} ${phase} ${progress}`
        const news: ReadonlyArray<Update> =
          showing === shown ? [] : [{ event: "progress", data: { phase, progress }, place }]
        const more = yield* heard(job.id, place)
        const next: Follower = { ...follower, place: more.place, shown: showing }
        return { updates: [...news, ...linesOf(more)], follower: next }
      })

      const gone = ({ job, place }: Follower) => ({ updates: [goneOf(job, place)], follower: null })

      /** Waits until the job stands elsewhere than where it was read, and reads it again. */
      const step = Effect.fnUntraced(function* (follower: Follower, isFirst: boolean) {
        if (isFirst) return yield* tell(follower)
        const { job, known } = follower
        const standing = yield* watch.until(
          job.id,
          (now) => now === null || now.version !== known?.version || now.spans !== known.spans,
        )
        if (standing === null) return gone(follower)
        const read = yield* jobs.get(job.account, job.id)
        return yield* tell({ ...follower, job: read, known: standing })
      })

      const follow = Effect.fn("Following.follow")(function* (
        account: AccountId,
        text: string,
        after: FollowPlace | null,
      ) {
        const id = yield* Effect.mapError(
          parseId(JobId)(text),
          () => new JobNotFound({ id: text.slice(0, 64) }),
        )
        const job = yield* jobs.get(account, id)
        const { run, status } = job.state
        if (status !== "queued" && after?.run === run && after.stage === "end") return null
        const first: Follower = { job, place: after ?? firstPlace(run), shown: null, known: null }
        return Stream.paginateChunkEffect({ follower: first, isFirst: true }, ({ follower, isFirst }) =>
          step(follower, isFirst).pipe(
            Effect.catchTag("JobNotFound", () => Effect.succeed(gone(follower))),
            Effect.map(({ updates, follower: next }) => [
              Chunk.fromIterable(updates),
              next === null ? Option.none() : Option.some({ follower: next, isFirst: false }),
            ]),
          ),
        )
      })

      return Following.of({ follow })
    }),
  )
}
