import { AccountId, AccountNotFound, parseId } from "@earmark/core/jobs"
import type { Account, PlanLimits } from "@earmark/core/wire"
import { Clock, Context, Effect, Layer } from "effect"
import { Accounts } from "../ports/Accounts.js"
import type { Page, PageRequest } from "../ports/JobStore.js"
import type { StorageError } from "../ports/StorageError.js"
import { newAccountId } from "./Entropy.js"
import { ServiceConfig } from "./ServiceConfig.js"

type Unknown = AccountNotFound | StorageError

/** Accounts, as the operator sees them. */
export class Customers extends Context.Tag("@earmark/service/Customers")<
  Customers,
  {
    /** A new account, with the free credits of every new account. */
    readonly create: (account: {
      readonly name: string
      readonly email?: string | undefined
    }) => Effect.Effect<Account, StorageError>
    readonly findByEmail: (email: string) => Effect.Effect<Account | null, StorageError>
    readonly get: (id: string) => Effect.Effect<Account, Unknown>
    readonly list: (page: PageRequest) => Effect.Effect<Page<Account>, StorageError>
    readonly rename: (id: string, name: string) => Effect.Effect<Account, Unknown>
    readonly setLimits: (id: string, limits: PlanLimits) => Effect.Effect<Account, Unknown>
  }
>() {
  static readonly layer = Layer.effect(
    Customers,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { freeCredits } = yield* ServiceConfig

      const idOf = (text: string) =>
        Effect.mapError(parseId(AccountId)(text), () => new AccountNotFound({ id: text.slice(0, 64) }))

      const create = Effect.fn("Customers.create")(function* (given: {
        readonly name: string
        readonly email?: string | undefined
      }) {
        return yield* accounts.create({
          id: yield* newAccountId,
          name: given.name,
          email: given.email ?? null,
          freeCredits,
          createdAt: yield* Clock.currentTimeMillis,
        })
      })

      const get = Effect.fn("Customers.get")(function* (id: string) {
        return yield* accounts.get(yield* idOf(id))
      })

      const rename = Effect.fn("Customers.rename")(function* (id: string, name: string) {
        return yield* accounts.rename(yield* idOf(id), name)
      })

      const setLimits = Effect.fn("Customers.setLimits")(function* (id: string, limits: PlanLimits) {
        return yield* accounts.setLimits(yield* idOf(id), limits)
      })

      const { findByEmail, list } = accounts
      return Customers.of({ create, findByEmail, get, list, rename, setLimits })
    }),
  )
}
