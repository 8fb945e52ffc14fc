import { randomUUID } from "node:crypto"
import type { AccountId } from "@earmark/core/jobs"
import { makeMediaRef } from "@earmark/core/wire"
import {
  JobStore,
  type NewJob,
  recordingRef,
  type StoredJob,
  type StoredUpload,
  UploadStore,
} from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, createJob, newAccount, newGuard, now } from "./makers.js"
import { racing, refusal } from "./working.js"

const newUpload = (account: AccountId, seconds = 86_400, filename: string | null = "Grüße.mp3") =>
  Effect.gen(function* () {
    const mediaRef = makeMediaRef(account, randomUUID(), "audio/mpeg")
    const upload: StoredUpload = {
      mediaRef,
      account,
      filename,
      contentType: "audio/mpeg",
      bytes: 1234,
      state: "pending",
      etag: null,
      expiresAt: (yield* now) + seconds * 1000,
    }
    return upload
  })

const announce = (account: AccountId, seconds?: number) =>
  Effect.gen(function* () {
    const uploads = yield* UploadStore
    const upload = yield* newUpload(account, seconds)
    yield* uploads.create(upload, { guard: null })
    return upload
  })

const sweepAll = Effect.gen(function* () {
  const uploads = yield* UploadStore
  const swept: Array<string> = []
  for (;;) {
    const some = yield* uploads.sweep(500)
    if (some.length === 0) return swept
    swept.push(...some)
  }
})

