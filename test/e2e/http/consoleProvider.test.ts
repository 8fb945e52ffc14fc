/** The built command with a provider in its settings: somebody signs in to the console, and their session does its work. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { CLIENT, startProvider } from "../../../packages/authorization/test/provider.js"
import { makeBrowser } from "../../../packages/http/test/agents/browser.js"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { freePort } from "../../servers/processes.js"
import { signInThere } from "../../servers/signInThere.js"

let provider: Awaited<ReturnType<typeof startProvider>>
let server: EarmarkServer

beforeAll(async () => {
  const port = await freePort()
  server = await startEarmark({
    EARMARK_SIGNIN_ISSUER: `http://127.0.0.1:${port}`,
    EARMARK_SIGNIN_CLIENT_ID: CLIENT.clientId,
    EARMARK_SIGNIN_CLIENT_SECRET: CLIENT.clientSecret,
  })
  provider = await startProvider([`${server.baseUrl}/oauth/sign-in`], port)
}, 90_000)

afterAll(async () => {
  await provider?.stop()
  await server?.stop()
})

describe("a server with a provider", () => {
  it("signs in whom the operator linked, and nobody else", { timeout: 60_000 }, async () => {
    const { baseUrl, administer } = server
    const page = { "Earmark-Console": "1", Origin: baseUrl, "Content-Type": "application/json" }
    const signIn = async () => {
      const browser = makeBrowser()
      const begun = await browser.ask(`${baseUrl}/api/v1/sign-in`, {
        method: "POST",
        headers: page,
        body: "{}",
      })
      const { url } = JSON.parse(await begun.text())
      const shown = await browser.ask((await signInThere(browser, url)).href)
      return { browser, shown }
    }
    const stranger = await signIn()
    assert.strictEqual(stranger.shown.status, 400)
    assert.include(await stranger.shown.text(), "The operator of the server can link it to an account.")

    const [account = ""] = /acct_\w+/.exec(await administer("accounts", "list")) ?? []
    await administer("accounts", "link", account, "--issuer", provider.issuer, "--subject", "ann")
    const { browser, shown } = await signIn()
    assert.deepStrictEqual([shown.status, shown.headers.get("location")], [303, "/console"])
    const found = await browser.ask(`${baseUrl}/api/v1/account`, { headers: page })
    assert.strictEqual(JSON.parse(await found.text()).id, account)
    assert.notInclude(server.log(), CLIENT.clientSecret)
    assert.notMatch(server.log(), /code=/)
  })
})
