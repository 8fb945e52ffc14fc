import type { EarmarkClient } from "@earmark/api/client"
import { timeOfId } from "@earmark/core/jobs"
import { DateTime, Effect } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import type { Work } from "../remote/ask.js"

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
const MOST_NAMED = 3

/** Those that begin so, of all that were made when such ids were; null where these are too many to look through. */
const idsThatBegin = async (client: EarmarkClient, given: string, signal: AbortSignal) => {
  const span = {
    created_after: timeAt(timeOfId(given.padEnd(LENGTH, "0")) - AROUND),
    created_before: timeAt(timeOfId(given.padEnd(LENGTH, "z")) + AROUND),
  }
  const found: Array<string> = []
  let cursor: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await client.transcriptions.list({ ...span, limit: PAGE, cursor }, { signal })
    for (const { id } of page.data) if (id.startsWith(given)) found.push(id)
    if (page.next_cursor === null) return found
    cursor = page.next_cursor
  }
  return null
}

/** The id at a server that is meant by its beginning. What is not the beginning of one goes there as it is. */
export const wholeId =
  (ask: <Answer>(work: Work<Answer>) => Effect.Effect<Answer, CommandFailed>) =>
  (given: string): Effect.Effect<string, CommandFailed> =>
    Effect.gen(function* () {
      if (TOO_SHORT.test(given))
        return yield* failed(
          `${given} is too little of an id: give at least four characters behind tr_. [ambiguous_id]`,
        )
      if (!BEGINNING.test(given)) return given
      const ids = yield* ask((client, { signal }) => idsThatBegin(client, given, signal))
      if (ids === null)
        return yield* usage(
          `Too many transcriptions of this server were made when ids began with ${given}. Give more of the id.`,
        )
      const [first = given, ...others] = ids
      return others.length === 0
        ? first
        : yield* failed(
            `${given} is the beginning of ${ids.length} ids: ${ids.slice(0, MOST_NAMED).join(", ")}${ids.length > MOST_NAMED ? ", ..." : ""}. Give more of the one that is meant. [ambiguous_id]`,
          )
    })
