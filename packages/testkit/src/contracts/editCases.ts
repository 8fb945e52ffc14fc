import type { Revision } from "@earmark/core/edits"
import type { AccountId, JobId } from "@earmark/core/jobs"
import { wantedWords } from "@earmark/core/text"
import { EditStore, JobStore, type NewRevision } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect, Either } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { advance, createDone, createJob, newAccount, newGuard, now, unique } from "./makers.js"
import { racing, refusal } from "./working.js"

const changeTo = (text: string): Revision => ({ operations: [{ type: "text", line: 0, text }] })

const made = (account: AccountId, job: JobId, base: number, text: string): NewRevision => ({
  account,
  job,
  base,
  change: changeTo(text),
  madeBy: "key_1",
  lines: [{ start: 0, end: 900, speaker: null, text, words: [] }],
})

const append = (revision: NewRevision) =>
  Effect.flatMap(EditStore, (store) => store.append(revision, { guard: null }))

const foundBy = (account: AccountId, word: string) =>
  Effect.gen(function* () {
    const jobs = yield* JobStore
    const found = yield* jobs.search(account, { words: wantedWords(word, { near: false }), limit: 10 })
    return found.map(({ id }) => id)
  })

export const editCases: ReadonlyArray<StoreCase> = [
  promise(
    "revisions are read back as they were appended, oldest or newest first, and the job has the newest",
    Effect.gen(function* () {
      const [store, jobs] = [yield* EditStore, yield* JobStore]
      const account = yield* newAccount()
      const { id } = yield* createDone(account)
      const before = yield* jobs.get(account, id)
      assert.strictEqual(before.revision, 0)
      assert.deepStrictEqual(yield* store.first(account, id, 10), [])
      yield* append(made(account, id, 0, "one"))
      yield* append({ ...made(account, id, 1, "so it goes"), change: { undo: 1 }, madeBy: null })
      yield* append(made(account, id, 2, "three"))
      const all = yield* store.first(account, id, 10)
      assert.deepStrictEqual(
        all.map(({ revision, change, madeBy }) => ({ revision, change, madeBy })),
        [
          { revision: 1, change: changeTo("one"), madeBy: "key_1" },
          { revision: 2, change: { undo: 1 }, madeBy: null },
          { revision: 3, change: changeTo("three"), madeBy: "key_1" },
        ],
      )
      assert.deepStrictEqual(yield* store.first(account, id, 2), all.slice(0, 2))
      const page = (before: number | null, limit: number) => store.latest(account, id, { before, limit })
      assert.deepStrictEqual(yield* page(null, 2), all.slice(1).toReversed())
      assert.deepStrictEqual(yield* page(2, 2), all.slice(0, 1))
      const after = yield* jobs.get(account, id)
      assert.strictEqual(after.revision, 3)
      // Of "three".
      assert.strictEqual(after.wordCount, 1)
      assert.strictEqual(after.version, before.version + 3)
    }),
  ),
  promise(
    "what was heard stays as it is",
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const account = yield* newAccount()
      const { id } = yield* createDone(account)
      const heard = yield* jobs.content(account, id)
      yield* append(made(account, id, 0, "corrected"))
      assert.deepStrictEqual(yield* jobs.content(account, id), heard)
    }),
  ),
  promise(
    "of racing changes of one revision one is appended, and the others are told the newest",
    Effect.gen(function* () {
      const store = yield* EditStore
      const account = yield* newAccount()
      const { id } = yield* createDone(account)
      const all = yield* racing(8, () => Effect.either(append(made(account, id, 0, "one"))))
      assert.strictEqual(all.filter(Either.isRight).length, 1)
      for (const each of all.filter(Either.isLeft))
        assert.deepInclude(each.left, { _tag: "RevisionConflict", revision: 1 })
      assert.strictEqual((yield* store.first(account, id, 10)).length, 1)
      assert.strictEqual(yield* refusal(append(made(account, id, 2, "two"))), "RevisionConflict")
    }),
  ),
  promise(
    "a change with a key is appended once, and its repeat is answered",
    Effect.gen(function* () {
      const store = yield* EditStore
      const account = yield* newAccount()
      const { id } = yield* createDone(account)
      const guard = yield* newGuard()
      const revision = made(account, id, 0, "one")
      assert.deepStrictEqual(yield* store.append(revision, { guard }), { type: "done" })
      assert.deepStrictEqual(yield* store.append(revision, { guard }), {
        type: "replayed",
        answer: guard.answer,
      })
      assert.strictEqual((yield* store.first(account, id, 10)).length, 1)
    }),
  ),
  promise(
    "a search finds a transcript by its corrected words, and no more by the old ones",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id } = yield* createDone(account)
      const word = yield* unique
      assert.deepStrictEqual(yield* foundBy(account, "goes"), [id])
      yield* append(made(account, id, 0, `so it ${word}`))
      assert.deepStrictEqual(yield* foundBy(account, word), [id])
      assert.deepStrictEqual(yield* foundBy(account, "goes"), [])
    }),
  ),
  promise(
    "revisions go with their job",
    Effect.gen(function* () {
      const [store, jobs] = [yield* EditStore, yield* JobStore]
      const account = yield* newAccount()
      const { id } = yield* createDone(account)
      yield* append(made(account, id, 0, "one"))
      yield* jobs.remove(account, id)
      assert.deepStrictEqual(yield* store.first(account, id, 10), [])
      assert.strictEqual(yield* refusal(append(made(account, id, 1, "two"))), "JobNotFound")
    }),
  ),
  promise(
    "revisions go with the content at the end of its retention, and nothing can be corrected any more",
    Effect.gen(function* () {
      const [store, jobs] = [yield* EditStore, yield* JobStore]
      const account = yield* newAccount()
      const { id } = yield* createDone(account, { expiresAt: (yield* now) + 1000 })
      yield* append(made(account, id, 0, "one"))
      yield* advance(2)
      while ((yield* jobs.sweep(100)) > 0);
      assert.deepStrictEqual(yield* store.latest(account, id, { before: null, limit: 10 }), [])
      assert.deepStrictEqual(yield* foundBy(account, "one"), [])
      assert.strictEqual(yield* refusal(append(made(account, id, 1, "two"))), "NothingToEdit")
    }),
  ),
  promise(
    "a job that is not done, or of another account, cannot be corrected or read",
    Effect.gen(function* () {
      const store = yield* EditStore
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const queued = yield* createJob(account)
      assert.strictEqual(yield* refusal(append(made(account, queued.id, 0, "one"))), "NothingToEdit")
      const { id } = yield* createDone(account)
      assert.strictEqual(yield* refusal(append(made(other, id, 0, "one"))), "JobNotFound")
      yield* append(made(account, id, 0, "one"))
      assert.deepStrictEqual(yield* store.first(other, id, 10), [])
      assert.deepStrictEqual(yield* store.latest(other, id, { before: null, limit: 10 }), [])
    }),
  ),
]
