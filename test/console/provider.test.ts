/** Signing in at a provider in a browser, and once more after a while: by the provider, a key, or a new link. */
import { SignInOpenId } from "@earmark/authorization"
import { FetcherNode } from "@earmark/media"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import type { Browser, Page } from "playwright-core"
import { afterAll } from "vitest"
import { CLIENT, startProvider } from "../../packages/authorization/test/provider.js"
import { browserMissing, findings, openPage, signIn } from "./browser.js"
import type { ConsoleServer } from "./server.js"
import { serve } from "./setUp.js"

let provider: Awaited<ReturnType<typeof startProvider>>
let server: ConsoleServer
let browser: Browser

/** The provider has to know where the server is, which has to know where the provider is. */
const signInAt = (origin: string) =>
  Layer.unwrapEffect(
    Effect.promise(async () => {
      provider = await startProvider([`${origin}/oauth/sign-in`])
      const clientSecret = Redacted.make(CLIENT.clientSecret)
      return SignInOpenId.layer({ issuer: provider.issuer, clientId: CLIENT.clientId, clientSecret })
    }),
  ).pipe(Layer.provide(FetcherNode.layer()))

serve({ server: { signIn: signInAt } }, (given) => {
  ;({ server, browser } = given)
})

afterAll(async () => {
  await provider?.stop()
})

const button = () => `Sign in with ${new URL(provider.issuer).host}`

const atProvider = async (page: Page, name: string) => {
  await page.getByPlaceholder("Enter any login").fill(name)
  await page.getByPlaceholder("and password").fill("x")
  await page.getByRole("button", { name: "Sign-in" }).click()
}

/** Tries to make a key, which asks for a sign-in that is fresh. */
const askForKey = async (page: Page) => {
  await page.goto(`${server.origin}/console/keys`)
  await page.getByRole("button", { name: "Create key" }).first().click()
  await page.getByLabel("Name", { exact: true }).fill("Script")
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click()
}

const again = (page: Page) => page.getByRole("dialog", { name: "Sign in again" })

const hidden = async (page: Page) => {
  await again(page).waitFor({ state: "hidden" })
}

describe.skipIf(browserMissing !== null)("a person of a provider", () => {
  it("signs in there, comes back to the page, and signs in again there", { timeout: 90_000 }, async () => {
    const { page, faults, close } = await openPage(browser, server.origin, {
      viewport: { width: 320, height: 720 },
    })
    await page.route("https://fonts.googleapis.com/**", (route) => route.fulfill({ body: "" }))
    await page.goto(`${server.origin}/console/keys?from=test`)
    await page.getByRole("button", { name: button() }).waitFor()
    assert.deepStrictEqual(await findings(page), [])
    await page.getByRole("button", { name: button() }).click()
    await atProvider(page, "ann")
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByRole("heading", { name: "Keys", exact: true }).waitFor()
    assert.strictEqual(await page.evaluate("location.href"), `${server.origin}/console/keys?from=test`)

    server.advance(901)
    await askForKey(page)
    await again(page).getByText("Each works, however you signed in before.").waitFor()

    assert.deepStrictEqual(await findings(page), [])
    await again(page).getByRole("button", { name: button() }).click()
    await atProvider(page, "ann")
    await page.getByRole("heading", { name: "Keys", exact: true }).waitFor()
    await askForKey(page)
    await page.getByText("em_live_").first().waitFor()
    // The page of the provider loads what it likes; an answer of 403 is what the dialog is for.
    const ours = faults.filter((fault) => !fault.startsWith("foreign: ") && !fault.includes("status of 403"))
    assert.deepStrictEqual(ours, [])
    await close()
  })

  it("sees the pages of another account anew after signing in to it", { timeout: 90_000 }, async () => {
    const { page, close } = await openPage(browser, server.origin)
    await page.route("https://fonts.googleapis.com/**", (route) => route.fulfill({ body: "" }))
    await page.goto(`${server.origin}/console/keys`)
    await page.getByRole("button", { name: button() }).click()
    await atProvider(page, "ben")
    await page.getByRole("button", { name: "Continue" }).click()
    await page.getByRole("heading", { name: "Keys", exact: true }).waitFor()
    const otherTab = await page.context().newPage()
    await otherTab.goto(`${server.origin}/console/keys`)
    await otherTab.getByRole("heading", { name: "Keys", exact: true }).waitFor()
    server.advance(901)
    await askForKey(page)
    await again(page).getByLabel("API key or sign-in link").fill(server.key)
    await again(page).getByRole("button", { name: "Sign in", exact: true }).click()
    await page.getByText("Laptop of Ann").waitFor({ timeout: 10_000 })
    assert.strictEqual(await page.getByRole("dialog").count(), 0)
    for (const tab of [page, otherTab]) {
      await tab.getByText("Laptop of Ann").waitFor({ timeout: 10_000 })
      await tab.getByText(/^You are signed in as .* now: another account than before\.$/).waitFor()
    }
    await page.getByRole("main").getByRole("button", { name: "Close" }).click()
    await page.reload()
    await page.getByText("Laptop of Ann").waitFor()
    assert.strictEqual(await page.getByText("another account than before").count(), 0)
    await close()
  })

  for (const way of ["key", "link"] as const)
    it(`signs in again with a ${way}`, { timeout: 90_000 }, async () => {
      const { page, close } = await openPage(browser, server.origin)
      if (way === "link") await page.goto(await server.newLink())
      else await signIn(page, server.origin, server.key)
      await page.getByRole("heading", { name: "Transcripts", exact: true }).waitFor()
      server.advance(901)
      await askForKey(page)
      const given = way === "key" ? server.key : await server.newLink()
      await again(page).getByLabel("API key or sign-in link").fill(given)
      await again(page).getByRole("button", { name: "Sign in", exact: true }).click()
      await hidden(page)
      await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click()
      await page.getByText("em_live_").first().waitFor()
      await close()
    })
})
