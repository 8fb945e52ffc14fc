/** Signing in to the console at a provider of OpenID Connect: the browser that began it alone, once, and never led elsewhere. */
import { SignInOpenId } from "@earmark/authorization"
import { FAILED_ATTEMPTS, SIGN_INS } from "@earmark/core/requests"
import { FetcherNode } from "@earmark/media"
import { Keys, makeSignInLink } from "@earmark/service"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { makeBrowser } from "../../packages/http/test/agents/browser.js"
import { startHost } from "../../packages/http/test/agents/world.js"
import { freePort } from "../servers/processes.js"
import { signInThere } from "../servers/signInThere.js"
import { type Browser, type Site, startSite } from "./consoleProvider.js"

let site: Site

beforeAll(async () => {
  site = await startSite()
})

afterAll(() => site?.stop())

/** The first answer that is another one than before. A slow machine lets a few more through: some come back while it asks. */
const firstRefused = async (
  ask: () => Promise<Response>,
  usual: number,
  burst: number,
): Promise<Response> => {
  for (let count = 0; count < 2 * burst; count++) {
    const answer = await ask()
    if (answer.status === usual) continue
    assert.isAtLeast(count, burst)
    return answer
  }
  throw new Error(`nothing was refused of ${2 * burst} requests`)
}

describe("signing in at a provider", () => {
  it("is offered with the name of its site, and only where there is one", async () => {
    const offered = async (base: string) => JSON.parse(await (await fetch(`${base}/api/v1/sign-in`)).text())
    assert.deepStrictEqual(await offered(site.host.base), {
      provider: { name: new URL(site.provider.issuer).host },
      keys: true,
    })
    const other = await startHost()
    assert.deepStrictEqual(await offered(other.base), { provider: null, keys: true })
    const headers = { ...site.page(), Origin: other.base }
    const answer = await fetch(`${other.base}/api/v1/sign-in`, { method: "POST", headers, body: "{}" })
    assert.strictEqual(answer.status, 404)
    await other.stop()
  })

  it("opens a session with every scope for the account of the subject, with a key that ends with it", async () => {
    const browser = makeBrowser()
    const answer = await site.signIn(browser, { return_to: "/console/keys?new=1" })
    assert.deepStrictEqual([answer.status, answer.headers.get("location")], [303, "/console/keys?new=1"])
    assert.match(answer.headers.get("set-cookie") ?? "", /HttpOnly; SameSite=Lax; Max-Age=2592000$/)
    const found = JSON.parse(await (await site.account(browser)).text())
    assert.strictEqual(found.id, site.ann)
    assert.includeMembers(found.scopes, ["transcriptions:write", "billing:write", "keys", "webhooks"])
    const keysOf = () =>
      site.host.run(Effect.flatMap(Keys, (keys) => keys.list(site.ann, { limit: 9, order: "desc" })))
    const [key] = (await keysOf()).data
    assert.strictEqual(key?.name, `sign-in at ${new URL(site.provider.issuer).host}`)
    await browser.ask(`${site.host.base}/api/v1/session`, { method: "DELETE", headers: site.page() })
    assert.isNotNull((await keysOf()).data[0]?.revokedAt)
    assert.isFalse(await site.isIn(browser))
  })

  it("ties the answer to the question by state, nonce and PKCE, at the address that apps use", async () => {
    const sent = new URL(await site.toProvider(makeBrowser())).searchParams
    assert.strictEqual(sent.get("redirect_uri"), `${site.host.base}/oauth/sign-in`)
    assert.strictEqual(sent.get("code_challenge_method"), "S256")
    assert.match(sent.get("state") ?? "", /^console\.[\w-]{43}$/)
    assert.match(sent.get("nonce") ?? "", /^[\w-]{43}$/)
    assert.isNull(sent.get("prompt"))
  })

  it("is begun by pages of this server alone", async () => {
    const other = { ...site.page(), Origin: "https://evil.example" }
    const { "Earmark-Console": _, ...without } = site.page()
    for (const headers of [other, without])
      assert.strictEqual((await site.begin(makeBrowser(), {}, headers)).status, 401)
  })

  it("is limited by address, when it begins and when it fails", async () => {
    const rateLimits = { create: null, read: null, failures: FAILED_ATTEMPTS }
    const other = await startHost({ facts: { rateLimits }, signIn: site.signInLayer })
    const headers = { ...site.page(), Origin: other.base }
    const beginThere = () => fetch(`${other.base}/api/v1/sign-in`, { method: "POST", headers, body: "{}" })
    const refused = await firstRefused(beginThere, 200, SIGN_INS.burst)
    assert.deepStrictEqual([refused.status, JSON.parse(await refused.text()).code], [429, "rate_limited"])
    assert.isAbove(Number(refused.headers.get("retry-after")), 0)
    const fail = () => fetch(`${other.base}/oauth/sign-in?state=console.x&code=1`)
    const late = await firstRefused(fail, 400, FAILED_ATTEMPTS.burst)
    assert.strictEqual(late.status, 429)
    assert.isAbove(Number(late.headers.get("retry-after")), 0)
    await other.stop()
  })

  it("keeps what belongs to the browser in a cookie that only https carries", async () => {
    const base = "https://transcripts.example"
    const other = await startHost({ facts: { baseUrl: base }, signIn: site.signInLayer })
    const headers = { ...site.page(), Origin: base }
    const answer = await fetch(`${other.base}/api/v1/sign-in`, { method: "POST", headers, body: "{}" })
    assert.match(
      answer.headers.get("set-cookie") ?? "",
      /^__Host-earmark-sign-in=[\w-]{43}\.%2Fconsole; Path=\/; HttpOnly; SameSite=Lax; Max-Age=900; Secure$/,
    )
    await other.stop()
    const open = await startHost({
      facts: { baseUrl: "http://transcripts.example" },
      signIn: site.signInLayer,
    })
    const origin = { ...site.page(), Origin: "http://transcripts.example" }
    const refused = await fetch(`${open.base}/api/v1/sign-in`, {
      method: "POST",
      headers: origin,
      body: "{}",
    })
    assert.strictEqual(refused.status, 404)
    await open.stop()
  })

  it("says so when the provider cannot be reached", async () => {
    const nowhere = {
      issuer: `http://127.0.0.1:${await freePort()}`,
      clientId: "earmark",
      clientSecret: null,
    }
    const signIn = SignInOpenId.layer(nowhere).pipe(Layer.provide(FetcherNode.layer()))
    const other = await startHost({ signIn })
    const headers = { ...site.page(), Origin: other.base }
    const answer = await fetch(`${other.base}/api/v1/sign-in`, { method: "POST", headers, body: "{}" })
    const problem = JSON.parse(await answer.text())
    assert.deepStrictEqual([answer.status, problem.code], [503, "unavailable"])
    assert.include(problem.detail, "cannot be reached")
    assert.isNull(answer.headers.get("set-cookie"))
    await other.stop()
  })

  it("works where another authorization server serves the apps", async () => {
    const other = await startHost({ facts: { issuer: "https://id.example" }, signIn: site.signInLayer })
    const shown = await fetch(`${other.base}/oauth/sign-in?state=console.x`)
    assert.deepStrictEqual(
      [shown.status, (await shown.text()).includes("You are not signed in")],
      [400, true],
    )
    await other.stop()
  })

  it("tells somebody without an account so, and opens nothing", async () => {
    const browser = makeBrowser()
    const shown = await browser.ask((await signInThere(browser, await site.toProvider(browser), "eve")).href)
    assert.strictEqual(shown.status, 400)
    assert.include(await shown.text(), "link it to an account")
    assert.isFalse(await site.isIn(browser))
  })

  it("says that somebody who cancels at the provider is not signed in, without what the address says", async () => {
    const browser = makeBrowser()
    const state = new URL(await site.toProvider(browser)).searchParams.get("state") ?? ""
    const query = new URLSearchParams({ state, error: "access_denied", error_description: "<b>Call 555</b>" })
    const shown = await browser.ask(`${site.host.base}/oauth/sign-in?${query}`)
    const text = await shown.text()
    assert.strictEqual(shown.status, 400)
    assert.include(text, "You were not signed in there.")
    assert.notInclude(text, "Call 555")
  })
})

