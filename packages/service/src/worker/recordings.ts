import { JobExpired } from "@earmark/core/jobs"
import { UNUSED_UPLOAD_SECONDS } from "@earmark/core/wire"
import { Clock, Effect, Stream } from "effect"
import { JobStore } from "../ports/JobStore.js"
import { type RecordingPart, recordingRef } from "../ports/recordings.js"
import type { StoredJob } from "../ports/records.js"
import type { Recording } from "../ports/Speech.js"
import { ObjectStore, UploadStore } from "../ports/Uploads.js"

type Job = Pick<StoredJob, "id" | "account">

/**
 * Keeps the recording of a job beside its transcript. What is kept is entered as an upload that nobody uses yet, so that what a killed
 * worker leaves is swept within a day; once the job is done it stays as long as the job. A failure costs the recording and nothing else.
 */
export const makeRecordings = Effect.gen(function* () {
  const jobs = yield* JobStore
  const uploads = yield* UploadStore
  const objects = yield* ObjectStore

  const put = Effect.fnUntraced(function* <E>(
    job: Job,
    part: RecordingPart,
    bytes: number,
    body: Stream.Stream<Uint8Array, E>,
  ) {
    const { key, contentType } = recordingRef(job, part)
    const expiresAt = (yield* Clock.currentTimeMillis) + UNUSED_UPLOAD_SECONDS * 1000
    const { account } = job
    yield* uploads.create(
      { mediaRef: key, account, filename: null, contentType, bytes, state: "pending", etag: null, expiresAt },
      { guard: null },
    )
    // Of an earlier attempt, whose media may have been another one.
    yield* objects.remove(key)
    const etag = yield* objects.put({ key, contentType, bytes }, body)
    yield* uploads.markStored(key, etag)
    // Taken away meanwhile, with its job.
    yield* Effect.tapError(uploads.get(account, key), () => objects.remove(key))
  })

  const keep = Effect.fnUntraced(
    function* (job: Job, { copy, waveform }: Recording) {
      if (waveform.length > 0) yield* put(job, "waveform", waveform.length, Stream.make(waveform))
      if (copy !== null) yield* put(job, "copy", copy.bytes, copy.read)
    },
    Effect.catchAllCause((cause) => Effect.logWarning("The recording of a job was not kept", cause)),
  )

  const find = Effect.fnUntraced(function* ({ account, id }: Job) {
    const job = yield* jobs.get(account, id)
    if (job.state.status !== "queued" && job.state.expired) return yield* new JobExpired({ id })
    return job
  })

  /** Lets what was kept stay as long as the job, which is done. */
  const settle = Effect.fnUntraced(
    function* (job: Job) {
      const keys = (["copy", "waveform"] as const).map((part) => recordingRef(job, part).key)
      yield* Effect.forEach(keys, (key) => uploads.markUsed(key), { discard: true })
      yield* Effect.tapError(find(job), () => Effect.forEach(keys, (key) => objects.remove(key)))
    },
    Effect.catchAllCause((cause) => Effect.logWarning("The recording of a job may be lost", cause)),
  )

  return { keep, settle }
})
