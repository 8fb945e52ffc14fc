/** The operator in a browser, without a mouse: what the commands do, and what nobody else sees. */

import { EarmarkClient } from "@earmark/api/client"
import { JobQueue } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Browser, Page } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, findings, openPage, signIn, type Watched } from "./browser.js"
import type { ConsoleServer } from "./server.js"
import { serve } from "./setUp.js"

let server: ConsoleServer
let browser: Browser
let client: EarmarkClient

serve({ server: { works: false, isPaidByHand: true } }, (given) => {
  ;({ server, browser, client } = given)
})

/** A browser in which the operator is signed in. */
const asOperator = async (): Promise<Watched> => {
  const watched = await openPage(browser, server.origin, { viewport: { width: 1100, height: 800 } })
  await watched.page.goto(await server.newLink({ isOperator: true }))
  await watched.page.getByRole("heading", { name: "Transcripts", exact: true }).waitFor()
  return watched
}

/** Goes on with Tab until something of that name has the focus, and presses Enter. */
const press = async (page: Page, name: string) => {
  // A page that is not drawn yet has little to tab to.
  await page
    .getByText(name, { exact: true })
    .or(page.getByLabel(name, { exact: true }))
    .first()
    .waitFor()
  for (let tries = 0; tries < 120; tries++) {
    const focused = await page.evaluate(() => {
      const { activeElement } = document
      return (activeElement?.getAttribute("aria-label") ?? activeElement?.textContent ?? "").trim()
    })
    if (focused === name) return page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
  }
  assert.fail(`Tab never came to "${name}"`)
}

/** A job whose end could not be written. */
const setAside = async (reason: string): Promise<string> => {
  const { id } = await client.transcriptions.create({
    url: `https://media.example/${reason.length}.mp3?seconds=60`,
  })
  await server.run(
    Effect.gen(function* () {
      const queue = yield* JobQueue
      const [claimed] = yield* queue.claim({ worker: "w", want: 1, cap: 10, leaseSeconds: 60 })
      assert.strictEqual(claimed?.job.id, id)
      if (claimed !== undefined) yield* queue.bury(claimed.lease, reason)
    }),
  )
  return id
}

const HOSTILE = '<img src=x onerror="alert(1)">'

