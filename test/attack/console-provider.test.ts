/** Signing in to the console at a provider of OpenID Connect: the browser that began it alone, once, and never led elsewhere. */
import { SignInOpenId } from "@earmark/authorization"
import type { AccountId } from "@earmark/core/jobs"
import { FAILED_ATTEMPTS, SIGN_INS } from "@earmark/core/requests"
import { FetcherNode } from "@earmark/media"
import { AccountLinks, Keys, makeSignInLink, SignIn } from "@earmark/service"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { CLIENT, startProvider } from "../../packages/authorization/test/provider.js"
import { makeBrowser } from "../../packages/http/test/agents/browser.js"
import { type Host, type HostOptions, startHost } from "../../packages/http/test/agents/world.js"
import { freePort } from "../servers/processes.js"
import { signInThere } from "../servers/signInThere.js"

type Browser = ReturnType<typeof makeBrowser>

let provider: Awaited<ReturnType<typeof startProvider>>
let host: Host
let ann: AccountId
let signInLayer: NonNullable<HostOptions["signIn"]>
/** That of the first host. */
let adapter: SignIn["Type"] | undefined

beforeAll(async () => {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  provider = await startProvider([`${base}/oauth/sign-in`])
  const { clientId, clientSecret } = CLIENT
  signInLayer = SignInOpenId.layer({
    issuer: provider.issuer,
    clientId,
    clientSecret: Redacted.make(clientSecret),
  }).pipe(
    Layer.tap((context) =>
      Effect.sync(() => {
        adapter ??= Context.get(context, SignIn)
      }),
    ),
    Layer.provide(FetcherNode.layer()),
  )
  host = await startHost({ port, signIn: signInLayer })
  ann = (await host.newKey({ scopes: ["transcriptions:read"] })).account
  await host.run(
    Effect.flatMap(AccountLinks, (links) => links.link({ issuer: provider.issuer, subject: "ann" }, ann)),
  )
})

afterAll(async () => {
  await host?.stop()
  await provider?.stop()
})

// Without `Sec-Fetch-Site`, as old browsers: `fetch` does not let it be set.
const page = () => ({ "Earmark-Console": "1", Origin: host.base, "Content-Type": "application/json" })

const begin = (browser: Browser, body: unknown = {}, headers: Record<string, string> = page()) =>
  browser.ask(`${host.base}/api/v1/sign-in`, { method: "POST", headers, body: JSON.stringify(body) })

const toProvider = async (browser: Browser, body: unknown = {}): Promise<string> => {
  const answer = await begin(browser, body)
  assert.strictEqual(answer.status, 200, await answer.clone().text())
  return JSON.parse(await answer.text()).url
}

const account = (browser: Browser) => browser.ask(`${host.base}/api/v1/account`, { headers: page() })

/** Signs in from the beginning to the end. */
const signIn = async (browser: Browser, body: unknown = {}) =>
  browser.ask((await signInThere(browser, await toProvider(browser, body))).href)

