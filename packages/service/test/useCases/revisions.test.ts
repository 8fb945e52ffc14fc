import { randomBytes } from "node:crypto"
import type { EditOperation } from "@earmark/core/edits"
import { ID_RANDOM_BYTES, KeyId, makeId } from "@earmark/core/jobs"
import { parseIdempotencyKey } from "@earmark/core/requests"
import { Edits } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { create, get, inWorld, newAccount, refusal, stored } from "../world.js"
import { correct, edit, read, transcribed } from "./corrections.js"

const world = inWorld()

describe("corrections", () => {
  it.effect("are listed newest first, page by page, with the key of each", () =>
    Effect.gen(function* () {
      const edits = yield* Edits
      const account = yield* newAccount()
      const id = yield* transcribed(account)
      const key = KeyId.make(makeId("key", 0, randomBytes(ID_RANDOM_BYTES)))
      yield* edits.edit(account, id, { baseRevision: 0, operations: [correct] }, { key })
      yield* edits.undo(account, id, "1")
      yield* edit(account, id, 2, correct, { type: "merge", line: 1 })
      const first = yield* edits.history(account, id, { limit: 2 })
      assert.deepStrictEqual(
        first.data.map(({ revision, operations, undoes, madeBy }) => [revision, operations, undoes, madeBy]),
        [
          [3, 2, null, null],
          [2, 0, 1, null],
        ],
      )
      assert.deepStrictEqual(
        first.data.map(({ changes }) => changes),
        [
          [
            { type: "text", line: 0 },
            { type: "merge", line: 1 },
          ],
          [],
        ],
      )
      const second = yield* edits.history(account, id, { limit: 2, cursor: first.nextCursor ?? "" })
      assert.deepStrictEqual(
        second.data.map(({ revision, madeBy }) => [revision, madeBy]),
        [[1, { keyId: key, name: null }]],
      )
      assert.isFalse(second.hasMore)
    }).pipe(world),
  )

  it.effect("say what their first ten operations are, without texts and names", () =>
    Effect.gen(function* () {
      const edits = yield* Edits
      const account = yield* newAccount()
      const id = yield* transcribed(account)
      const texts = Array.from({ length: 10 }, () => correct)
      yield* edit(account, id, 0, { type: "speaker", line: 0, speaker: "Ann" })
      yield* edit(account, id, 1, { type: "rename_speaker", from: "Ann", to: "Ben" }, ...texts)
      const { data } = yield* edits.history(account, id, { limit: 2 })
      assert.deepStrictEqual(
        data.map(({ operations, changes }) => [operations, changes?.length, changes?.[0]]),
        [
          [11, 10, { type: "rename_speaker", line: null }],
          [1, 1, { type: "speaker", line: 0 }],
        ],
      )
    }).pipe(world),
  )

  it.effect(
    "are refused on an older revision, on what is not there, and where an operation does not fit",
    () =>
      Effect.gen(function* () {
        const [account, other] = [yield* newAccount(), yield* newAccount()]
        const id = yield* transcribed(account)
        yield* edit(account, id, 0, correct)
        for (const base of [0, 2]) {
          const conflict = yield* Effect.flip(edit(account, id, base, correct))
          assert.deepInclude(conflict, { _tag: "RevisionConflict", revision: 1 })
        }
        const bad = yield* Effect.flip(edit(account, id, 1, correct, { type: "merge", line: 2 }))
        assert.deepInclude(bad, { _tag: "EditRefused", reason: "unknown_line", operation: 1 })
        assert.strictEqual((yield* stored(account, id)).revision, 1)
        assert.strictEqual(yield* refusal(edit(other, id, 1, correct)), "JobNotFound")
        const queued = yield* create(account, { url: "https://a.example/later.mp3" })
        assert.strictEqual(yield* refusal(edit(account, queued.id, 0, correct)), "TranscriptNotReady")
        const unknown = yield* Effect.flip(read(account, id, 2))
        assert.deepInclude(unknown, { _tag: "EditRefused", reason: "unknown_revision" })
      }).pipe(world),
  )

  it.effect("with an idempotency key happen once", () =>
    Effect.gen(function* () {
      const edits = yield* Edits
      const account = yield* newAccount()
      const id = yield* transcribed(account)
      const idempotencyKey = yield* parseIdempotencyKey("correction-1")
      const send = () =>
        edits.edit(account, id, { baseRevision: 0, operations: [correct] }, { idempotencyKey })
      const first = yield* send()
      const again = yield* send()
      assert.deepStrictEqual(again, { answer: first.answer, replayed: true })
      assert.strictEqual((yield* stored(account, id)).revision, 1)
    }).pipe(world),
  )

  it.effect("end where a transcript has as many as it may have", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const id = yield* transcribed(account)
      const long = (at: number): EditOperation => ({
        type: "text",
        line: 0,
        text: `${at} `.padEnd(9999, "a"),
      })
      const whole = [0, 1].flatMap((half) => Array.from({ length: 12 }, (_, at) => long(2 * at + half)))
      for (let base = 0; base < 4; base++) yield* edit(account, id, base, ...whole)
      const refused = yield* Effect.flip(edit(account, id, 4, ...whole))
      assert.deepInclude(refused, { _tag: "EditRefused", reason: "too_many_operations" })
    }).pipe(world),
  )

  it.effect("change the version that readers compare", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const id = yield* transcribed(account)
      const before = yield* stored(account, id)
      yield* edit(account, id, 0, correct)
      assert.strictEqual((yield* stored(account, id)).version, before.version + 1)
      assert.strictEqual((yield* get(account, id)).status, "done")
    }).pipe(world),
  )
})