describe.skipIf(browserMissing !== null)(`the operator${because(browserMissing)}`, () => {
  it("has pages that nobody else has", { timeout: 60_000 }, async () => {
    const { page, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    assert.strictEqual(await page.getByRole("link", { name: "Operator" }).count(), 0)
    await page.goto(`${server.origin}/console/operator/accounts`)
    await page.getByRole("heading", { name: "There is no such page" }).waitFor()
    await close()
  })

  it("creates an account, grants it credits and gives it a key", { timeout: 60_000 }, async () => {
    const { page, faults, close } = await asOperator()
    await press(page, "Operator")
    await page.getByRole("heading", { name: "Operator", exact: true }).waitFor()
    await press(page, "Verify the ledger")
    await page.getByText("Every balance, hold and entry agrees.").waitFor()
    await press(page, "Accounts")
    await page.getByRole("heading", { name: "Accounts", exact: true }).waitFor()
    await press(page, "Create account")
    await page.getByRole("dialog").waitFor()
    await page.getByLabel("Name").focus()
    await page.keyboard.press("Enter")
    await page.getByRole("alert").getByText("a name or an email address is needed").waitFor()
    await page.keyboard.type(HOSTILE)
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: HOSTILE }).waitFor()
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? ""
    assert.match(id, /^acct_/)

    await press(page, "Grant credits")
    await page.getByRole("dialog").waitFor()
    assert.deepStrictEqual(await findings(page), [])
    await page.getByLabel("Minutes").focus()
    await page.keyboard.type("100")
    await page.getByLabel("Reference").fill("order-7")
    await page.keyboard.press("Enter")
    await page.getByText("Granted. The account has 20100 credits available.").waitFor()
    await page.getByText("order-7").first().waitFor()

    await press(page, "Set limits")
    await page.getByLabel("Most waiting jobs").fill("many")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").getByText("a whole number from 1").waitFor()
    await page.getByLabel("Most waiting jobs").fill("7")
    await page.keyboard.press("Enter")
    await page.getByText("Done.").waitFor()

    await press(page, "Create key")
    await page.getByRole("dialog").getByLabel("Name").fill("backend")
    await page.keyboard.press("Enter")
    const value = page.getByRole("textbox", { name: "The new key" })
    await value.waitFor()
    const key = await value.inputValue()
    assert.match(key, /^em_live_/)
    await page.keyboard.press("Escape")
    assert.isTrue(await value.isVisible())
    await press(page, "I have saved it")
    await value.waitFor({ state: "detached" })
    assert.notInclude(await page.content(), key)
    const theirs = new EarmarkClient({ baseUrl: server.origin, apiKey: key })
    assert.strictEqual((await theirs.credits.get()).available, 20_100)

    await press(page, "Revoke backend")
    await page.getByRole("dialog").waitFor()
    await press(page, "Revoke backend")
    await page.getByText("revoked", { exact: true }).waitFor()
    await theirs.credits.get().then(
      () => assert.fail("The key still works"),
      (error) => assert.strictEqual(error.code, "unauthorized"),
    )
    // Browsers log the two requests that were refused.
    assert.deepStrictEqual(
      faults.filter((fault) => !fault.includes("status of 400")),
      [],
    )
    await close()
  })

  it("is told of an account that is not there, and is no operator after the sign-out", {
    timeout: 60_000,
  }, async () => {
    const { page, close } = await asOperator()
    await page.goto(`${server.origin}/console/operator/accounts`)
    await page.getByLabel("Open an account by its id").fill("acct_1 ")
    await page.keyboard.press("Enter")
    await page.getByText("No account with id acct_1.").waitFor()
    await press(page, "Set-aside jobs")
    await page.getByRole("heading", { name: "No job was set aside" }).waitFor()
    // Signed in with a key elsewhere in this browser: the session of the operator has ended.
    await page.evaluate(async (key) => {
      const headers = { "Earmark-Console": "1", "Content-Type": "application/json" }
      await fetch("/api/v1/session", { method: "POST", headers, body: JSON.stringify({ key }) })
    }, server.key)
    // A page that asks again by itself notices before the next one is opened.
    const gone = page.getByRole("heading", { name: "There is no such page" }).waitFor()
    await Promise.race([gone, press(page, "Accounts").catch(() => undefined)])
    await gone
    assert.strictEqual(await page.getByRole("link", { name: "Operator" }).count(), 0)
    await close()
  })

  it("signs in again with a new link, and stays the operator", { timeout: 60_000 }, async () => {
    const { page, close } = await asOperator()
    await page.goto(`${server.origin}/console/operator/accounts`)
    server.advance(15 * 60 + 1)
    const create = async () => {
      await press(page, "Create account")
      await page.getByRole("dialog").getByLabel("Name").fill("Edda")
      await page.keyboard.press("Enter")
    }
    await create()
    const again = page.getByRole("dialog", { name: "Sign in again" })
    await again.getByText("an API key does not sign you in as the operator.").waitFor()
    assert.deepStrictEqual(await findings(page), [])
    await again.getByRole("textbox").fill(await server.newLink({ isOperator: true }))
    await page.keyboard.press("Enter")
    await again.waitFor({ state: "detached" })
    await page.keyboard.press("Escape")
    await create()
    await page.getByRole("heading", { name: "Edda" }).waitFor()
    await close()
  })

  it("leaves it to people to buy credits: nothing is offered that would buy them without one", async () => {
    const { page, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    assert.isFalse((await client.account.get()).features.auto_reload)
    await page.goto(`${server.origin}/console/billing`)
    await page.getByText("Nobody can be charged without you here.").waitFor()
    assert.strictEqual(await page.getByRole("checkbox").or(page.getByRole("switch")).count(), 0)
    await close()
  })

  it("confirms an order, once", { timeout: 60_000 }, async () => {
    const { id, state } = await client.credits.purchase({ credits: 600 })
    assert.strictEqual(state, "pending")
    const before = (await client.credits.get()).available
    const { page, faults, close } = await asOperator()
    await page.goto(`${server.origin}/console/operator/orders`)
    await page.getByText(id).first().waitFor()
    // The id of an order stands with its number, and not as one of the account.
    const account = page
      .getByRole("cell")
      .filter({ has: page.getByRole("link", { name: "Ann", exact: true }) })
    assert.notInclude(await account.first().textContent(), id)
    await press(page, `Confirm payment of order ${id.slice(-8).toUpperCase()}`)
    await page.getByRole("dialog").waitFor()
    await press(page, "Confirm payment")
    await page.getByRole("heading", { name: "No open orders" }).waitFor()
    assert.strictEqual((await client.credits.get()).available, before + 600)
    await press(page, "Command and answer")
    await page.getByText("earmark credits purchases --open").waitFor()
    assert.deepStrictEqual(await findings(page), [])
    await press(page, "All")
    await page.getByText(id).first().waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Confirm payment" }).count(), 0)
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("cancels an order that will not be paid", { timeout: 60_000 }, async () => {
    const { id } = await client.credits.purchase({ credits: 7 })
    const number = id.slice(-8).toUpperCase()
    const { page, faults, close } = await asOperator()
    await page.goto(`${server.origin}/console/operator/orders`)
    await press(page, `Cancel order ${number}`)
    await page.getByText(`Cancel order ${number} of Ann, 7 credits?`).waitFor()
    await page.getByRole("button", { name: "Keep the order" }).waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Cancel order", exact: true }).click()
    await page.getByRole("heading", { name: "No open orders" }).waitFor()
    assert.strictEqual((await client.credits.getPurchase(id)).state, "canceled")
    await press(page, "All")
    await page.getByText("canceled", { exact: true }).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: /^Cancel order|^Confirm payment/ }).count(), 0)
    assert.deepStrictEqual(await findings(page), [])
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("puts a job back that was set aside", { timeout: 60_000 }, async () => {
    const id = await setAside(HOSTILE)
    const { page, faults, close } = await asOperator()
    await page.goto(`${server.origin}/console/operator/jobs`)
    await page.getByText(HOSTILE).first().waitFor()
    await press(page, `Put ${id} back`)
    await page.getByText(`${id} is in the queue again.`).waitFor()
    await page.getByRole("heading", { name: "No job was set aside" }).waitFor()
    assert.isEmpty(await server.run(Effect.flatMap(JobQueue, (queue) => queue.dead(10))))
    assert.deepStrictEqual(faults, [])
    await close()
  })
})
