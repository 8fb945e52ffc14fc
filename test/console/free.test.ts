/** The console of a server that charges nothing. */
import { assert, describe, it } from "@effect/vitest"
import type { Browser } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, openPage, signIn } from "./browser.js"
import type { ConsoleServer } from "./server.js"
import { serve } from "./setUp.js"

let server: ConsoleServer
let browser: Browser

serve({ server: { isFree: true } }, (given) => {
  ;({ server, browser } = given)
})

const FREE = "This server charges nothing."

describe.skipIf(browserMissing !== null)(`a server that charges nothing${because(browserMissing)}`, () => {
  it("shows no balance, no price and nothing to buy", async () => {
    const { page, faults, close } = await openPage(browser, server.origin, {
      viewport: { width: 1280, height: 800 },
    })
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/new`)
    await page.getByLabel("Link", { exact: true }).fill("https://media.example/talk.mp3?seconds=90")
    await page.getByText(FREE).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Transcribe", exact: true }).count(), 1)
    // What is wrong with a link is told before it is sent.
    await page.getByText("The media is 2 minutes long").waitFor()
    await page
      .getByLabel("Link", { exact: true })
      .fill("https://media.example/a.mp3?refuse=unresolvable_link")
    await page.getByText("The link was refused").waitFor()
    await page.getByLabel("Link", { exact: true }).fill("")
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "talk.wav", mimeType: "audio/wav", buffer: Buffer.alloc(1000, 1) })
    await page.getByRole("button", { name: "Upload and transcribe 1 file" }).waitFor()
    const menu = page.locator("header.top")
    assert.notInclude((await menu.textContent()) ?? "", "redits")
    await page.goto(`${server.origin}/console/billing`)
    await page.getByText(FREE).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: /Buy/ }).count(), 0)
    assert.strictEqual(await page.getByText("One credit buys one minute").count(), 0)
    await page.goto(`${server.origin}/console/keys`)
    await page.getByRole("button", { name: "Create key" }).first().click()
    await page.getByText("See credits and usage").or(page.getByText("billing:read")).first().waitFor()
    assert.strictEqual(await page.getByText("billing:write").count(), 0)
    // Browsers log the answer to the link that was refused.
    assert.deepStrictEqual(
      faults.filter((fault) => !fault.includes("status of 422")),
      [],
    )
    await close()
  }, 60_000)
})
