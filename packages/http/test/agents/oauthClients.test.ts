/** OAuth clients of others, as they come: from the address of the server to a tool, through a refresh, until the token is revoked. */
import { createServer, type Server } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as oauth from "oauth4webapi"
import * as openid from "openid-client"
import { freePort } from "../../../../test/servers/processes.js"
import { rpc, withToken } from "./app.js"
import { makeBrowser } from "./browser.js"
import { type Host, startHost } from "./world.js"

let host: Host
let key: string
let listener: Server
/** Where the program listens, on the port of the moment. */
let callback: string
/** What came to the listener of the program, in order. */
const arrived: Array<URL> = []

beforeAll(async () => {
  host = await startHost()
  key = (await host.newKey()).key
  const port = await freePort()
  callback = `http://127.0.0.1:${port}/callback`
  listener = createServer((request, response) => {
    arrived.push(new URL(request.url ?? "/", callback))
    response.end("You can close this window.")
  })
  await new Promise<void>((resolve) => listener.listen(port, "127.0.0.1", resolve))
})

afterAll(async () => {
  listener?.close()
  await host?.stop()
})

/** Without the port: that is known only when the program listens. */
const REGISTERED = "http://127.0.0.1/callback"

/** A person signs in and allows; their browser opens the address of the program, which answers what it was given. */
const visit = async (address: URL): Promise<URL> => {
  const answer = await makeBrowser().allow(address.href, key)
  await (await fetch(answer)).text()
  const seen = arrived.at(-1) ?? assert.fail("nothing came to the program")
  assert.strictEqual(seen.href, answer.href)
  return seen
}

/** The status of a tool that is called with a token. */
const tool = async (token: string): Promise<number> => (await rpc(host, withToken(token))).status

const READ = "transcriptions:read"

describe("openid-client", () => {
  for (const algorithm of ["oidc", "oauth2"] as const) {
    const options = { algorithm, execute: [openid.allowInsecureRequests] }

    const signIn = async (config: openid.Configuration, scope: string) => {
      const verifier = openid.randomPKCECodeVerifier()
      const state = openid.randomState()
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope,
        state,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      })
      const checks = { pkceCodeVerifier: verifier, expectedState: state }
      return openid.authorizationCodeGrant(config, await visit(address), checks)
    }

    for (const metadata of [
      { redirect_uris: [REGISTERED], token_endpoint_auth_method: "none" },
      { redirect_uris: [REGISTERED] },
    ]) {
      const client = "token_endpoint_auth_method" in metadata ? "a public client" : "a client with a secret"
      it(`${algorithm}, ${client}: registers, signs in, calls, refreshes and revokes`, async () => {
        const config = await openid.dynamicClientRegistration(
          new URL(host.base),
          metadata,
          undefined,
          options,
        )
        assert.isTrue(config.serverMetadata().supportsPKCE())
        const tokens = await signIn(config, READ)
        assert.strictEqual(tokens.scope, READ)
        assert.strictEqual(tokens.expires_in, 3600)
        assert.strictEqual(await tool(tokens.access_token), 200)

        const fresh = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "")
        assert.notStrictEqual(fresh.access_token, tokens.access_token)
        assert.strictEqual(await tool(fresh.access_token), 200)

        await openid.tokenRevocation(config, fresh.refresh_token ?? "")
        await openid.tokenRevocation(config, fresh.access_token)
        assert.strictEqual(await tool(fresh.access_token), 401)
        const refused = await openid
          .refreshTokenGrant(config, fresh.refresh_token ?? "")
          .catch((error) => error)
        assert.instanceOf(refused, openid.ResponseBodyError)
        assert.strictEqual(refused.error, "invalid_grant")
      })
    }

    it(`${algorithm}: asks for openid, and is known again by its id and secret alone`, async () => {
      const registered = await openid.dynamicClientRegistration(
        new URL(host.base),
        { redirect_uris: [REGISTERED] },
        undefined,
        options,
      )
      const { client_id, client_secret } = registered.clientMetadata()
      const config = await openid.discovery(new URL(host.base), client_id, client_secret, undefined, options)
      const tokens = await signIn(config, `openid ${READ}`)
      assert.isUndefined(tokens.claims())
      assert.strictEqual(await tool(tokens.access_token), 200)
    })

    it(`${algorithm}: pushes what it asks, and binds its token to a key`, async () => {
      const config = await openid.dynamicClientRegistration(
        new URL(host.base),
        { redirect_uris: [REGISTERED], token_endpoint_auth_method: "none" },
        undefined,
        options,
      )
      const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair())
      const verifier = openid.randomPKCECodeVerifier()
      const address = await openid.buildAuthorizationUrlWithPAR(
        config,
        {
          redirect_uri: callback,
          scope: READ,
          resource: host.mcp,
          code_challenge: await openid.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        },
        { DPoP },
      )
      const answer = await visit(address)
      const tokens = await openid.authorizationCodeGrant(
        config,
        answer,
        { pkceCodeVerifier: verifier },
        undefined,
        { DPoP },
      )
      assert.strictEqual(tokens.token_type, "dpop")
      assert.strictEqual(await tool(tokens.access_token), 401)
      const clientInfo = { name: "program", version: "1" }
      const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }
      const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params }
      const headers = new Headers({
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      })
      const { status } = await openid.fetchProtectedResource(
        config,
        tokens.access_token,
        new URL(host.mcp),
        "POST",
        JSON.stringify(hello),
        headers,
        { DPoP },
      )
      assert.strictEqual(status, 200)
      const fresh = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "", undefined, { DPoP })
      assert.strictEqual(fresh.token_type, "dpop")
    })
  }
})

