import type { IncomingMessage } from "node:http"
import { tooManyFailures } from "@earmark/service"
import Provider, { errors, interactionPolicy, type KoaContextWithOIDC } from "oidc-provider"
import { errorPage } from "../pages/errorPage.js"
import { APP_SCOPES, appScopesIn } from "../scopes.js"
import { makeAdapter } from "./adapter.js"
import { correctionsOf, GRANT_TYPES, RESPONSE_TYPES } from "./clientCorrections.js"
import { problemOfClient } from "./clientLimits.js"
import type { ServerFacts } from "./ServerFacts.js"

const HOUR = 3600
const DAY = 24 * HOUR

/** Where access is asked for, before anybody signs in. */
const ASKING: ReadonlyArray<string | undefined> = ["authorization", "pushed_authorization_request"]

/** The library would ask for a sign-in and a consent first, and find then that there is nothing to give (RFC 6749, 3.3). */
const requireKnownScope = ({ oidc }: KoaContextWithOIDC): void => {
  const scope = String(oidc.params?.scope ?? "")
  if (!ASKING.includes(oidc.route) || appScopesIn(scope).length > 0) return
  const description = `None of the requested scopes exists here. Request ${APP_SCOPES.join(", ")}, or no scope for all of them`
  throw new errors.InvalidScope(description, scope)
}

/** A sign-in lets apps in for a day, and no longer than the key that it was made with. */
const policyOf = ({ isSignedIn }: ServerFacts) => {
  const policy = interactionPolicy.base()
  policy.get("login")?.checks.add(
    new interactionPolicy.Check("sign_in_over", "The sign-in has ended", async ({ oidc }) => {
      const { session, result } = oidc
      const subject = session?.accountId
      if (session === undefined || subject === undefined || result?.login !== undefined) return false
      return session.past(DAY) || !(await isSignedIn(subject))
    }),
  )
  return policy
}

/** The library, set up for what apps that speak MCP do. */
export const makeProvider = (
  facts: ServerFacts,
  addressOf: (request: IncomingMessage) => string,
): Provider => {
  const { issuer, resource, isSecure } = facts.addresses
  const cookie = { signed: true, httpOnly: true, sameSite: "lax", secure: isSecure } as const

  const provider = new Provider(issuer, {
    adapter: makeAdapter(facts),
    jwks: { keys: [...facts.keys.signing] },
    fetch: facts.fetch,
    cookies: {
      keys: [...facts.keys.cookies],
      names: { session: "earmark_session", interaction: "earmark_interaction", resume: "earmark_resume" },
      long: cookie,
      short: cookie,
    },
    findAccount: async (_, sub) => {
      const name = await facts.accountName(sub)
      return name === null ? undefined : { accountId: sub, claims: () => ({ sub }) }
    },
    scopes: [...APP_SCOPES],
    claims: {},
    responseTypes: [...RESPONSE_TYPES],
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: () => true },
    clientDefaults: {
      grant_types: [...GRANT_TYPES],
      response_types: [...RESPONSE_TYPES],
      token_endpoint_auth_method: "none",
      id_token_signed_response_alg: "ES256",
    },
    // Both for clients that register and for those with a document. The library asks once for each name.
    extraClientMetadata: {
      properties: ["application_type"],
      validator: (_, __, ___, metadata) => void Object.assign(metadata, correctionsOf({ ...metadata })),
    },
    clientAuthMethods: ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"],
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    rotateRefreshToken: true,
    // Apps seldom ask for offline_access: whoever can refresh is given what it takes.
    issueRefreshToken: (_, client) => client.grantTypeAllowed("refresh_token"),
    expiresWithSession: () => false,
    routes: {
      authorization: "/oauth/authorize",
      token: "/oauth/token",
      registration: "/oauth/register",
      revocation: "/oauth/revoke",
      jwks: "/oauth/jwks",
      pushed_authorization_request: "/oauth/par",
    },
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: 60,
      IdToken: HOUR,
      Interaction: HOUR / 4,
      Session: DAY,
      Grant: 90 * DAY,
      RefreshToken: 30 * DAY,
    },
    interactions: { url: (_, { uid }) => `/oauth/interaction/${uid}`, policy: policyOf(facts) },
    renderError: (context, out) => {
      const page = errorPage(context.status, sentenceOf(out.error), out.error)
      context.set({ ...page.headers })
      context.body = page.html
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      dPoP: { enabled: true },
      pushedAuthorizationRequests: { enabled: true },
      clientIdMetadataDocument: {
        enabled: true,
        ack: "draft-02",
        allowFetch: () => true,
        allowClient: (_, client) => problemOfClient(client.metadata()) === null,
      },
      resourceIndicators: {
        enabled: true,
        // Whoever names no resource gets a token for ours all the same.
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (context, indicator) => {
          if (indicator.replace(/\/$/, "") !== resource) throw new errors.InvalidTarget()
          requireKnownScope(context)
          return {
            scope: APP_SCOPES.join(" "),
            audience: resource,
            accessTokenTTL: HOUR,
            accessTokenFormat: "opaque",
          }
        },
      },
    },
  })
  // The library offers `openid` by itself.
  provider.use(async (context, next) => {
    await next()
    if (context.oidc?.route === "discovery") {
      context.body = { ...Object(context.body), scopes_supported: APP_SCOPES }
    }
  })
  // What it refuses is counted, and answered with a wait once there was too much of it.
  provider.use(async (context, next) => {
    await next()
    if (context.status !== 400 && context.status !== 401) return
    const seconds = await facts.countFailed(addressOf(context.req))
    if (seconds === null) return
    const sentence = tooManyFailures(seconds)
    const page = errorPage(429, sentence, "temporarily_unavailable")
    const isPage = context.response.is("html") !== false
    context.status = 429
    context.set(isPage ? { ...page.headers } : { "Cache-Control": "no-store" })
    context.set("Retry-After", String(seconds))
    context.body = isPage ? page.html : { error: "temporarily_unavailable", error_description: sentence }
  })
  // The headers it believes are those that we write.
  provider.proxy = true
  provider.on("server_error", (_, error) => facts.onError("The authorization server failed", error))
  return provider
}

const SENTENCES: Readonly<Record<string, string>> = {
  invalid_client: "The app is not known here, or no longer.",
  invalid_redirect_uri: "The app wants its answer at an address that it has not registered.",
  session_not_found: "This request to connect has expired, or was begun in another browser.",
  server_error: "Something went wrong on our side.",
}

const sentenceOf = (code: string): string =>
  SENTENCES[code] ?? "The app asked for access in a way that is not possible."
