import { Effect, Redacted, Schema } from "effect"
import { StoreKey } from "../ports/StoreKey.js"
import { Secrets } from "./Secrets.js"

/** The store was made with another secrets key than the one given: no API key and no secret in it would open. */
export class SecretsKeyDiffers extends Schema.TaggedError<SecretsKeyDiffers>()("SecretsKeyDiffers", {}) {
  override get message() {
    return "The secrets key is not the one that the store was made with: its API keys and webhook secrets would be of no use. Give the key of the store."
  }
}

/** Refuses a store of another key than this process has. One that has no record of its key gets this one. */
export const claimStore = Effect.gen(function* () {
  const { keys } = yield* Secrets
  const own = Redacted.value(keys).id
  const recorded = yield* (yield* StoreKey).claim(own)
  if (recorded !== own) return yield* new SecretsKeyDiffers()
})
