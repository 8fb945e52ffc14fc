import { createHash } from "node:crypto"
import type { AccountId } from "@earmark/core/jobs"
import { Context, Data, Effect, Layer } from "effect"
import { AccountLinks, type Identity } from "../ports/AccountLinks.js"
import { OAuthRecords } from "../ports/OAuthRecords.js"
import type { StorageError } from "../ports/StorageError.js"
import { Customers } from "../useCases/Customers.js"

/** Somebody who signed in elsewhere has no account here. */
export class IdentityUnknown extends Data.TaggedError("IdentityUnknown")<Identity> {
  override get message() {
    return "Nobody here has this sign-in. The operator of the server can link it to an account."
  }
}

/** What an identity provider says of somebody. */
export interface Described {
  readonly name: string | null
  readonly email: string | null
}

const LONGEST_NAME = 100

/** The model of an account that is being made. A process that ends meanwhile holds it up for so long. */
const FIRST = "FirstSignIn"
const FIRST_SECONDS = 10
const LOOK_EVERY = "50 millis"

const hashOf = ({ issuer, subject }: Identity): string =>
  createHash("sha256")
    .update(JSON.stringify([issuer, subject]))
    .digest("base64url")

const nameOf = ({ name, email }: Described, { subject }: Identity): string =>
  [name, email, subject]
    .map((each) =>
      (each ?? "")
        .replace(/\p{Cc}+/gu, " ")
        .trim()
        .slice(0, LONGEST_NAME),
    )
    .find((each) => each !== "") ?? "somebody"

/** People who sign in elsewhere, and their accounts here. */
export class Identities extends Context.Tag("@earmark/service/Identities")<
  Identities,
  {
    readonly accountOf: (
      identity: Identity,
      described: Described,
    ) => Effect.Effect<AccountId, IdentityUnknown | StorageError>
  }
>() {
  /** `newAccounts`: whoever comes for the first time gets an account; otherwise the operator links people to theirs. */
  static readonly layer = ({ newAccounts }: { readonly newAccounts: boolean }) =>
    Layer.effect(
      Identities,
      Effect.gen(function* () {
        const links = yield* AccountLinks
        const customers = yield* Customers
        const records = yield* OAuthRecords

        const makeAccount = Effect.fnUntraced(function* (identity: Identity, described: Described) {
          const made = yield* links.find(identity)
          if (made !== null) return made
          const { id } = yield* customers.create({
            name: nameOf(described, identity),
            email: described.email ?? undefined,
          })
          return yield* links.link(identity, id).pipe(Effect.catchTag("AccountNotFound", Effect.die))
        })

        const accountOf = Effect.fn("Identities.accountOf")(function* (
          identity: Identity,
          described: Described,
        ) {
          const known = yield* links.find(identity)
          if (known !== null) return known
          if (!newAccounts) return yield* new IdentityUnknown(identity)
          const first = { model: FIRST, id: hashOf(identity), payload: {}, seconds: FIRST_SECONDS }
          // Of several first requests of somebody, on any process, one makes the account.
          while (!(yield* records.add(first))) {
            yield* Effect.sleep(LOOK_EVERY)
            const made = yield* links.find(identity)
            if (made !== null) return made
          }
          // Where the record cannot be removed, it ends by itself.
          return yield* Effect.ensuring(
            makeAccount(identity, described),
            Effect.ignore(records.remove(FIRST, first.id)),
          )
        })

        return Identities.of({ accountOf })
      }),
    )
}
