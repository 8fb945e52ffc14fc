import type { AccountId } from "@earmark/core/jobs"
import { wantedWords } from "@earmark/core/text"
import { JobStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, createDone, finishedWith, newAccount, unique } from "./makers.js"

/** The transcripts that a search finds, in its order. */
export const search = (account: AccountId, query: string, near = false) =>
  Effect.gen(function* () {
    const store = yield* JobStore
    const found = yield* store.search(account, { words: wantedWords(query, { near }), limit: 10 })
    return found.map(({ id }) => id)
  })

export const findCases: ReadonlyArray<StoreCase> = [
  promise(
    "search finds transcripts that hold all words, the last one as a beginning, newest first",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount()
      const [alpha, beta] = [`a${yield* unique}`, `b${yield* unique}`]
      const first = yield* createDone(
        account,
        {},
        finishedWith({ text: `We met ${alpha}, then ${beta}tron.` }),
      )
      yield* advance(1)
      const second = yield* createDone(account, {}, finishedWith({ text: `Café: ${alpha.toUpperCase()}!` }))
      assert.deepStrictEqual(yield* search(account, alpha), [second.id, first.id])
      assert.deepStrictEqual(yield* search(account, `${alpha} ${beta}`), [first.id])
      assert.deepStrictEqual(yield* search(account, `${beta} ${alpha}`), [])
      assert.deepStrictEqual(yield* search(account, `${alpha} cafe`), [second.id])
      assert.deepStrictEqual(yield* search(account, `${alpha.slice(0, -1)} cafe`), [])
      assert.deepStrictEqual(yield* search(account, ""), [])
      const old = { words: wantedWords(alpha, { near: false }), createdBefore: second.createdAt, limit: 10 }
      const [hit, ...more] = yield* store.search(account, old)
      assert.deepStrictEqual(hit, { id: first.id, createdAt: first.createdAt })
      assert.deepStrictEqual(more, [])
      const one = yield* store.search(account, { words: wantedWords(alpha, { near: false }), limit: 1 })
      assert.deepStrictEqual(
        one.map(({ id }) => id),
        [second.id],
      )
      yield* store.remove(account, second.id)
      assert.deepStrictEqual(yield* search(account, alpha), [first.id])
    }),
  ),
  promise(
    "a search goes on where it is told, whether that transcript is still there or not",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount()
      const made = yield* Effect.forEach([1, 2, 3], () => createDone(account))
      yield* advance(1)
      made.push(yield* createDone(account))
      const newestFirst = [...made].sort(
        (left, right) => right.createdAt - left.createdAt || (left.id < right.id ? 1 : -1),
      )
      const ids = newestFirst.map(({ id }) => id)
      const from = (index: number, limit = 10) =>
        Effect.map(
          store.search(account, {
            words: wantedWords("goes", { near: false }),
            from: newestFirst[index],
            limit,
          }),
          (found) => found.map(({ id }) => id),
        )
      assert.deepStrictEqual(yield* from(0), ids)
      assert.deepStrictEqual(yield* from(1, 2), ids.slice(1, 3))
      assert.deepStrictEqual(yield* from(3), ids.slice(3))
      const [, gone] = ids
      if (gone !== undefined) yield* store.remove(account, gone)
      assert.deepStrictEqual(yield* from(1), ids.slice(2))
    }),
  ),
]
