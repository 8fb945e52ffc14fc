import { randomUUID } from "node:crypto"
import { type AccountId, makeMediaRef } from "@earmark/core/jobs"
import { type StoredUpload, UploadStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, newAccount, newGuard, now } from "./makers.js"
import { racing, refusal } from "./working.js"

const newUpload = (account: AccountId, seconds = 86_400) =>
  Effect.gen(function* () {
    const mediaRef = makeMediaRef(account, randomUUID(), "audio/mpeg")
    const upload: StoredUpload = {
      mediaRef,
      account,
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
