import { createHash } from "node:crypto"
import { OAuthRecords } from "@earmark/service"
import { DateTime, Effect, Either, Schema } from "effect"
import type { Addresses } from "../addresses.js"
import { parseSubject, type Subject } from "../Subject.js"
import { appScopesIn } from "../scopes.js"
import { storedId } from "../tokenId.js"
import { type Presented, TokenRefused } from "./Verified.js"

const Kept = Schema.Struct({
  accountId: Schema.String,
  aud: Schema.Union(Schema.String, Schema.Array(Schema.String)),
  scope: Schema.optionalWith(Schema.String, { default: () => "" }),
  jkt: Schema.optional(Schema.String),
})

const readKept = Schema.decodeUnknownEither(Kept)

const PROOF_SECONDS = 600

const refused = (why: string) => new TokenRefused({ why })

const unknown = refused("The token is unknown, has expired or was revoked")

// The library for signatures is loaded when the first app has a key of its own.
const loadProof = Effect.promise(() => import("./proof.js"))

/** Reads the tokens of our own authorization server: one look into the store, so that what is revoked is so at once. */
export const makeOwnTokens = ({ resource }: Addresses) =>
  Effect.map(OAuthRecords, (records) => {
    const isProven = Effect.fnUntraced(function* (thumbprint: string, presented: Presented) {
      const { proof, token, method } = presented
      if (presented.scheme !== "dpop" || proof === undefined) return false
      if (presented.isUnderWay) return true
      const { proofId } = yield* loadProof
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const facts = { proof, token, method, address: resource, thumbprint, now }
      const id = yield* Effect.promise(() => proofId(facts))
      if (id === null) return false
      const hashed = createHash("sha256").update(id).digest("base64url")
      return yield* records.add({ model: "UsedProof", id: hashed, payload: {}, seconds: PROOF_SECONDS })
    })

    return Effect.fn("ownTokens.verify")(function* (presented: Presented) {
      const record = yield* records.find("AccessToken", storedId("AccessToken", presented.token))
      const kept = Either.getOrNull(readKept(record?.payload))
      if (kept === null) return yield* unknown
      const subject = parseSubject(kept.accountId)
      const audiences = typeof kept.aud === "string" ? [kept.aud] : kept.aud
      if (subject === null || !audiences.includes(resource)) {
        return yield* refused("The token is for something else")
      }
      const isBound = kept.jkt !== undefined
      if (isBound && !(yield* isProven(kept.jkt, presented)))
        return yield* refused("The token needs its proof")
      if (!isBound && presented.scheme === "dpop") return yield* refused("The token is bound to no key")
      const scopes = appScopesIn(kept.scope).filter((scope) => subject.scopes.includes(scope))
      const verified: Subject = { ...subject, scopes }
      return verified
    })
  })
