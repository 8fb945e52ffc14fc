/** Operators who sign in at a provider: those who are named, and nobody else. */
import { SignInOpenId } from "@earmark/authorization"
import { FetcherNode } from "@earmark/media"
import { AccountLinks } from "@earmark/service"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { CLIENT, startProvider } from "../../packages/authorization/test/provider.js"
import { makeBrowser } from "../../packages/http/test/agents/browser.js"
import { type Host, startHost } from "../../packages/http/test/agents/world.js"
import { freePort } from "../servers/processes.js"

let provider: Awaited<ReturnType<typeof startProvider>>
let host: Host

beforeAll(async () => {
  const port = await freePort()
  provider = await startProvider([`http://127.0.0.1:${port}/oauth/sign-in`])
  const { issuer } = provider
  const { clientId, clientSecret } = CLIENT
  const signIn = SignInOpenId.layer({ issuer, clientId, clientSecret: Redacted.make(clientSecret) }).pipe(
    Layer.provide(FetcherNode.layer()),
  )
  const operators = [
    { issuer, subject: "ann" },
    { issuer: "https://other.example", subject: "cleo" },
  ]
  host = await startHost({ port, signIn, operators })
  for (const subject of ["ann", "ben", "cleo"]) {
    const { account } = await host.newKey()
    await host.run(Effect.flatMap(AccountLinks, (links) => links.link({ issuer, subject }, account)))
  }
})

afterAll(async () => {
  await host?.stop()
  await provider?.stop()
})

const page = () => ({ "Earmark-Console": "1", Origin: host.base, "Content-Type": "application/json" })

/** A browser in which somebody signed in at the provider. */
const signedIn = async (login: string) => {
  const browser = makeBrowser()
  const begun = await browser.ask(`${host.base}/api/v1/sign-in`, {
    method: "POST",
    headers: page(),
    body: "{}",
  })
  let shown = await browser.open(JSON.parse(await begun.text()).url)
  if (shown.html.includes('name="login"')) shown = await browser.send(shown, "", { login, password: "x" })
  if (shown.html.includes('value="consent"')) shown = await browser.send(shown, "")
  assert.strictEqual((await browser.ask(shown.address)).status, 303)
  const ask = (path: string, init: RequestInit = {}) =>
    browser.ask(`${host.base}${path}`, { headers: page(), ...init })
  const role = async () => JSON.parse(await (await ask("/api/v1/account")).text()).role
  return { ask, role }
}

describe("at a provider", () => {
  it("who is named signs in as the operator", async () => {
    const { ask, role } = await signedIn("ann")
    assert.strictEqual(await role(), "operator")
    assert.strictEqual((await ask("/api/operator/accounts.list")).status, 200)
    const body = JSON.stringify({ name: "Dan" })
    assert.strictEqual((await ask("/api/operator/accounts.create", { method: "POST", body })).status, 200)
  })

  for (const [who, login] of [
    ["who is not named", "ben"],
    ["a subject that is named of another provider", "cleo"],
  ] as const)
    it(`${who} signs in without that role`, async () => {
      const { ask, role } = await signedIn(login)
      assert.strictEqual(await role(), "account")
      assert.strictEqual((await ask("/api/operator/accounts.list")).status, 404)
    })
})
