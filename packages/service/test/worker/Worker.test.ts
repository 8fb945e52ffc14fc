import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { balance, create, get, inWorld, newAccount, settle, withWorker } from "../world.js"

describe("a worker brings jobs to their end", () => {
  it.effect("a queued job is done, and costs what was held", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id, status } = yield* create(account, { url: "https://a.example/talk.mp3?seconds=90" })
      assert.strictEqual(status, "queued")
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 2 })
      yield* withWorker(settle)
      const job = yield* get(account, id)
      assert.strictEqual(job.status, "done")
      if (job.status !== "done") return
      assert.strictEqual(job.durationSeconds, 90)
      assert.strictEqual(job.billedMinutes, 2)
      assert.isAbove(job.segments.length, 1)
      assert.deepStrictEqual(yield* balance(account), { posted: 58, held: 0 })
      assert.strictEqual(job.integrity?.coverage, 1)
    }).pipe(inWorld()),
  )
})
