/** What a session may do, and what the tabs of a browser tell each other. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import type { Browser, Page } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, findings, openPage, signIn } from "./browser.js"
import type { ConsoleServer } from "./server.js"
import { serve } from "./setUp.js"

let server: ConsoleServer
let browser: Browser
let client: EarmarkClient
let reader: string

serve({ server: { works: false, isPaidByHand: true } }, async (given) => {
  ;({ server, browser, client } = given)
  reader = (await client.keys.create({ name: "reader", scopes: ["transcriptions:read"] })).key
  await client.transcriptions.create({ url: "https://media.example/talk.mp3?seconds=60" })
})

const LIST = "/api/v1/transcriptions?"

const endSession = (page: Page) =>
  page.evaluate(async () => {
    await fetch("/api/v1/session", { method: "DELETE", headers: { "Earmark-Console": "1" } })
  })

describe.skipIf(browserMissing !== null)(`a session${because(browserMissing)}`, () => {
  it("that may only read is offered nothing else, and told why", { timeout: 60_000 }, async () => {
    const { page, faults, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, reader)
    await page
      .getByRole("checkbox", { name: /^Select [^a]/ })
      .first()
      .check()
    await page.getByText("1 selected", { exact: true }).waitFor()
    for (const name of ["Delete", "Cancel", "New transcription"])
      assert.strictEqual(await page.getByRole("button", { name, exact: true }).count(), 0, name)
    const menu = page.getByRole("navigation", { name: "Menu" })
    assert.deepStrictEqual(await menu.getByRole("link").allTextContents(), [
      "Transcripts",
      "Shows",
      "Search",
      "Ask",
    ])
    await page.goto(`${server.origin}/console/shows`)
    await page.getByRole("heading", { name: "No shows yet" }).waitFor()
    assert.strictEqual(await page.getByText("Paste the address").count(), 0)
    await page.goto(`${server.origin}/console/new`)
    await page.getByRole("heading", { name: "This session has no permission for that" }).waitFor()
    await page.getByText("“transcriptions:write” is not one of them").waitFor()
    assert.deepStrictEqual(await findings(page), [])
    await page.goto(`${server.origin}/console/account`)
    await page.getByText("“keys” is not one of them").waitFor()
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("has its permissions shown without a break inside a word", { timeout: 60_000 }, async () => {
    const { page, close } = await openPage(browser, server.origin, { viewport: { width: 320, height: 700 } })
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/account`)
    const scopes = page.locator(".sessions .soft", { hasText: "transcriptions:read" }).first()
    await scopes.waitFor()
    const broken = await scopes.evaluate((element) => {
      const range = document.createRange()
      return [...element.childNodes].flatMap((node) =>
        [...(node.nodeValue ?? "").matchAll(/\w+/g)].flatMap(({ 0: word, index }) => {
          range.setStart(node, index)
          range.setEnd(node, index + word.length)
          return range.getClientRects().length > 1 ? [word] : []
        }),
      )
    })
    assert.deepStrictEqual(broken, [])
    await close()
  })

  it("knows no page at an address with a character that no text may hold", { timeout: 60_000 }, async () => {
    const { page, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/t/%00`)
    await page.getByRole("heading", { name: "There is no such page" }).waitFor({ timeout: 5000 })
    await close()
  })

  it("that may less than the one before says so", { timeout: 60_000 }, async () => {
    const { page, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    await endSession(page)
    // A page that asks again notices.
    await page.getByLabel("API key").fill(reader)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.getByText("You are signed in as Ann, and may do less than before.").waitFor()
    await page.getByRole("button", { name: "Close" }).click()
    assert.strictEqual(await page.getByText("may do less than before").count(), 0)
    await close()
  })

  it("ends everywhere only after it was asked", { timeout: 60_000 }, async () => {
    const { page, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/account`)
    const end = page.getByRole("button", { name: "Sign out everywhere" })
    await end.click()
    const asked = page.getByRole("dialog", { name: "Sign out everywhere?" })
    await asked.getByRole("button", { name: "Cancel" }).click()
    await page.getByText("this browser", { exact: true }).waitFor()
    await end.click()
    await asked.getByRole("button", { name: "Sign out everywhere" }).click()
    await page.getByLabel("API key").waitFor()
    await close()
  })

  it("that may less is told of beside the notice of another account, and does not hide behind it", {
    timeout: 60_000,
  }, async () => {
    const { page, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    // As another tab leaves it, where somebody else has signed in.
    await page.evaluate(() => sessionStorage.setItem("earmark-moved", "yes"))
    await page.reload()
    await page.getByText("another account than before").waitFor()
    await endSession(page)
    await page.getByLabel("API key").fill(reader)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.getByText("may do less than before").waitFor()
    await page.getByText("another account than before").waitFor()
    await close()
  })

  it("begins and ends in all tabs at once", { timeout: 60_000 }, async () => {
    const { page, close } = await openPage(browser, server.origin)
    const other = await page.context().newPage()
    const asked: Array<string> = []
    other.on("request", (request) => asked.push(request.url()))
    await other.goto(`${server.origin}/console`)
    await other.getByRole("heading", { name: "Sign in" }).waitFor()
    // Nobody was signed in here: the list would be refused.
    assert.isFalse(asked.some((url) => url.includes(LIST)))
    await signIn(page, server.origin, server.key)
    await other.getByRole("heading", { name: "Transcripts", exact: true }).waitFor()
    await page.goto(`${server.origin}/console/account`)
    await page.getByText("this browser").waitFor()
    await page.getByText("Chrome on Linux").first().waitFor()
    await page
      .getByText(/^signed in .* · Laptop of Ann · /)
      .first()
      .waitFor()
    await page.getByRole("main").getByRole("button", { name: "Sign out", exact: true }).first().click()
    await other.getByRole("heading", { name: "Sign in" }).waitFor()
    await close()
  })
})

describe.skipIf(browserMissing !== null)(`an order${because(browserMissing)}`, () => {
  it("has a number for both sides, and is paid on the open page", { timeout: 60_000 }, async () => {
    const { page, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/billing`)
    await page.getByText("Ask the people who run this server for the price.").waitFor()
    await page.getByRole("button", { name: "Buy 600 credits" }).click()
    await page.getByText("Pay as you have agreed").waitFor()
    const [order] = (await client.credits.purchases({ limit: 1 })).data
    const number = (order?.id ?? "").slice(-8).toUpperCase()
    await page.getByText(`Order ${number}`, { exact: true }).waitFor()
    await page.getByText("pending", { exact: true }).waitFor()

    const operator = await openPage(browser, server.origin)
    await operator.page.goto(await server.newLink({ isOperator: true }))
    await operator.page.getByRole("heading", { name: "Transcripts", exact: true }).waitFor()
    await operator.page.goto(`${server.origin}/console/operator/orders`)
    await operator.page.getByRole("link", { name: "Ann", exact: true }).waitFor()
    await operator.page.getByRole("button", { name: `Confirm payment of order ${number}` }).click()
    await operator.page.getByText(`Was order ${number} of Ann, 600 credits, paid?`).waitFor()
    await operator.page.getByRole("button", { name: "Confirm payment", exact: true }).click()
    await operator.close()

    await page.getByText("paid", { exact: true }).waitFor()
    const { available } = await client.credits.get()
    await page.locator("header.top").getByText(available.toLocaleString("en")).waitFor()
    await close()
  })
})

describe.skipIf(browserMissing !== null)(`an order that was a mistake${because(browserMissing)}`, () => {
  it("is canceled by who made it", { timeout: 60_000 }, async () => {
    const { page, faults, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/billing`)
    await page.getByRole("button", { name: "Buy 600 credits" }).click()
    await page.getByText("Pay as you have agreed").waitFor()
    const [order] = (await client.credits.purchases({ limit: 1 })).data
    const number = (order?.id ?? "").slice(-8).toUpperCase()
    // No number is broken, however narrow the window is.
    await page.setViewportSize({ width: 320, height: 720 })
    for (const short of await page.locator(".rows li > :is(strong, .badge)").all())
      assert.isBelow((await short.boundingBox())?.height ?? 0, 32)
    await page.getByRole("button", { name: `Cancel order ${number}` }).click()
    await page.getByText(`Cancel order ${number} of 600 credits?`).waitFor()
    await page.getByRole("button", { name: "Keep the order" }).click()
    await page.getByRole("button", { name: `Cancel order ${number}` }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel order", exact: true }).click()
    await page.getByText("canceled", { exact: true }).waitFor()
    await page.getByText("Pay as you have agreed").waitFor({ state: "detached" })
    assert.strictEqual(await page.getByRole("button", { name: `Cancel order ${number}` }).count(), 0)
    assert.strictEqual((await client.credits.getPurchase(order?.id ?? "")).state, "canceled")
    assert.deepStrictEqual(await findings(page), [])
    assert.deepStrictEqual(faults, [])
    await close()
  })
})

describe.skipIf(browserMissing !== null)(`the list${because(browserMissing)}`, () => {
  it("tells how long ago something was as time goes by, and chooses a range", {
    timeout: 60_000,
  }, async () => {
    for (const each of ["a", "b", "c"])
      await client.transcriptions.create({ url: `https://media.example/${each}.mp3?seconds=60` })
    const { page, close } = await openPage(browser, server.origin)
    await page.clock.install()
    await signIn(page, server.origin, server.key)
    const boxes = page.getByRole("checkbox", { name: /^Select [^a]/ })
    await boxes.nth(3).waitFor()
    await boxes.nth(0).click()
    await boxes.nth(2).click({ modifiers: ["Shift"] })
    await page.getByText("3 selected", { exact: true }).waitFor()
    await page.goto(`${server.origin}/console/keys`)
    await page.getByText("just now").first().waitFor()
    // So that nothing is asked again.
    await page.route("**/api/**", (route) => route.abort())
    await page.clock.runFor(5 * 60_000)
    await page.getByText("5 minutes ago").first().waitFor()
    await close()
  })
})