const isIn = async (browser: Browser) => (await account(browser)).status === 200

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
    assert.deepStrictEqual(await offered(host.base), {
      provider: { name: new URL(provider.issuer).host },
      keys: true,
    })
    const other = await startHost()
    assert.deepStrictEqual(await offered(other.base), { provider: null, keys: true })
    const headers = { ...page(), Origin: other.base }
    const answer = await fetch(`${other.base}/api/v1/sign-in`, { method: "POST", headers, body: "{}" })
    assert.strictEqual(answer.status, 404)
    await other.stop()
  })

  it("opens a session with every scope for the account of the subject, with a key that ends with it", async () => {
    const browser = makeBrowser()
    const answer = await signIn(browser, { return_to: "/console/keys?new=1" })
    assert.deepStrictEqual([answer.status, answer.headers.get("location")], [303, "/console/keys?new=1"])
    assert.match(answer.headers.get("set-cookie") ?? "", /HttpOnly; SameSite=Lax; Max-Age=2592000$/)
    const found = JSON.parse(await (await account(browser)).text())
    assert.strictEqual(found.id, ann)
    assert.includeMembers(found.scopes, ["transcriptions:write", "billing:write", "keys", "webhooks"])
    const keysOf = () => host.run(Effect.flatMap(Keys, (keys) => keys.list(ann, { limit: 9, order: "desc" })))
    const [key] = (await keysOf()).data
    assert.strictEqual(key?.name, `sign-in at ${new URL(provider.issuer).host}`)
    await browser.ask(`${host.base}/api/v1/session`, { method: "DELETE", headers: page() })
    assert.isNotNull((await keysOf()).data[0]?.revokedAt)
    assert.isFalse(await isIn(browser))
  })

  it("ties the answer to the question by state, nonce and PKCE, at the address that apps use", async () => {
    const sent = new URL(await toProvider(makeBrowser())).searchParams
    assert.strictEqual(sent.get("redirect_uri"), `${host.base}/oauth/sign-in`)
    assert.strictEqual(sent.get("code_challenge_method"), "S256")
    assert.match(sent.get("state") ?? "", /^console\.[\w-]{43}$/)
    assert.match(sent.get("nonce") ?? "", /^[\w-]{43}$/)
    assert.isNull(sent.get("prompt"))
  })

  it("is begun by pages of this server alone", async () => {
    const other = { ...page(), Origin: "https://evil.example" }
    const { "Earmark-Console": _, ...without } = page()
    for (const headers of [other, without])
      assert.strictEqual((await begin(makeBrowser(), {}, headers)).status, 401)
  })

  it("is limited by address, when it begins and when it fails", async () => {
    const rateLimits = { create: null, read: null, failures: FAILED_ATTEMPTS }
    const other = await startHost({ facts: { rateLimits }, signIn: signInLayer })
    const headers = { ...page(), Origin: other.base }
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
    const other = await startHost({ facts: { baseUrl: base }, signIn: signInLayer })
    const headers = { ...page(), Origin: base }
    const answer = await fetch(`${other.base}/api/v1/sign-in`, { method: "POST", headers, body: "{}" })
    assert.match(
      answer.headers.get("set-cookie") ?? "",
      /^__Host-earmark-sign-in=[\w-]{43}\.%2Fconsole; Path=\/; HttpOnly; SameSite=Lax; Max-Age=900; Secure$/,
    )
    await other.stop()
    const open = await startHost({ facts: { baseUrl: "http://transcripts.example" }, signIn: signInLayer })
    const origin = { ...page(), Origin: "http://transcripts.example" }
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
    const headers = { ...page(), Origin: other.base }
    const answer = await fetch(`${other.base}/api/v1/sign-in`, { method: "POST", headers, body: "{}" })
    const problem = JSON.parse(await answer.text())
    assert.deepStrictEqual([answer.status, problem.code], [503, "unavailable"])
    assert.include(problem.detail, "cannot be reached")
    assert.isNull(answer.headers.get("set-cookie"))
    await other.stop()
  })

  it("works where another authorization server serves the apps", async () => {
    const other = await startHost({ facts: { issuer: "https://id.example" }, signIn: signInLayer })
    const shown = await fetch(`${other.base}/oauth/sign-in?state=console.x`)
    assert.deepStrictEqual(
      [shown.status, (await shown.text()).includes("You are not signed in")],
      [400, true],
    )
    await other.stop()
  })

  it("tells somebody without an account so, and opens nothing", async () => {
    const browser = makeBrowser()
    const shown = await browser.ask((await signInThere(browser, await toProvider(browser), "eve")).href)
    assert.strictEqual(shown.status, 400)
    assert.include(await shown.text(), "link it to an account")
    assert.isFalse(await isIn(browser))
  })

  it("says that somebody who cancels at the provider is not signed in, without what the address says", async () => {
    const browser = makeBrowser()
    const state = new URL(await toProvider(browser)).searchParams.get("state") ?? ""
    const query = new URLSearchParams({ state, error: "access_denied", error_description: "<b>Call 555</b>" })
    const shown = await browser.ask(`${host.base}/oauth/sign-in?${query}`)
    const text = await shown.text()
    assert.strictEqual(shown.status, 400)
    assert.include(text, "You were not signed in there.")
    assert.notInclude(text, "Call 555")
  })
})

describe("an answer of the provider", () => {
  it("is refused in another browser, so that nobody is signed in as somebody else", async () => {
    const mallory = makeBrowser()
    const answer = await signInThere(mallory, await toProvider(mallory))
    const victim = makeBrowser()
    assert.strictEqual((await victim.ask(answer.href)).status, 400)
    await toProvider(victim)
    assert.strictEqual((await victim.ask(answer.href)).status, 400)
    assert.isFalse(await isIn(victim))
    assert.strictEqual((await mallory.ask(answer.href)).status, 303)
  })

  it("opens one session", async () => {
    const browser = makeBrowser()
    const answer = await signInThere(browser, await toProvider(browser))
    assert.strictEqual((await browser.ask(answer.href)).status, 303)
    assert.strictEqual((await browser.ask(answer.href)).status, 400)
  })

  it("is refused without its state, or with that of another attempt", async () => {
    for (const state of [null, "", "console.", `console.${"A".repeat(43)}`]) {
      const browser = makeBrowser()
      const answer = await signInThere(browser, await toProvider(browser))
      if (state === null) answer.searchParams.delete("state")
      else answer.searchParams.set("state", state)
      // Without a name of ours it is an answer for an app, which asked nothing.
      assert.oneOf((await browser.open(answer.href)).status, [400, 404], String(state))
      assert.isFalse(await isIn(browser))
    }
  })

  it("has a code that is good for one attempt alone, and for nobody without what it was begun with", async () => {
    const mallory = makeBrowser()
    const stolen = (await signInThere(mallory, await toProvider(mallory))).searchParams.get("code") ?? ""
    const browser = makeBrowser()
    const answer = await signInThere(browser, await toProvider(browser))
    answer.searchParams.set("code", stolen)
    assert.strictEqual((await browser.ask(answer.href)).status, 400)
    assert.isFalse(await isIn(browser))

    const code = (await signInThere(mallory, await toProvider(mallory))).searchParams.get("code") ?? ""
    const redirect_uri = `${host.base}/oauth/sign-in`
    const exchange = await fetch(`${provider.issuer}/token`, {
      method: "POST",
      headers: { Authorization: `Basic ${btoa(`${CLIENT.clientId}:${CLIENT.clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri }),
    })
    assert.strictEqual(exchange.status, 400)
    assert.include(await exchange.text(), "invalid_grant")
  })

  it("is refused 15 minutes after the beginning", async () => {
    const browser = makeBrowser()
    const answer = await signInThere(browser, await toProvider(browser))
    host.advance(901)
    assert.strictEqual((await browser.ask(answer.href)).status, 400)
  })

  it("of a sign-in for an app opens no session", async () => {
    if (adapter === undefined) return assert.fail("there is no adapter")
    const id = "console.begun-for-an-app"
    const returnTo = `${host.base}/oauth/sign-in`
    const step = await host.run(adapter.begin({ id, purpose: "app", returnTo }))
    const answer = await signInThere(makeBrowser(), step.type === "redirect" ? step.url : "")
    const answers = Object.fromEntries(answer.searchParams)
    const refused = await host.run(Effect.flip(adapter.finish({ id, purpose: "console", returnTo }, answers)))
    assert.strictEqual(refused._tag, "SignInRefused")
  })
})

