import { StoreInUse } from "@earmark/sql"
import { Clock, Effect } from "effect"
import { callControl } from "./controlClient.js"

const AGAIN = "200 millis"
const PATIENCE_MILLISECONDS = 30_000

/**
 * The process that holds the embedded store, else what opening it gives. Commands hold it for a moment, and a service does so before
 * it listens: both are waited for, as long as it is not the same holder all the time.
 */
export const callOrOpen = Effect.fnUntraced(function* <A, E, R>(
  folder: string,
  open: Effect.Effect<A, E | StoreInUse, R>,
) {
  let holder: string | undefined
  let since = 0
  const isPatient = (held: StoreInUse, now: number) => {
    if (held.holder !== holder) {
      holder = held.holder
      since = now
    }
    return now - since < PATIENCE_MILLISECONDS
  }
  for (;;) {
    const administration = yield* callControl(folder)
    if (administration !== null) return { type: "called", administration } as const
    const tried = yield* Effect.either(open)
    if (tried._tag === "Right") return { type: "opened", value: tried.right } as const
    const { left } = tried
    if (!(left instanceof StoreInUse) || !isPatient(left, yield* Clock.currentTimeMillis))
      return yield* Effect.fail(left)
    yield* Effect.sleep(AGAIN)
  }
})
