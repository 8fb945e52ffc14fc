/** What is kept of the sound of a job: made by the worker, and gone with the job. */
import type { AccountId } from "@earmark/core/jobs"
import {
  JobStore,
  ObjectStore,
  Recordings,
  recordingRef,
  Transcriptions,
  Upkeep,
  UploadStore,
} from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, Stream, TestClock } from "effect"
import { create, inWorld, newAccount, pass, refusal, stored, withWorker } from "../world.js"

const LINK = "https://a.example/talk.mp3?seconds=30&recorded"

/** What upkeep does after so long, without the many times in between. */
const later = (duration: Duration.DurationInput) =>
  Effect.flatMap(Upkeep, (upkeep) => Effect.zipRight(TestClock.adjust(duration), upkeep.once))

const isThere = (account: AccountId, id: string) =>
  Effect.gen(function* () {
    const objects = yield* ObjectStore
    const { id: job } = yield* stored(account, id)
    const parts = [recordingRef({ account, id: job }, "copy"), recordingRef({ account, id: job }, "waveform")]
    return Effect.forEach(parts, ({ key }) => Effect.map(objects.head(key), (object) => object !== null))
  })

const recorded = (account: AccountId, more: object = {}, link = LINK) =>
  Effect.gen(function* () {
    const { id } = yield* create(account, { url: link, ...more })
    yield* withWorker(pass("1 minute"))
    assert.strictEqual((yield* stored(account, id)).state.status, "done")
    return { id, there: yield* isThere(account, id) }
  })

describe("the recording of a job", () => {
  it.effect("is kept however long the job stays, and goes with it", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const recordings = yield* Recordings
      const { id, there } = yield* recorded(account)
      assert.deepStrictEqual(yield* there, [true, true])
      yield* later("60 days")
      assert.deepStrictEqual(yield* there, [true, true])
      const link = yield* recordings.link(account, id)
      assert.deepInclude(link, { contentType: "audio/mp4", bytes: LINK.length, exactSeek: true })
      const { pathname, search } = new URL(link.url)
      const opened = yield* recordings.open(`${pathname}${search}`)
      const bytes = yield* Stream.runCollect(opened.read(0, opened.bytes))
      assert.strictEqual(Buffer.concat([...bytes]).toString(), LINK)
      assert.lengthOf(yield* recordings.waveform(account, id, { points: 600 }), 600)
      yield* (yield* Transcriptions).remove(account, id)
      assert.strictEqual(yield* refusal(recordings.open(`${pathname}${search}`)), "JobNotFound")
      yield* later("1 minute")
      assert.deepStrictEqual(yield* there, [false, false])
    }).pipe(inWorld()),
  )

  it.effect("goes at the end of the retention of its job", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id, there } = yield* recorded(account, { delete_after_seconds: 3600 })
      assert.deepStrictEqual(yield* there, [true, true])
      yield* later("2 hours")
      assert.deepStrictEqual(yield* there, [false, false])
      const recordings = yield* Recordings
      assert.strictEqual(yield* refusal(recordings.link(account, id)), "JobExpired")
      assert.strictEqual(yield* refusal(recordings.waveform(account, id, { points: 1 })), "JobExpired")
    }).pipe(inWorld()),
  )

  it.effect("is not kept for a job that was deleted while its copy was written", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const objects = yield* ObjectStore
      const uploads = yield* UploadStore
      const jobs = yield* JobStore
      const { id } = yield* create(account, { url: LINK })
      const job = yield* stored(account, id)
      const { key, contentType } = recordingRef(job, "copy")
      // A worker that was killed when the copy was there, and before anything else.
      const expiresAt = 86_400_000
      yield* uploads.create(
        {
          mediaRef: key,
          account,
          filename: null,
          contentType,
          bytes: 1,
          state: "pending",
          etag: null,
          expiresAt,
        },
        { guard: null },
      )
      yield* objects.put({ key, contentType, bytes: 1 }, Stream.make(Uint8Array.of(1)))
      yield* jobs.remove(account, job.id)
      yield* later("1 minute")
      assert.isNull(yield* objects.head(key))
    }).pipe(inWorld()),
  )

  it.effect("of an attempt that never came to its end goes within a day", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id } = yield* create(account, { url: `${LINK}&broken=unsupported_media` })
      yield* withWorker(pass("10 minutes"))
      const job = yield* stored(account, id)
      assert.strictEqual(job.state.status, "failed")
      const objects = yield* ObjectStore
      const uploads = yield* UploadStore
      const { key, contentType } = recordingRef(job, "copy")
      const expiresAt = 86_400_000
      yield* uploads.create(
        {
          mediaRef: key,
          account,
          filename: null,
          contentType,
          bytes: 1,
          state: "pending",
          etag: null,
          expiresAt,
        },
        { guard: null },
      )
      yield* objects.put({ key, contentType, bytes: 1 }, Stream.make(Uint8Array.of(1)))
      yield* later("2 hours")
      assert.isNotNull(yield* objects.head(key))
      yield* later("1 day")
      assert.isNull(yield* objects.head(key))
    }).pipe(inWorld()),
  )

  it.effect("has no copy where the setting says so", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { there } = yield* recorded(account)
      assert.deepStrictEqual(yield* there, [false, true])
    }).pipe(inWorld({ worker: { listeningCopy: "off" } })),
  )
})