describe("signing in at a provider again", () => {
  const makeKey = (browser: Browser) => {
    const cookie = [...browser.cookies]
      .map(([name, { value }]) => `${name.split(" ", 1)}=${value}`)
      .join("; ")
    const headers = { ...site.page(), Cookie: cookie }
    return fetch(`${site.host.base}/api/v1/keys`, { method: "POST", headers, body: '{"name":"k"}' })
  }

  it("asks the person, gives a new session and ends the one before", async () => {
    const browser = makeBrowser()
    await site.signIn(browser)
    const sessionOf = () => [...browser.cookies].find(([name]) => /^earmark-\d+ /.test(name)) ?? ["", null]
    const [name, before] = sessionOf()
    site.host.advance(901)
    assert.strictEqual((await makeKey(browser)).status, 403)

    const address = await site.toProvider(browser, { return_to: "/console/keys" })
    assert.strictEqual(new URL(address).searchParams.get("prompt"), "login")
    assert.include((await browser.open(address)).html, 'name="login"')
    assert.strictEqual((await browser.ask((await signInThere(browser, address)).href)).status, 303)
    assert.strictEqual((await makeKey(browser)).status, 201)

    const [, after] = sessionOf()
    assert.notStrictEqual(after?.value, before?.value)
    if (before !== null) browser.cookies.set(name, before)
    assert.isFalse(await site.isIn(browser))
  })

  it("works with a key of the account and with a new link as well", async () => {
    const { account, key } = await site.host.newKey()
    for (const way of [
      async () => ({ key }),
      async () => ({ link: await site.host.run(makeSignInLink(account)) }),
    ]) {
      const browser = makeBrowser()
      await site.signIn(browser)
      site.host.advance(901)
      assert.strictEqual((await makeKey(browser)).status, 403)
      const body = JSON.stringify(await way())
      const answer = await browser.ask(`${site.host.base}/api/v1/session`, {
        method: "POST",
        headers: site.page(),
        body,
      })
      assert.strictEqual(answer.status, 204)
      assert.strictEqual((await makeKey(browser)).status, 201)
    }
  })
})
