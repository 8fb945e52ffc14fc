/** The clients that most hosts are made with, whole: from nothing to a tool, and through a step-up and a refresh. */

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client"
import { UnauthorizedError as OldUnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { REDIRECT } from "./app.js"
import { makeBrowser } from "./browser.js"
import { type Host, startHost } from "./world.js"

let host: Host
let key: string

beforeAll(async () => {
  host = await startHost()
  key = (await host.newKey()).key
})

afterAll(() => host.stop())

/** What an app keeps between its steps, for one kind of client or the other. */
const makeProvider = <Information, Tokens extends { access_token: string; scope?: string | undefined }>() => {
  const browser = makeBrowser()
  let information: Information | undefined
  let tokens: Tokens | undefined
  let verifier = ""
  let answer: URL | undefined
  let visits = 0
  return {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: "A client",
      redirect_uris: [REDIRECT],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => information,
    saveClientInformation: (saved: Information) => {
      information = saved
    },
    tokens: () => tokens,
    saveTokens: (saved: Tokens) => {
      tokens = saved
    },
    redirectToAuthorization: async (address: URL) => {
      visits += 1
      answer = await browser.allow(address.href, key)
    },
    saveCodeVerifier: (saved: string) => {
      verifier = saved
    },
    codeVerifier: () => verifier,
    answer: () => answer ?? new URL(REDIRECT),
    visits: () => visits,
    breakToken: () => {
      if (tokens !== undefined) tokens = { ...tokens, access_token: "expired" }
    },
  }
}

interface Tokens {
  access_token: string
  token_type: string
  scope?: string | undefined
  refresh_token?: string | undefined
}

const call = (name: string) => ({ name, arguments: {} })

describe("clients of others", () => {
  for (const mode of ["legacy", "auto"] as const) {
    it(`the second kit, ${mode}: registers, signs in, calls, and refreshes`, async () => {
      const provider = makeProvider<{ client_id: string }, Tokens>()
      const transport = () => new StreamableHTTPClientTransport(new URL(host.mcp), { authProvider: provider })
      const client = new Client({ name: "flow", version: "0" }, { versionNegotiation: { mode } })
      const first = transport()
      const refused = await client.connect(first).then(
        () => null,
        (error: unknown) => error,
      )
      assert.instanceOf(refused, UnauthorizedError)
      await first.finishAuth(provider.answer().searchParams)
      await client.connect(transport())
      assert.include(JSON.stringify(await client.callTool(call("test_write"))), "test_write done")
      provider.breakToken()
      assert.include(JSON.stringify(await client.callTool(call("test_read"))), "test_read done")
      assert.notStrictEqual(provider.tokens()?.access_token, "expired")
      assert.strictEqual(provider.visits(), 1)
      await client.close()
    })
  }

  it("the first kit: registers, signs in once for all everyday scopes, calls, and refreshes", async () => {
    const provider = makeProvider<{ client_id: string }, Tokens>()
    const transport = () => new OldTransport(new URL(host.mcp), { authProvider: provider })
    const client = new OldClient({ name: "v1", version: "0" })
    const first = transport()
    const refused = await client.connect(first).then(
      () => null,
      (error: unknown) => error,
    )
    assert.instanceOf(refused, OldUnauthorizedError)
    await first.finishAuth(provider.answer().searchParams.get("code") ?? "")
    await client.connect(transport())
    assert.strictEqual(provider.tokens()?.scope, "transcriptions:read transcriptions:write billing:read")
    assert.include(JSON.stringify(await client.callTool(call("test_write"))), "test_write done")
    provider.breakToken()
    assert.include(JSON.stringify(await client.callTool(call("test_read"))), "test_read done")
    assert.strictEqual(provider.visits(), 1)
    await client.close()
  })
})
