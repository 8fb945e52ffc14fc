import type { IncomingMessage } from "node:http"
import {
  addressesOf,
  makeIssuedTokens,
  makeOwnTokens,
  type Presented,
  TokenRefused,
} from "@earmark/authorization"
import type { Caller } from "@earmark/mcp"
import { Keys } from "@earmark/service"
import { Effect, Redacted } from "effect"
import type { AgentFacts } from "../AgentFacts.js"
import { headerOf } from "../requests/Arrived.js"

const CREDENTIALS = /^(bearer|dpop) +(\S+)$/i

/** How long what has been revoked may go on with a request that is under way. */
const LOOK_EVERY = "5 seconds"

const API_KEY = /^em_(?:live|test)_/

const presentedIn = (request: IncomingMessage, isUnderWay: boolean): Presented | null => {
  const [, scheme, token] = CREDENTIALS.exec(headerOf(request, "authorization") ?? "") ?? []
  if (scheme === undefined || token === undefined) return null
  return {
    token,
    scheme: scheme.toLowerCase() === "dpop" ? "dpop" : "bearer",
    proof: headerOf(request, "dpop"),
    isUnderWay,
    method: request.method ?? "",
  }
}

/** Whose request it is: by an API key, or by the token of an app. Null when it says nothing of that. */
export const makeVerify = ({ baseUrl, issuer }: Pick<AgentFacts, "baseUrl" | "issuer">) =>
  Effect.gen(function* () {
    const keys = yield* Keys
    const addresses = addressesOf(baseUrl)
    const ownTokens = yield* makeOwnTokens(addresses)
    const issuedTokens = issuer === null ? null : yield* makeIssuedTokens(addresses, issuer)

    const byKey = (token: string) =>
      keys.authenticate(Redacted.make(token)).pipe(
        Effect.map(({ account, scopes, key, isTest }): Caller => {
          return { account, scopes, key, isTest, canAskForScopes: false }
        }),
        Effect.catchTag("Unauthorized", () => new TokenRefused({ why: "The API key is not good" })),
      )

    const byToken = (presented: Presented) =>
      Effect.map(
        issuedTokens === null ? ownTokens(presented) : issuedTokens(presented),
        (verified): Caller => ({ ...verified, canAskForScopes: true }),
      )

    const verify = (request: IncomingMessage, isUnderWay: boolean) =>
      Effect.suspend(() => {
        const presented = presentedIn(request, isUnderWay)
        if (presented === null) return Effect.succeed(null)
        return presented.scheme === "bearer" && API_KEY.test(presented.token)
          ? byKey(presented.token)
          : byToken(presented)
      })

    /** Ends, with what became of it, when the caller of a request may no longer do all that it could when the request came. */
    const whileGood = (request: IncomingMessage, { scopes }: Caller) =>
      Effect.sleep(LOOK_EVERY).pipe(
        Effect.zipRight(verify(request, true)),
        Effect.catchTag("StorageError", "IssuerAway", () => Effect.succeed({ scopes })),
        Effect.repeat({
          until: (now) => now === null || !scopes.every((scope) => now.scopes.includes(scope)),
        }),
        Effect.zipRight(new TokenRefused({ why: "It allows less than when the request came" })),
      )

    return { verify: (request: IncomingMessage) => verify(request, false), whileGood }
  })
