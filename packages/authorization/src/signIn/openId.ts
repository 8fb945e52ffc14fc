import { createHash } from "node:crypto"
import { createRemoteJWKSet, customFetch, jwtVerify } from "jose"
import { readMetadata } from "../tokens/jwtTokens.js"

export interface OpenIdFacts {
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: string | null
  readonly fetch: typeof globalThis.fetch
}

/** What is known of an attempt on both ways. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly returnTo: string
}

export interface Person {
  readonly subject: string
  readonly name: string | null
  readonly email: string | null
}

/** The provider did not say who somebody is. */
export class NotIdentified extends Error {
  override readonly name = "NotIdentified"
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** A provider of OpenID Connect, of which people sign in with the code flow. */
export const makeOpenId = async ({ issuer, clientId, clientSecret, fetch }: OpenIdFacts) => {
  const metadata = await readMetadata(issuer, fetch)
  const endpoint = (name: string): string => {
    const address = text(metadata[name])
    if (address === null || !URL.canParse(address)) throw new Error(`${issuer} has no ${name}`)
    return address
  }
  const authorization = endpoint("authorization_endpoint")
  const token = endpoint("token_endpoint")
  const keys = createRemoteJWKSet(new URL(endpoint("jwks_uri")), { [customFetch]: fetch })

  /** `isAgain`: the provider asks the person, even one whom it knows already. */
  const addressOf = ({ state, nonce, verifier, returnTo }: Attempt, isAgain = false): string => {
    const address = new URL(authorization)
    const challenge = createHash("sha256").update(verifier).digest("base64url")
    const parameters = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: returnTo,
      scope: "openid profile email",
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...(isAgain && { prompt: "login" }),
    }
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
    return address.href
  }

  const credentials = (): Readonly<Record<string, string>> => {
    if (clientSecret === null) return {}
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
    return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` }
  }

  const exchange = async (code: string, { verifier, returnTo }: Attempt): Promise<string> => {
    const fields = {
      grant_type: "authorization_code",
      code,
      redirect_uri: returnTo,
      code_verifier: verifier,
      ...(clientSecret === null && { client_id: clientId }),
    }
    const answer = await fetch(token, {
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
        ...credentials(),
      },
      body: new URLSearchParams(fields).toString(),
    })
    const body: unknown = await answer.json()
    const idToken = isObject(body) ? text(body.id_token) : null
    if (!answer.ok || idToken === null) throw new NotIdentified(`The provider answered ${answer.status}`)
    return idToken
  }

  /** Who somebody is, from what the provider added to the address that it sent them back to. */
  const identify = async (answers: Readonly<Record<string, string>>, attempt: Attempt): Promise<Person> => {
    const { code, state, iss } = answers
    if (code === undefined || state !== attempt.state || (iss !== undefined && iss !== issuer)) {
      throw new NotIdentified("The answer of the provider is not one to this question")
    }
    const { payload } = await jwtVerify(await exchange(code, attempt), keys, {
      issuer,
      audience: clientId,
      clockTolerance: 5,
      requiredClaims: ["sub", "exp", "nonce"],
    })
    const subject = text(payload.sub)
    if (subject === null || payload.nonce !== attempt.nonce)
      throw new NotIdentified("The nonce is another one")
    // A token for several names the one that asked for it.
    const isForOthers = Array.isArray(payload.aud) && payload.aud.length > 1
    if (payload.azp === undefined ? isForOthers : payload.azp !== clientId)
      throw new NotIdentified("The token was made for another client")
    const email = payload.email_verified === false ? null : text(payload.email)
    return { subject, name: text(payload.name), email }
  }

  return { addressOf, identify }
}
