import { trimEndOf } from "@earmark/core/text"
import { Fetcher, FoundOnce, Identities } from "@earmark/service"
import { Effect } from "effect"
import type { Addresses } from "../addresses.js"
import { fetchThrough } from "../fetchThrough.js"
import type { Subject } from "../Subject.js"
import { appScopesIn } from "../scopes.js"
import { IssuerAway, type Presented, TokenRefused } from "./Verified.js"

const loadJwt = Effect.promise(() => import("./jwtTokens.js"))

const refused = (why: string) => new TokenRefused({ why })

/** Reads the tokens of the issuer that the operator chose instead of ours. */
export const makeIssuedTokens = ({ resource }: Addresses, issuer: string) =>
  Effect.gen(function* () {
    const identities = yield* Identities
    const fetch = fetchThrough(yield* Fetcher, { trusted: true })
    const reading = yield* FoundOnce.one(
      Effect.map(loadJwt, ({ makeJwtTokens }) => makeJwtTokens({ issuer, audience: resource, fetch })),
    )

    return Effect.fn("issuedTokens.verify")(function* ({ token, scheme }: Presented) {
      if (scheme !== "bearer") return yield* refused("Tokens of this issuer are sent as Bearer")
      const read = yield* reading
      const said = yield* Effect.tryPromise({
        try: () => read(token),
        catch: (cause) => new IssuerAway({ cause }),
      }).pipe(Effect.tapError((error) => Effect.logWarning("The issuer of tokens cannot be reached", error)))
      if (said === null) return yield* refused("The token is not good, or meant for something else")
      const account = yield* identities
        .accountOf({ issuer, subject: said.subject }, said)
        .pipe(Effect.catchTag("IdentityUnknown", ({ message }) => refused(trimEndOf(message, "."))))
      const verified: Subject = { account, isTest: false, scopes: appScopesIn(said.scope), key: null }
      return verified
    })
  })
