/** What comes back from a provider of OpenID Connect: good once, for the browser that asked, and it leads nowhere else. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { CLIENT } from "../../packages/authorization/test/provider.js"
import { makeBrowser } from "../../packages/http/test/agents/browser.js"
import { signInThere } from "../servers/signInThere.js"
import { type Site, startSite } from "./consoleProvider.js"

let site: Site

beforeAll(async () => {
  site = await startSite()
})

afterAll(() => site?.stop())

describe("an answer of the provider", () => {
  it("is refused in another browser, so that nobody is signed in as somebody else", async () => {
    const mallory = makeBrowser()
    const answer = await signInThere(mallory, await site.toProvider(mallory))
    const victim = makeBrowser()
    assert.strictEqual((await victim.ask(answer.href)).status, 400)
    await site.toProvider(victim)
    assert.strictEqual((await victim.ask(answer.href)).status, 400)
    assert.isFalse(await site.isIn(victim))
    assert.strictEqual((await mallory.ask(answer.href)).status, 303)
  })

  it("opens one session", async () => {
    const browser = makeBrowser()
    const answer = await signInThere(browser, await site.toProvider(browser))
    assert.strictEqual((await browser.ask(answer.href)).status, 303)
    assert.strictEqual((await browser.ask(answer.href)).status, 400)
  })

  it("is refused without its state, or with that of another attempt", async () => {
    for (const state of [null, "", "console.", `console.${"A".repeat(43)}`]) {
      const browser = makeBrowser()
      const answer = await signInThere(browser, await site.toProvider(browser))
      if (state === null) answer.searchParams.delete("state")
      else answer.searchParams.set("state", state)
      // Without a name of ours it is an answer for an app, which asked nothing.
      assert.oneOf((await browser.open(answer.href)).status, [400, 404], String(state))
      assert.isFalse(await site.isIn(browser))
    }
  })

  it("has a code that is good for one attempt alone, and for nobody without what it was begun with", async () => {
    const mallory = makeBrowser()
    const stolen = (await signInThere(mallory, await site.toProvider(mallory))).searchParams.get("code") ?? ""
    const browser = makeBrowser()
    const answer = await signInThere(browser, await site.toProvider(browser))
    answer.searchParams.set("code", stolen)
    assert.strictEqual((await browser.ask(answer.href)).status, 400)
    assert.isFalse(await site.isIn(browser))

    const code = (await signInThere(mallory, await site.toProvider(mallory))).searchParams.get("code") ?? ""
    const redirect_uri = `${site.host.base}/oauth/sign-in`
    const exchange = await fetch(`${site.provider.issuer}/token`, {
      method: "POST",
      headers: { Authorization: `Basic ${btoa(`${CLIENT.clientId}:${CLIENT.clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri }),
    })
    assert.strictEqual(exchange.status, 400)
    assert.include(await exchange.text(), "invalid_grant")
  })

  it("is refused 15 minutes after the beginning", async () => {
    const browser = makeBrowser()
    const answer = await signInThere(browser, await site.toProvider(browser))
    site.host.advance(901)
    assert.strictEqual((await browser.ask(answer.href)).status, 400)
  })

  it("of a sign-in for an app opens no session", async () => {
    const { host, adapter } = site
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
      assert.strictEqual((await site.begin(makeBrowser(), { return_to: place })).status, 400)
    })
  }

  it("is a path with its query, and the rest of an address of ours is dropped", async () => {
    const browser = makeBrowser()
    const answer = await site.signIn(browser, { return_to: `${site.host.base}/console/t/tr_1?t=7#sign-in=x` })
    assert.strictEqual(answer.headers.get("location"), "/console/t/tr_1?t=7")
  })

  it("is the console itself where somebody changed the cookie", async () => {
    const places = ["https://evil.example", "//evil.example", "/%5Cevil.example", "%0d%0aX: 1", "%E0%A4%A"]
    for (const place of places) {
      const browser = makeBrowser()
      const answer = await signInThere(browser, await site.toProvider(browser))
      const [name = "", kept] = [...browser.cookies].find(([each]) => each.includes("-sign-in")) ?? []
      const [value = ""] = (kept?.value ?? "").split(".")
      browser.cookies.set(name, { value: `${value}.${encodeURIComponent(place)}`, path: "/" })
      const back = await browser.ask(answer.href)
      assert.deepStrictEqual([back.status, back.headers.get("location")], [303, "/console"], place)
    }
  })
})
