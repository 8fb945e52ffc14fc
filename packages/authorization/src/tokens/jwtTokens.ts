import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from "jose"

/** An identity provider, and what we ask of its tokens. */
export interface IssuerFacts {
  readonly issuer: string
  /** Whom tokens are for. */
  readonly audience: string
  readonly fetch: typeof globalThis.fetch
}

/** What a good token says of somebody. */
export interface Said {
  readonly subject: string
  readonly scope: string
  readonly name: string | null
  readonly email: string | null
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null)

const scopeOf = (payload: Readonly<Record<string, unknown>>): string => {
  const { scope, scp } = payload
  if (Array.isArray(scp)) return scp.filter((each) => typeof each === "string").join(" ")
  return text(scope) ?? text(scp) ?? ""
}

/** Where an issuer has its metadata: RFC 8414, then OpenID Connect. */
const metadataPlaces = (issuer: string): ReadonlyArray<string> => {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, "")
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
}

/** The metadata of an issuer. */
export const readMetadata = async (
  issuer: string,
  fetch: typeof globalThis.fetch,
): Promise<Readonly<Record<string, unknown>>> => {
  for (const place of metadataPlaces(issuer)) {
    // It may be at one place and not at the other; what is at neither is told below.
    const answer = await fetch(place, { headers: { accept: "application/json" } }).catch(() => null)
    if (answer === null || !answer.ok) continue
    const body: unknown = await answer.json()
    if (typeof body !== "object" || body === null) continue
    const metadata: Readonly<Record<string, unknown>> = { ...body }
    if (metadata.issuer === issuer) return metadata
  }
  throw new Error(`${issuer} has no metadata that names it as the issuer`)
}

/** Whether a failure lies with the token, and not with whoever should tell about it. */
const isAboutToken = (error: unknown): boolean =>
  error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)

/** Reads tokens of another authorization server: its signature, and that they are meant for us. Null for any that are not good. */
export const makeJwtTokens = ({ issuer, audience, fetch }: IssuerFacts) => {
  let keys: Promise<JWTVerifyGetKey> | undefined

  const load = async (): Promise<JWTVerifyGetKey> => {
    const { jwks_uri } = await readMetadata(issuer, fetch)
    if (typeof jwks_uri !== "string") throw new Error(`${issuer} names no keys`)
    return createRemoteJWKSet(new URL(jwks_uri), { [customFetch]: fetch })
  }

  return async (token: string): Promise<Said | null> => {
    keys ??= load()
    const known = await keys.catch((error: unknown) => {
      // Asked again with the next token.
      keys = undefined
      throw error
    })
    try {
      const { payload } = await jwtVerify(token, known, {
        issuer,
        audience,
        typ: "at+jwt",
        clockTolerance: 5,
        requiredClaims: ["sub", "exp"],
      })
      const subject = text(payload.sub)
      // One that is bound to a key of its sender opens nothing without the proof, which is not read here.
      return subject === null || payload.cnf !== undefined
        ? null
        : { subject, scope: scopeOf(payload), name: text(payload.name), email: text(payload.email) }
    } catch (error) {
      if (isAboutToken(error)) return null
      throw error
    }
  }
}