describe("the place to return to", () => {
  for (const place of [
    "https://evil.example/console",
    "//evil.example/console",
    "/\\evil.example/console",
    "\\\\evil.example/console",
    "/console/../oauth/authorize",
    "/console/%2e%2e/docs",
    "/consoles",
    "/",
    "",
    "javascript:alert(1)//console",
    "http://user@evil.example/console/",
    1,
    null,
    `/console/${"x".repeat(500)}`,
  ]) {
    it(`is not ${JSON.stringify(place).slice(0, 40)}`, async () => {
      assert.strictEqual((await begin(makeBrowser(), { return_to: place })).status, 400)
    })
  }

  it("is a path with its query, and the rest of an address of ours is dropped", async () => {
    const browser = makeBrowser()
    const answer = await signIn(browser, { return_to: `${host.base}/console/t/tr_1?t=7#sign-in=x` })
    assert.strictEqual(answer.headers.get("location"), "/console/t/tr_1?t=7")
  })

  it("is the console itself where somebody changed the cookie", async () => {
    const places = ["https://evil.example", "//evil.example", "/%5Cevil.example", "%0d%0aX: 1", "%E0%A4%A"]
    for (const place of places) {
      const browser = makeBrowser()
      const answer = await signInThere(browser, await toProvider(browser))
      const [name = "", kept] = [...browser.cookies].find(([each]) => each.includes("-sign-in")) ?? []
      const [value = ""] = (kept?.value ?? "").split(".")
      browser.cookies.set(name, { value: `${value}.${encodeURIComponent(place)}`, path: "/" })
      const back = await browser.ask(answer.href)
      assert.deepStrictEqual([back.status, back.headers.get("location")], [303, "/console"], place)
    }
  })
})

describe("signing in at a provider again", () => {
  const makeKey = (browser: Browser) => {
    const cookie = [...browser.cookies]
      .map(([name, { value }]) => `${name.split(" ", 1)}=${value}`)
      .join("; ")
    const headers = { ...page(), Cookie: cookie }
    return fetch(`${host.base}/api/v1/keys`, { method: "POST", headers, body: '{"name":"k"}' })
  }

  it("asks the person, gives a new session and ends the one before", async () => {
    const browser = makeBrowser()
    await signIn(browser)
    const sessionOf = () => [...browser.cookies].find(([name]) => /^earmark-\d+ /.test(name)) ?? ["", null]
    const [name, before] = sessionOf()
    host.advance(901)
    assert.strictEqual((await makeKey(browser)).status, 403)

    const address = await toProvider(browser, { return_to: "/console/keys" })
    assert.strictEqual(new URL(address).searchParams.get("prompt"), "login")
    assert.include((await browser.open(address)).html, 'name="login"')
    assert.strictEqual((await browser.ask((await signInThere(browser, address)).href)).status, 303)
    assert.strictEqual((await makeKey(browser)).status, 201)

    const [, after] = sessionOf()
    assert.notStrictEqual(after?.value, before?.value)
    if (before !== null) browser.cookies.set(name, before)
    assert.isFalse(await isIn(browser))
  })

  it("works with a key of the account and with a new link as well", async () => {
    const { account, key } = await host.newKey()
    for (const way of [
      async () => ({ key }),
      async () => ({ link: await host.run(makeSignInLink(account)) }),
    ]) {
      const browser = makeBrowser()
      await signIn(browser)
      host.advance(901)
      assert.strictEqual((await makeKey(browser)).status, 403)
      const body = JSON.stringify(await way())
      const answer = await browser.ask(`${host.base}/api/v1/session`, {
        method: "POST",
        headers: page(),
        body,
      })
      assert.strictEqual(answer.status, 204)
      assert.strictEqual((await makeKey(browser)).status, 201)
    }
  })
})
