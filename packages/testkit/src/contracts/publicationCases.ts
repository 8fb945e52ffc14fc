import { type AccountId, JobId } from "@earmark/core/jobs"
import { JobStore, PublicationStore, type StoredPublication } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { promise, type StoreCase } from "./Case.js"
import { createDone, newAccount, newKeyId, unique } from "./makers.js"
import { racing, refusal } from "./working.js"

type Given = Partial<Pick<StoredPublication, "formats" | "show">>

const publish = (account: AccountId, job: JobId, given: Given = {}) =>
  Effect.gen(function* () {
    const store = yield* PublicationStore
    const token = yield* unique
    return yield* store.put({ account, job, token, show: null, formats: ["vtt"], ...given })
  })

export const publicationCases: ReadonlyArray<StoreCase> = [
  promise(
    "a publication is found by its token with its job, and by its job",
    Effect.gen(function* () {
      const store = yield* PublicationStore
      const account = yield* newAccount()
      const job = yield* createDone(account)
      const publication = yield* publish(account, job.id, { formats: ["html", "vtt"] })
      assert.deepStrictEqual(publication.formats, ["html", "vtt"])
      assert.deepStrictEqual(yield* store.get(account, job.id), publication)
      const found = yield* store.find(publication.token)
      assert.deepStrictEqual(found?.publication, publication)
      assert.strictEqual(found?.job.id, job.id)
      assert.isNull(yield* store.find(`${publication.token}x`))
    }),
  ),
  promise(
    "a job says when it was published, in a version of its own, until that is taken back",
    Effect.gen(function* () {
      const store = yield* PublicationStore
      const jobs = yield* JobStore
      const account = yield* newAccount()
      const { id } = yield* createDone(account)
      const { version } = yield* jobs.get(account, id)
      const known = Effect.map(jobs.get(account, id), (job) => [job.publishedAt, job.version - version])
      assert.deepStrictEqual(yield* known, [null, 0])
      const { publishedAt, token } = yield* publish(account, id)
      yield* publish(account, id, { formats: ["srt"] })
      assert.deepStrictEqual(yield* known, [publishedAt, 1])
      const { items } = yield* jobs.list(account, { limit: 1, order: "desc", after: null })
      assert.strictEqual(items[0]?.publishedAt, publishedAt)
      const found = yield* store.find(token)
      assert.deepStrictEqual(
        [found?.job.publishedAt, found?.publication.publishedAt],
        [publishedAt, publishedAt],
      )
      yield* store.remove(account, id)
      yield* store.remove(account, id)
      assert.deepStrictEqual(yield* known, [null, 2])
    }),
  ),
  promise(
    "publishing again keeps token and time, and takes the new formats",
    Effect.gen(function* () {
      const store = yield* PublicationStore
      const account = yield* newAccount()
      const job = yield* createDone(account)
      const first = yield* publish(account, job.id)
      const show = yield* unique
      const again = yield* publish(account, job.id, { formats: ["srt"], show })
      assert.deepStrictEqual(again, { ...first, formats: ["srt"], show })
      assert.deepStrictEqual(yield* store.get(account, job.id), again)
    }),
  ),
  promise(
    "of racing calls all are answered one token",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const job = yield* createDone(account)
      const all = yield* racing(8, () => publish(account, job.id))
      assert.strictEqual(new Set(all.map(({ token }) => token)).size, 1)
    }),
  ),
  promise(
    "what is taken back is gone at once, and published anew under another token",
    Effect.gen(function* () {
      const store = yield* PublicationStore
      const account = yield* newAccount()
      const job = yield* createDone(account)
      const { token } = yield* publish(account, job.id)
      yield* store.remove(account, job.id)
      yield* store.remove(account, job.id)
      assert.isNull(yield* store.find(token))
      assert.isNull(yield* store.get(account, job.id))
      assert.notStrictEqual((yield* publish(account, job.id)).token, token)
    }),
  ),
  promise(
    "a publication goes with its job",
    Effect.gen(function* () {
      const store = yield* PublicationStore
      const jobs = yield* JobStore
      const account = yield* newAccount()
      const job = yield* createDone(account)
      const show = yield* unique
      const { token } = yield* publish(account, job.id, { show })
      yield* jobs.remove(account, job.id)
      assert.isNull(yield* store.find(token))
      assert.isNull(yield* store.get(account, job.id))
      assert.deepStrictEqual(yield* store.ofShow(show, 10), [])
    }),
  ),
  promise(
    "the job of another account cannot be published, read or taken back",
    Effect.gen(function* () {
      const store = yield* PublicationStore
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const job = yield* createDone(account)
      assert.strictEqual(yield* refusal(publish(other, job.id)), "JobNotFound")
      const missing = JobId.make((yield* newKeyId).replace("key_", "tr_"))
      assert.strictEqual(yield* refusal(publish(account, missing)), "JobNotFound")
      const publication = yield* publish(account, job.id)
      assert.strictEqual(yield* refusal(publish(other, job.id)), "JobNotFound")
      assert.isNull(yield* store.get(other, job.id))
      yield* store.remove(other, job.id)
      assert.deepStrictEqual(yield* store.get(account, job.id), publication)
    }),
  ),
  promise(
    "a show has its own publications, the newest job first, and so many of them",
    Effect.gen(function* () {
      const store = yield* PublicationStore
      const account = yield* newAccount()
      const show = yield* unique
      const made: Array<JobId> = []
      for (const createdAt of [1000, 3000, 2000]) {
        const job = yield* createDone(account, { createdAt })
        yield* publish(account, job.id, { show })
        made.push(job.id)
      }
      yield* publish(account, (yield* createDone(account)).id, { show: yield* unique })
      const listed = (limit: number) =>
        Effect.map(store.ofShow(show, limit), (all) => all.map(({ job }) => job.id))
      const [first, newest, second] = made
      assert.deepStrictEqual(yield* listed(10), [newest, second, first])
      assert.deepStrictEqual(yield* listed(2), [newest, second])
    }),
  ),
]
