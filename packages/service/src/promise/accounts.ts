/** Accounts, their keys and their credits. */
import {
  Account,
  ApiKey,
  ApiKeyWithValue,
  type CreateTranscription,
  Credits,
  decodeQuote,
  decodeRequest,
  LedgerEntry,
  listOf,
  PageQuery,
  Quote,
  type TranscribeFeed,
  Usage,
  UsageQuery,
} from "@earmark/core/jobs"
import { Effect, Either, Redacted, Schema } from "effect"
import { CreditDesk } from "../useCases/CreditDesk.js"
import { Customers } from "../useCases/Customers.js"
import { Keys } from "../useCases/Keys.js"
import { Quotes } from "../useCases/Quotes.js"
import { callsOf, type Door, type Wire } from "./door.js"

export const accounts = ({ run }: Door) => ({
  create: (account: { readonly name: string; readonly email?: string }) =>
    run(
      Effect.gen(function* () {
        const customers = yield* Customers
        return Schema.encodeSync(Account)(yield* customers.create(account))
      }),
    ),
})

export const keys = (door: Door) => {
  const ask = callsOf(door, Keys)
  return {
    create: (account: string, name?: string) =>
      ask(account, (service, owner) =>
        Effect.map(service.create(owner, { name }), Schema.encodeSync(ApiKeyWithValue)),
      ),
    list: (account: string, query: Wire<typeof PageQuery> = {}) =>
      ask(account, (service, owner) =>
        Effect.gen(function* () {
          const page = yield* service.list(owner, yield* decodeRequest(PageQuery)(query))
          return Schema.encodeSync(listOf(ApiKey))(page)
        }),
      ),
    revoke: (account: string, id: string) =>
      ask(account, (service, owner) => Effect.map(service.revoke(owner, id), Schema.encodeSync(ApiKey))),
    /** The account that a key belongs to; null for one that is not good. */
    accountOf: (value: string) =>
      door.run(
        Effect.gen(function* () {
          const service = yield* Keys
          const bearer = yield* Effect.either(service.authenticate(Redacted.make(value)))
          if (Either.isRight(bearer)) return bearer.right.account
          return bearer.left._tag === "Unauthorized" ? null : yield* bearer.left
        }),
      ),
  }
}

export const credits = (door: Door) => {
  const ask = callsOf(door, CreditDesk)
  return {
    get: (account: string) =>
      ask(account, (service, owner) => Effect.map(service.get(owner), Schema.encodeSync(Credits))),
    entries: (account: string, query: Wire<typeof PageQuery> = {}) =>
      ask(account, (service, owner) =>
        Effect.gen(function* () {
          const page = yield* service.entries(owner, yield* decodeRequest(PageQuery)(query))
          return Schema.encodeSync(listOf(LedgerEntry))(page)
        }),
      ),
    usage: (account: string, query: Wire<typeof UsageQuery> = {}) =>
      ask(account, (service, owner) =>
        Effect.gen(function* () {
          const used = yield* service.usage(owner, yield* decodeRequest(UsageQuery)(query))
          return Schema.encodeSync(Usage)(used)
        }),
      ),
    /** Credits from the operator; the same reference counts once. */
    grant: (
      account: string,
      grant: { readonly credits: number; readonly reference: string; readonly asPurchase?: boolean },
    ) =>
      ask(account, (service, owner) =>
        service.grant(owner, { ...grant, asPurchase: grant.asPurchase === true }),
      ),
  }
}

/** What a transcription or a whole feed would cost. */
export const quote = (door: Door) => {
  const ask = callsOf(door, Quotes)
  return (account: string, body: Wire<typeof CreateTranscription> | Wire<typeof TranscribeFeed>) =>
    ask(account, (service, owner) =>
      Effect.gen(function* () {
        return Schema.encodeSync(Quote)(yield* service.quote(owner, yield* decodeQuote(body)))
      }),
    )
}
