import { createHash } from "node:crypto"
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from "jose"

const MOST_SECONDS = 300

const ALGORITHMS = ["ES256", "ES384", "ES512", "PS256", "RS256", "EdDSA", "Ed25519"]

export interface ProofFacts {
  readonly proof: string
  readonly token: string
  readonly method: string
  /** The address without its query. */
  readonly address: string
  /** The thumbprint of the key that the token is bound to. */
  readonly thumbprint: string
  readonly now: Date
}

/** What names a proof that is right, so that it is used once; null for any other. */
export const proofId = async (facts: ProofFacts): Promise<string | null> => {
  try {
    const { payload, protectedHeader } = await jwtVerify(facts.proof, EmbeddedJWK, {
      typ: "dpop+jwt",
      algorithms: ALGORITHMS,
      currentDate: facts.now,
      maxTokenAge: MOST_SECONDS,
      clockTolerance: 5,
      requiredClaims: ["jti", "iat", "htm", "htu", "ath"],
    })
    const { jwk } = protectedHeader
    if (jwk === undefined || (await calculateJwkThumbprint(jwk)) !== facts.thumbprint) return null
    const address = typeof payload.htu === "string" && URL.canParse(payload.htu) ? new URL(payload.htu) : null
    const hash = createHash("sha256").update(facts.token).digest("base64url")
    const isRight =
      payload.htm === facts.method &&
      payload.ath === hash &&
      address !== null &&
      `${address.origin}${address.pathname}` === facts.address
    return isRight ? `${facts.thumbprint} ${payload.jti}` : null
  } catch {
    return null
  }
}
