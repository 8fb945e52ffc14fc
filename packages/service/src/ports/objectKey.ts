import { AccountId } from "@earmark/core/jobs"
import { parseMediaRef } from "@earmark/core/wire"
import { Either, Schema } from "effect"

const isAccount = Schema.is(AccountId)

/** Whether a text has the shape of a key that objects are stored under. No other text may become a path or an address. */
export const isObjectKey = (key: string): boolean => {
  const account = key.split("/", 2)[1]
  return isAccount(account) && Either.isRight(parseMediaRef(key, account))
}
