import { Effect, Either, Layer } from "effect"
import { PublicationStore, type PublishedJob, type StoredPublication } from "../ports/PublicationStore.js"
import { change, findJob } from "./jobs.js"
import { MemoryDatabase, type Transaction } from "./MemoryDatabase.js"
import { pageOf } from "./pages.js"

/** The job of the caller, whose publication is under its id. */
const published = (db: Transaction, publication: StoredPublication): ReadonlyArray<PublishedJob> => {
  const job = db.jobs.get(publication.job)
  return job === undefined ? [] : [{ publication, job }]
}

export const layer = Layer.effect(
  PublicationStore,
  Effect.gen(function* () {
    const { transact } = yield* MemoryDatabase

    return PublicationStore.of({
      put: (given) =>
        transact((db) =>
          Either.map(findJob(db, given.account, given.job), (job) => {
            const { id } = job
            const known = db.publications.get(id)
            const publication: StoredPublication =
              known === undefined
                ? { ...given, publishedAt: db.now }
                : { ...known, formats: given.formats, show: given.show }
            db.publications.set(id, publication)
            if (known === undefined) change(db, job, { publishedAt: db.now })
            return publication
          }),
        ),
      get: (account, job) =>
        transact((db) => {
          const found = db.publications.get(job)
          return Either.right(found?.account === account ? found : null)
        }),
      remove: (account, job) =>
        transact((db) => {
          const found = findJob(db, account, job)
          if (Either.isRight(found) && db.publications.get(job) !== undefined) {
            db.publications.delete(job)
            change(db, found.right, { publishedAt: null })
          }
          return Either.void
        }),
      find: (token) =>
        transact((db) => {
          const [found] = db.publications.filter((each) => each.token === token)
          return Either.right(found === undefined ? null : (published(db, found)[0] ?? null))
        }),
      ofShow: (show, limit) =>
        transact((db) => {
          const all = db.publications
            .filter((each) => each.show === show)
            .flatMap((each) => published(db, each))
            .map((each) => ({ ...each, id: each.job.id, createdAt: each.job.createdAt }))
          return Either.right(pageOf(all, { limit, after: null }).items)
        }),
    })
  }),
)
