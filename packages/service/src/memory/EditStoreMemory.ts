import { indexedWords } from "@earmark/core/text"
import { wordCountOf } from "@earmark/core/transcripts"
import { Effect, Either, Layer } from "effect"
import {
  EditStore,
  type NewRevision,
  NothingToEdit,
  RevisionConflict,
  type StoredRevision,
} from "../ports/EditStore.js"
import { guarded } from "./guards.js"
import { change, findJob } from "./jobs.js"
import { MemoryDatabase, type Transaction } from "./MemoryDatabase.js"

const none: ReadonlyArray<StoredRevision> = []

const append = (db: Transaction, { account, job: id, base, change: made, madeBy, lines }: NewRevision) =>
  Either.gen(function* () {
    const job = yield* findJob(db, account, id)
    if (job.state.status !== "done" || !db.contents.has(id)) return yield* Either.left(new NothingToEdit())
    if (job.revision !== base) return yield* Either.left(new RevisionConflict({ revision: job.revision }))
    const revision = base + 1
    db.revisions.set(id, [
      ...(db.revisions.get(id) ?? none),
      { revision, change: made, madeAt: db.now, madeBy },
    ])
    db.editedWords.set(id, indexedWords(lines))
    change(db, job, { revision, wordCount: wordCountOf(lines) })
  })

export const layer = Layer.effect(
  EditStore,
  Effect.gen(function* () {
    const { transact } = yield* MemoryDatabase

    const revisionsOf = (db: Transaction, account: string, job: string) =>
      db.jobs.get(job)?.account === account ? (db.revisions.get(job) ?? none) : none

    return EditStore.of({
      append: (made, { guard }) => transact((db) => guarded(db, made.account, guard, () => append(db, made))),
      first: (account, job, count) =>
        transact((db) => Either.right(revisionsOf(db, account, job).slice(0, count))),
      latest: (account, job, { before, limit }) =>
        transact((db) =>
          Either.right(
            revisionsOf(db, account, job)
              .filter(({ revision }) => before === null || revision < before)
              .toReversed()
              .slice(0, limit),
          ),
        ),
    })
  }),
)
