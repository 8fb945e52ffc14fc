import { wantedWords } from "@earmark/core/text"
import { JobStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, createDone, createJob, finishedWith, newAccount, newBatch, unique } from "./makers.js"

const beginning = (text: string) => wantedWords(`${text}*`, { near: false })

export const questionCases: ReadonlyArray<StoreCase> = [
  promise(
    "a question finds transcripts by how their words begin: most and rarest first, of the account or of a batch",
    Effect.gen(function* () {
      const store = yield* JobStore
      const [account, stranger] = [yield* newAccount(), yield* newAccount()]
      const [bees, honey] = [`b${yield* unique}`, `h${yield* unique}`]
      const saying = (text: string) =>
        Effect.zipLeft(createDone(account, {}, finishedWith({ text })), advance(1))
      const both = yield* saying(`${bees}hives and ${honey}.`)
      const common = yield* saying(`Of ${bees}.`)
      const newest = yield* saying(`${bees.toUpperCase()}, again.`)
      yield* saying("Nothing of it.")
      yield* createJob(account)
      const batch = yield* newBatch(account, [1])
      yield* store.createBatch(batch)
      const holding = (...beginnings: ReadonlyArray<string>) =>
        store.holding(account, { beginnings: beginnings.map(beginning), limit: 10 })
      assert.deepStrictEqual(yield* holding(bees, honey.slice(0, -1)), {
        total: 4,
        ids: [both.id, newest.id, common.id],
      })
      assert.deepStrictEqual(yield* holding(honey, "c'est\\"), { total: 4, ids: [both.id] })
      assert.deepStrictEqual(yield* holding(bees.slice(1)), { total: 4, ids: [] })
      assert.deepStrictEqual(yield* holding(), { total: 4, ids: [] })
      const one = yield* store.holding(account, { beginnings: [beginning(bees)], limit: 1 })
      assert.deepStrictEqual(one, { total: 4, ids: [newest.id] })
      const ofBatch = { beginnings: [beginning(bees)], batch: batch.id, limit: 10 }
      assert.deepStrictEqual(yield* store.holding(account, ofBatch), { total: 0, ids: [] })
      const others = yield* store.holding(stranger, { beginnings: [beginning(bees)], limit: 10 })
      assert.deepStrictEqual(others, { total: 0, ids: [] })
    }),
  ),
]
