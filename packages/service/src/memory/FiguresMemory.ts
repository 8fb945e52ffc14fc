import type { Phase } from "@earmark/core/jobs"
import { Effect, Either, Layer } from "effect"
import { Figures, type StoreFigures } from "../ports/Figures.js"
import { statsOf } from "./JobQueueMemory.js"
import { MemoryDatabase, type Transaction } from "./MemoryDatabase.js"

const phasesOf = (db: Transaction): StoreFigures["phases"] => {
  const phases: Partial<Record<Phase, number>> = {}
  for (const { state } of db.jobs.filter((job) => job.state.status === "queued")) {
    if (state.status === "queued") phases[state.phase] = (phases[state.phase] ?? 0) + 1
  }
  return phases
}

const figuresOf = (db: Transaction): StoreFigures => {
  const pending = db.deliveries.filter(({ state }) => state === "pending")
  const oldest = pending.reduce((least, { nextAt }) => Math.min(least, nextAt ?? db.now), db.now)
  const balances = db.balances.filter(() => true)
  return {
    phases: phasesOf(db),
    queue: statsOf(db),
    deliveries: {
      pending: pending.length,
      delivering: db.deliveries.filter(({ state }) => state === "delivering").length,
      overdueSeconds: (db.now - oldest) / 1000,
    },
    credits: {
      accounts: balances.length,
      posted: balances.reduce((sum, { posted }) => sum + posted, 0),
      held: balances.reduce((sum, { held }) => sum + held, 0),
    },
  }
}

export const layer = Layer.effect(
  Figures,
  Effect.map(MemoryDatabase, ({ transact }) =>
    Figures.of({
      read: transact((db) => Either.right(figuresOf(db))),
      requireWritable: Effect.void,
    }),
  ),
)
