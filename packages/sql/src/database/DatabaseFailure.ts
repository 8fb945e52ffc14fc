import { StorageError } from "@earmark/service"
import { Data } from "effect"
import { DatabaseError } from "pg"

/**
 * What went wrong in the database, without a word of its message: messages can quote data.
 * - `conflict`: it asked for the transaction to be repeated.
 * - `busy`: it gave up waiting, or has no room; nothing was done.
 * - `lost`: the connection ended; what was under way may or may not be done.
 * - `readonly`: it takes no writes, as a standby after a failover; nothing was done.
 * - `broken`: it refused a statement.
 */
export class DatabaseFailure extends Data.TaggedError("DatabaseFailure")<{
  readonly kind: "conflict" | "busy" | "lost" | "readonly" | "broken"
  /** The SQLSTATE, or the code of the network failure. */
  readonly code: string
  readonly constraint: string | null
}> {
  /** Whether nothing more is to be sent on its connection: another one may reach a server that works. */
  get endsConnection(): boolean {
    return this.kind === "lost" || this.kind === "readonly"
  }

  override get message() {
    return `${this.kind} ${this.code}${this.constraint === null ? "" : ` ${this.constraint}`}`
  }
}

const LOCK_TIMEOUT = "55P03"
const READ_ONLY = "25006"

const CONFLICTS = new Set(["40001", "40P01"])
const LOST = new Set(["57P01", "57P02", "57P05", "25P03"])

const kindOf = (code: string): DatabaseFailure["kind"] => {
  if (CONFLICTS.has(code)) return "conflict"
  if (LOST.has(code) || code.startsWith("08")) return "lost"
  if (code === "57014" || code === "57P03" || code === LOCK_TIMEOUT || code.startsWith("53")) return "busy"
  return code === READ_ONLY ? "readonly" : "broken"
}

const networkCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "connection"

/** The failure in whatever the driver threw. */
export const databaseFailure = (error: unknown): DatabaseFailure => {
  if (error instanceof DatabaseFailure) return error
  if (!(error instanceof DatabaseError)) {
    return new DatabaseFailure({ kind: "lost", code: networkCode(error), constraint: null })
  }
  const code = error.code ?? "XX000"
  return new DatabaseFailure({ kind: kindOf(code), code, constraint: error.constraint ?? null })
}

/** How callers of a port see it. `doneFor`: whether a lost connection can mean that the work was done. */
export const storageError = (
  operation: string,
  failure: DatabaseFailure,
  { mayBeDone }: { readonly mayBeDone: boolean },
): StorageError => {
  const whenLost = mayBeDone ? "unknown" : "unavailable"
  const reason =
    failure.kind === "lost" ? whenLost : failure.kind === "broken" ? "broken" : ("unavailable" as const)
  return new StorageError({ operation, reason, cause: failure })
}

/** Whether the database could not read a value, or a row contradicts others. */
export const isBadData = (error: StorageError): boolean =>
  error.cause instanceof DatabaseFailure && /^2[23]/.test(error.cause.code)

/** Whether somebody else held a lock for too long. */
export const isLockTimeout = (error: StorageError): boolean =>
  error.cause instanceof DatabaseFailure && error.cause.code === LOCK_TIMEOUT
