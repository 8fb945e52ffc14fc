import { Effect } from "effect"
import { Refusal } from "../answers/Refusal.js"

/** How much of what stays open one key may have, in this process; null: as much as it likes. */
export interface SlotLimits {
  readonly eventStreams: number | null
  readonly waitingReads: number | null
}

const RETRY_IN = { "Retry-After": "5" } as const

/** Counts what a key has open. What is taken is given back by calling what was answered. */
export const makeSlots = (most: number | null, what: string) => {
  const open = new Map<string, number>()

  const give = (key: string) => {
    const left = (open.get(key) ?? 1) - 1
    if (left === 0) open.delete(key)
    else open.set(key, left)
  }

  const take = (key: string): Effect.Effect<() => void, Refusal> =>
    Effect.suspend(() => {
      const count = open.get(key) ?? 0
      if (most !== null && count >= most) {
        const detail = `This key has ${most} ${what} open already. Close one, or wait until one ends.`
        return new Refusal({ code: "rate_limited", detail, headers: RETRY_IN })
      }
      open.set(key, count + 1)
      return Effect.succeed(() => give(key))
    })

  return { take }
}