export const uploadStoreCases: ReadonlyArray<StoreCase> = [
  promise(
    "an upload is known to its own account only, and not after its time",
    Effect.gen(function* () {
      const uploads = yield* UploadStore
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const upload = yield* announce(account, 100)
      assert.deepStrictEqual(yield* uploads.get(account, upload.mediaRef), upload)
      assert.strictEqual(yield* refusal(uploads.get(other, upload.mediaRef)), "MediaRefUnknown")
      assert.strictEqual(yield* refusal(uploads.get(account, `${upload.mediaRef}x`)), "MediaRefUnknown")
      yield* advance(100)
      assert.strictEqual(yield* refusal(uploads.get(account, upload.mediaRef)), "MediaRefUnknown")
      assert.isFalse(yield* uploads.markStored(upload.mediaRef, "late"))
    }),
  ),
  promise(
    "an upload keeps the name of its file, where it has one, whatever becomes of it",
    Effect.gen(function* () {
      const uploads = yield* UploadStore
      const account = yield* newAccount()
      for (const filename of ["A talk\t(\u{1f399}).mp3", "x".repeat(255), null]) {
        const upload = yield* newUpload(account, 100, filename)
        yield* uploads.create(upload, { guard: null })
        yield* uploads.markStored(upload.mediaRef, "e")
        yield* uploads.markUsed(upload.mediaRef)
        assert.strictEqual((yield* uploads.get(account, upload.mediaRef)).filename, filename)
      }
    }),
  ),
  promise(
    "bytes arrive once, whatever the number of racing arrivals",
    Effect.gen(function* () {
      const uploads = yield* UploadStore
      const account = yield* newAccount()
      const upload = yield* announce(account)
      const arrivals = yield* racing(10, (index) => uploads.markStored(upload.mediaRef, `etag${index}`))
      assert.strictEqual(arrivals.filter((first) => first).length, 1)
      const stored = yield* uploads.get(account, upload.mediaRef)
      assert.deepInclude(stored, { state: "stored", etag: `etag${arrivals.indexOf(true)}` })
      assert.isFalse(yield* uploads.markStored("uploads/unknown", "etag"))
    }),
  ),
  promise(
    "what nobody used in time is swept once; what is used stays",
    Effect.gen(function* () {
      const uploads = yield* UploadStore
      const account = yield* newAccount()
      const [pending, stored, used, young] = [
        yield* announce(account, 100),
        yield* announce(account, 100),
        yield* announce(account, 100),
        yield* announce(account, 1000),
      ]
      yield* uploads.markStored(stored.mediaRef, "e")
      yield* uploads.markStored(used.mediaRef, "e")
      yield* uploads.markUsed(used.mediaRef)
      assert.strictEqual((yield* uploads.get(account, used.mediaRef)).state, "used")
      yield* advance(100)
      const swept = yield* sweepAll
      const mine = [pending, stored, used, young].map(({ mediaRef }) => swept.includes(mediaRef))
      assert.deepStrictEqual(mine, [true, true, false, false])
      assert.deepStrictEqual(yield* sweepAll, [])
    }),
  ),
  promise(
    "what was kept of the sound of a job goes with the job, and with its retention",
    Effect.gen(function* () {
      const uploads = yield* UploadStore
      const store = yield* JobStore
      const account = yield* newAccount()
      const keep = (job: Pick<StoredJob, "account" | "id">) =>
        Effect.forEach(["copy", "waveform"] as const, (part) =>
          Effect.gen(function* () {
            const { key, contentType } = recordingRef(job, part)
            yield* uploads.create(
              { ...(yield* newUpload(account, 100)), mediaRef: key, contentType },
              { guard: null },
            )
            yield* uploads.markStored(key, "e")
            yield* uploads.markUsed(key)
            return key
          }),
        )
      const removed = yield* createJob(account)
      const expiring = yield* createJob(account, { expiresAt: (yield* now) + 200_000 })
      const staying = yield* createJob(account)
      const [first, second, third] = [yield* keep(removed), yield* keep(expiring), yield* keep(staying)]
      yield* advance(100)
      yield* sweepAll
      assert.isNull(yield* store.remove(account, removed.id))
      assert.includeMembers([...(yield* sweepAll)], [...first])
      yield* advance(101)
      yield* store.sweep(1000)
      const swept = yield* sweepAll
      assert.includeMembers([...swept], [...second])
      for (const key of third) assert.notInclude(swept, key)
    }),
  ),
  promise(
    "an upload stays as long as a job may need it, and is named and swept with the last one",
    Effect.gen(function* () {
      const uploads = yield* UploadStore
      const store = yield* JobStore
      const account = yield* newAccount()
      const { mediaRef } = yield* announce(account, 1_000_000)
      yield* uploads.markStored(mediaRef, "e")
      yield* uploads.markUsed(mediaRef)
      const source = { shown: { kind: "upload", mediaRef }, mediaUrl: null, link: null } as const
      const job = (given: Partial<NewJob> = {}) =>
        createJob(account, { source: { ...source, identity: mediaRef }, ...given })
      const jobs = yield* Effect.forEach(Array.from({ length: 5 }), () => job())
      const expiring = yield* job({ expiresAt: (yield* now) + 100_000 })
      const [last, ...others] = jobs
      if (last === undefined) return yield* Effect.die("five")
      const answers = yield* Effect.forEach(others, ({ id }) => store.remove(account, id))
      assert.deepStrictEqual(answers, [null, null, null, null])
      assert.notInclude(yield* sweepAll, mediaRef)
      assert.strictEqual((yield* uploads.get(account, mediaRef)).state, "used")
      const plain = yield* createJob(account)
      assert.isNull(yield* store.remove(account, plain.id))
      // One that is past its retention needs nothing any more.
      yield* advance(100)
      yield* store.sweep(1000)
      assert.notInclude(yield* sweepAll, mediaRef)
      assert.strictEqual(yield* store.remove(account, last.id), mediaRef)
      assert.strictEqual(yield* refusal(uploads.get(account, mediaRef)), "MediaRefUnknown")
      assert.include(yield* sweepAll, mediaRef)
      yield* store.remove(account, expiring.id)
    }),
  ),
  promise(
    "an upload whose jobs are removed at the same moment, or expire together, is not forgotten",
    Effect.gen(function* () {
      const uploads = yield* UploadStore
      const store = yield* JobStore
      const account = yield* newAccount()
      const used = Effect.gen(function* () {
        const { mediaRef } = yield* announce(account, 1_000_000)
        yield* uploads.markStored(mediaRef, "e")
        yield* uploads.markUsed(mediaRef)
        return mediaRef
      })
      const jobsOf = (mediaRef: string, given: Partial<NewJob> = {}) =>
        Effect.forEach(Array.from({ length: 6 }), () =>
          createJob(account, {
            source: { shown: { kind: "upload", mediaRef }, mediaUrl: null, link: null, identity: mediaRef },
            ...given,
          }),
        )
      const removed = yield* used
      const jobs = yield* jobsOf(removed)
      const answers = yield* racing(6, (index) => {
        const job = jobs[index]
        return job === undefined ? Effect.die("six") : store.remove(account, job.id)
      })
      assert.sameMembers(answers, [removed, null, null, null, null, null])
      const expired = yield* used
      yield* jobsOf(expired, { expiresAt: (yield* now) + 1000 })
      yield* advance(1)
      yield* store.sweep(1000)
      assert.includeMembers(yield* sweepAll, [removed, expired])
    }),
  ),
  promise(
    "a repeated announcement is answered with the first answer",
    Effect.gen(function* () {
      const uploads = yield* UploadStore
      const account = yield* newAccount()
      const guard = yield* newGuard()
      const [first, second] = [yield* newUpload(account), yield* newUpload(account)]
      assert.deepStrictEqual(yield* uploads.create(first, { guard }), { type: "done" })
      const replayed = yield* uploads.create(second, { guard: { ...guard, answer: "other" } })
      assert.deepStrictEqual(replayed, { type: "replayed", answer: guard.answer })
      assert.strictEqual(yield* refusal(uploads.get(account, second.mediaRef)), "MediaRefUnknown")
    }),
  ),
]
