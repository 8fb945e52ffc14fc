/** Ids of a server by their beginnings. */
import type { EarmarkClient } from "@earmark/api/client"
import { timeOfId } from "@earmark/core/jobs"
import { DateTime, Effect } from "effect"
import type { AskServer, ServerRefusal } from "./ServerRefusal.js"

const BEGINNING = /^tr_[0-9a-hjkmnp-tv-z]{4,25}$/
const TOO_SHORT = /^tr_[0-9a-z]{0,3}$/

/** A job is stored a little after its id was made, by the clock of another process. */
const AROUND = 60_000

const LENGTH = "tr_".length + 26
/** The last second of the year 9999. */
const LAST_TIME = 253_402_300_799_000

/** As a query takes it: an id that nobody made can stand for any time. */
const timeAt = (milliseconds: number): string =>
  DateTime.formatIso(DateTime.unsafeMake(Math.min(Math.max(0, milliseconds), LAST_TIME)))

const PAGE = 100
const MOST_PAGES = 10

/** Those that begin so, of all that were made when such ids were; null where these are too many to look through. */
const idsThatBegin = async (client: EarmarkClient, given: string, signal: AbortSignal) => {
  const span = {
    created_after: timeAt(timeOfId(given.padEnd(LENGTH, "0")) - AROUND),
    created_before: timeAt(timeOfId(given.padEnd(LENGTH, "z")) + AROUND),
  }
  const found: Array<string> = []
  let pages = 0
  const list = client.transcriptions.list({ ...span, limit: PAGE }, { signal })
  for await (const { data, next_cursor } of list.pages()) {
    for (const { id } of data) if (id.startsWith(given)) found.push(id)
    pages += 1
    if (pages === MOST_PAGES && next_cursor !== null) return null
  }
  return found
}

/** The id that is meant by its beginning. What is not the beginning of one goes to the server as it is. */
export const idAtServer = <E>(
  ask: AskServer<E>,
  refuse: (refusal: ServerRefusal) => E,
  given: string,
): Effect.Effect<string, E> =>
  Effect.gen(function* () {
    if (TOO_SHORT.test(given)) return yield* Effect.fail(refuse({ reason: "id_too_short", subject: given }))
    if (!BEGINNING.test(given)) return given
    const ids = yield* ask((client, { signal }) => idsThatBegin(client, given, signal))
    if (ids === null) return yield* Effect.fail(refuse({ reason: "too_many_ids", subject: given }))
    const [first = given, ...others] = ids
    return others.length === 0
      ? first
      : yield* Effect.fail(refuse({ reason: "ambiguous_id", subject: given, ids }))
  })
