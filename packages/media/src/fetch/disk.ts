import { Data, Effect } from "effect"

/** The disk refused. The cause is what Node said of it. */
export class DiskFailed extends Data.TaggedError("DiskFailed")<{ readonly cause: unknown }> {
  /** Such as `ENOSPC`; empty when there is none. */
  get code(): string {
    return this.cause instanceof Error && "code" in this.cause ? String(this.cause.code) : ""
  }
}

export const onDisk = <A>(work: () => Promise<A>): Effect.Effect<A, DiskFailed> =>
  Effect.tryPromise({ try: work, catch: (cause) => new DiskFailed({ cause }) })
