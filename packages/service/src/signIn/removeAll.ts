import type { AccountId } from "@earmark/core/jobs"
import { Effect } from "effect"
import { APP_SIGN_IN, type OAuthRecord, OAuthRecords } from "../ports/OAuthRecords.js"
import type { StorageError } from "../ports/StorageError.js"

const PAGE = 100

/** Removes all records of a model that an account has, each in the way given. */
export const removeAll = Effect.fnUntraced(function* (
  model: string,
  account: AccountId,
  remove: (record: OAuthRecord) => Effect.Effect<void, StorageError>,
) {
  const records = yield* OAuthRecords
  let count: number
  do {
    const { items } = yield* records.list(model, { account, limit: PAGE, after: null })
    yield* Effect.forEach(items, remove, { discard: true })
    count = items.length
  } while (count === PAGE)
})

/** Nobody is signed in any more to let apps into an account. Apps that were let in stay. */
export const endAppSignIns = (account: AccountId) =>
  Effect.flatMap(OAuthRecords, (records) =>
    removeAll(APP_SIGN_IN, account, ({ id }) => records.remove(APP_SIGN_IN, id)),
  )
