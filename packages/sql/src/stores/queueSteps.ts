import type { Lease } from "@earmark/service"
import { Effect, type Either } from "effect"
import type { Entry } from "./writeChanges.js"

/** What a queue entry has no more when nobody works on it. */
export const UNLEASED = "lease_token = NULL, lease_until = NULL, worker = NULL"

/** The states of a job in the queue allow its steps always; a refusal would be a defect. */
export const certainly = <A, E>(step: Either.Either<A, E>) => Effect.orDie(step)

export const isSpent = ({ attempt, maxAttempts }: Entry): boolean => attempt >= maxAttempts

/** Whether a lease is the one that an entry is under, and has not run out. */
export const isLeasedBy = (entry: Entry | null, lease: Lease): entry is Entry =>
  entry?.live === true && entry.token === lease.token