describe("oauth4webapi", () => {
  const insecure = { [oauth.allowInsecureRequests]: true }

  /** As a client of a protected resource does it: the resource names the server. */
  const discover = async (algorithm: "oidc" | "oauth2") => {
    const resource = new URL(host.mcp)
    const named = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, insecure),
    )
    const issuer = new URL(named.authorization_servers?.[0] ?? "")
    const response = await oauth.discoveryRequest(issuer, { algorithm, ...insecure })
    return oauth.processDiscoveryResponse(issuer, response)
  }

  for (const algorithm of ["oidc", "oauth2"] as const) {
    it(`${algorithm}: finds the server by the resource, registers, signs in, calls, refreshes and revokes`, async () => {
      const server = await discover(algorithm)
      const client = await oauth.processDynamicClientRegistrationResponse(
        await oauth.dynamicClientRegistrationRequest(
          server,
          {
            redirect_uris: [REGISTERED],
            client_name: "A program",
            token_endpoint_auth_method: "client_secret_basic",
          },
          insecure,
        ),
      )
      const { client_secret: secret } = client
      const authentication = oauth.ClientSecretBasic(typeof secret === "string" ? secret : "")
      const verifier = oauth.generateRandomCodeVerifier()
      const nonce = oauth.generateRandomNonce()
      const state = oauth.generateRandomState()
      const address = new URL(server.authorization_endpoint ?? "")
      for (const [name, value] of Object.entries({
        client_id: client.client_id,
        redirect_uri: callback,
        response_type: "code",
        scope: `openid ${READ}`,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      }))
        address.searchParams.set(name, value)
      const parameters = oauth.validateAuthResponse(server, client, await visit(address), state)
      const tokens = await oauth.processAuthorizationCodeResponse(
        server,
        client,
        await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          parameters,
          callback,
          verifier,
          insecure,
        ),
      )
      assert.strictEqual(await tool(tokens.access_token), 200)

      const fresh = await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(
          server,
          client,
          authentication,
          tokens.refresh_token ?? "",
          insecure,
        ),
      )
      assert.strictEqual(await tool(fresh.access_token), 200)

      const revoked = await oauth.revocationRequest(
        server,
        client,
        authentication,
        fresh.access_token,
        insecure,
      )
      await oauth.processRevocationResponse(revoked)
      assert.strictEqual(await tool(fresh.access_token), 401)
    })
  }

  it("understands why a token is refused", async () => {
    const refused = await oauth
      .protectedResourceRequest("expired", "POST", new URL(host.mcp), undefined, null, insecure)
      .catch((error: unknown) => error)
    assert.instanceOf(refused, oauth.WWWAuthenticateChallengeError)
    assert.strictEqual(refused.cause[0]?.parameters.error, "invalid_token")
    assert.strictEqual(
      refused.cause[0]?.parameters.resource_metadata,
      `${host.base}/.well-known/oauth-protected-resource/api/mcp`,
    )
  })
})
