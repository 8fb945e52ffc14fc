import { Effect, Either, Layer } from "effect"
import { NothingToEdit } from "../ports/EditStore.js"
import { type ClaimedExtra, type ExtraLease, ExtraStore } from "../ports/ExtraStore.js"
import { askedExtras, endedExtra } from "../ports/stored.js"
import { change, extraKey, findJob } from "./jobs.js"
import { MemoryDatabase, type Transaction } from "./MemoryDatabase.js"
import type { ExtraRow } from "./rows.js"

const isDue = (db: Transaction, { dueAt, leaseUntil }: ExtraRow) =>
  dueAt !== null && dueAt <= db.now && leaseUntil <= db.now

/** The first of each account, then the second of each, and so on. */
const inTurns = (db: Transaction): ReadonlyArray<ExtraRow> => {
  const turns = new Map<string, number>()
  const due = db.extras
    .filter((row) => isDue(db, row))
    .sort((left, right) => (left.dueAt ?? 0) - (right.dueAt ?? 0))
    .map((row) => {
      const turn = turns.get(row.account) ?? 0
      turns.set(row.account, turn + 1)
      return { row, turn }
    })
  return due.sort((left, right) => left.turn - right.turn).map(({ row }) => row)
}

const take = (db: Transaction, row: ExtraRow, leaseSeconds: number): ReadonlyArray<ClaimedExtra> => {
  const job = db.jobs.get(row.job)
  if (job === undefined) return []
  const token = `${db.nextNumber()}`
  const attempt = row.attempts + 1
  db.extras.set(extraKey(row.job, row.name), {
    ...row,
    token,
    attempts: attempt,
    leaseUntil: db.now + leaseSeconds * 1000,
  })
  return [{ lease: { job: row.job, name: row.name, token }, job, attempt }]
}

/** What a lease gives the right to change; nothing when it has run out or a newer one exists. */
const held = (db: Transaction, { job, name, token }: ExtraLease): ExtraRow | undefined => {
  const row = db.extras.get(extraKey(job, name))
  return row?.token === token && row.leaseUntil > db.now ? row : undefined
}

const unleased = { token: null, leaseUntil: 0 } as const

export const layer = Layer.effect(
  ExtraStore,
  Effect.gen(function* () {
    const { transact, wakeUps } = yield* MemoryDatabase

    return ExtraStore.of({
      ask: (account, id, names) =>
        transact((db) =>
          Either.gen(function* () {
            const job = yield* findJob(db, account, id)
            if (job.state.status !== "done" || !db.contents.has(id))
              return yield* Either.left(new NothingToEdit())
            for (const name of names) {
              const key = extraKey(id, name)
              const row = db.extras.get(key) ?? { job: id, account, name, made: null, dueAt: null }
              if (row.dueAt === null) db.extras.set(key, { ...row, ...unleased, dueAt: db.now, attempts: 0 })
            }
            db.wake("extras")
            const asked = askedExtras(job, names)
            return Object.keys(asked).length === 0 ? job : change(db, job, asked)
          }),
        ),

      made: (account, id) =>
        transact((db) =>
          Either.right(
            db.extras
              .filter((row) => row.job === id && row.account === account)
              .flatMap(({ made }) => (made === null ? [] : [made])),
          ),
        ),

      claim: ({ want, leaseSeconds }) =>
        transact((db) =>
          Either.right(
            inTurns(db)
              .slice(0, want)
              .flatMap((row) => take(db, row, leaseSeconds)),
          ),
        ),

      extend: (lease, leaseSeconds) =>
        transact((db) => {
          const row = held(db, lease)
          if (row === undefined) return Either.right(false)
          db.extras.set(extraKey(lease.job, lease.name), { ...row, leaseUntil: db.now + leaseSeconds * 1000 })
          return Either.right(true)
        }),

      release: (lease) =>
        transact((db) => {
          const row = held(db, lease)
          if (row !== undefined)
            db.extras.set(extraKey(lease.job, lease.name), {
              ...row,
              ...unleased,
              attempts: Math.max(0, row.attempts - 1),
            })
          db.wake("extras")
          return Either.right(undefined)
        }),

      finish: (lease, outcome) =>
        transact((db) => {
          const row = held(db, lease)
          const job = db.jobs.get(lease.job)
          if (row === undefined || job === undefined) return Either.right(false)
          const made = outcome.status === "done" ? outcome.made : row.made
          db.extras.set(extraKey(lease.job, lease.name), { ...row, ...unleased, made, dueAt: null })
          change(db, job, endedExtra(job, lease.name, outcome))
          return Either.right(true)
        }),

      wakeUps: wakeUps("extras"),
    })
  }),
)
