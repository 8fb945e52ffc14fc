import { createHash } from "node:crypto"
import { AccountId } from "@earmark/core/jobs"
import { makeMediaRef, parseMediaRef } from "@earmark/core/wire"
import { Either, Schema } from "effect"

const isAccount = Schema.is(AccountId)

/** Whether a text has the shape of a key that objects are stored under. No other text may become a path or an address. */
export const isObjectKey = (key: string): boolean => {
  const account = key.split("/", 2)[1]
  return isAccount(account) && Either.isRight(parseMediaRef(key, account))
}

/** A key that follows from what it is for, so that nothing has to remember it. It has the shape of the key of an upload. */
export const derivedRef = (account: AccountId, purpose: string, contentType: string): string => {
  const hex = createHash("sha256").update(purpose).digest("hex")
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)]
  return makeMediaRef(account, uuid.join("-"), contentType)
}
