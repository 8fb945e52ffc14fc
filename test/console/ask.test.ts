import { assert, describe, it } from "@effect/vitest"
import { because } from "../servers/because.js"
import { browserMissing, type Watched } from "./browser.js"
import { type Seeded, seed } from "./seed.js"
import type { ConsoleServer } from "./server.js"
import { setUp } from "./setUp.js"

let server: ConsoleServer
let seeded: Seeded
let watched: Watched

setUp({ page: { viewport: { width: 1280, height: 860 } } }, async (given) => {
  ;({ server, watched } = given)
  seeded = await seed(server.origin, server.key)
})

describe.skipIf(browserMissing !== null)(`asking and publishing${because(browserMissing)}`, () => {
  it("answers with moments that lead to the words, and keeps the question in the address", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${seeded.transcript}`)
    await page.getByRole("link", { name: "Ask", exact: true }).last().click()
    await page.getByLabel("Your question").fill("What was the price of salt?")
    await page.keyboard.press("Enter")
    const quote = page.locator(".answer blockquote", { hasText: "the price of salt" }).first()
    await quote.waitFor()
    assert.include(new URL(page.url()).searchParams.get("question"), "salt")
    await page.locator(".answer li", { hasText: "the price of salt" }).locator(".moment").first().click()
    const line = page.locator(".text p[aria-current]")
    await line.waitFor()
    assert.include(await line.textContent(), "the price of salt")
    await page.goBack()
    await quote.waitFor()
  })

  it("asks about all transcripts, and says where nothing fits", async () => {
    const { page } = watched
    await page.getByRole("navigation").getByRole("link", { name: "Ask", exact: true }).first().click()
    await page.getByRole("heading", { name: "Ask", exact: true }).waitFor()
    await page.getByLabel("Your question").fill("Who wrote the account books?")
    await page.keyboard.press("Enter")
    await page.locator(".answer blockquote").first().waitFor()
    assert.match(
      String(await page.locator(".answer").textContent()),
      /\d+ of \d+ transcripts had lines that fit/,
    )
    await page.getByLabel("Your question").fill("zzzz qqqq?")
    await page.keyboard.press("Enter")
    await page.getByText("Nothing in the text fits this question").waitFor()
    // The field is still the one that was typed in, and Back leads to the question before.
    assert.isTrue(
      await page.getByLabel("Your question").evaluate((field) => field === document.activeElement),
    )
    await page.goBack()
    await page.locator(".answer blockquote").first().waitFor()
    assert.strictEqual(await page.getByLabel("Your question").inputValue(), "Who wrote the account books?")
  })

  it("comes back to the words that were searched before", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/search`)
    const field = page.getByRole("main").getByRole("searchbox")
    for (const word of ["salt", "museum"]) {
      await field.fill(word)
      await page.keyboard.press("Enter")
      await page
        .locator(".hits mark", { hasText: new RegExp(word, "i") })
        .first()
        .waitFor()
    }
    await page.goBack()
    await page.locator(".hits mark", { hasText: /salt/i }).first().waitFor()
    assert.strictEqual(await field.inputValue(), "salt")
  })

  it("publishes, shows the addresses, and takes them back after asking once", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/t/${seeded.transcript}`)
    await page.locator("summary", { hasText: "More" }).click()
    await page.getByRole("button", { name: "Publish" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Publish" }).click()
    const address = await dialog.locator(".addresses a").first().getAttribute("href")
    assert.strictEqual((await fetch(String(address))).status, 200)
    assert.include(await dialog.locator("pre").textContent(), "<podcast:transcript")
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "hidden" })
    // Whoever comes later sees that others can read it, in the list and on its page.
    await page.goto(`${server.origin}/console`)
    const row = page.getByRole("row").filter({ has: page.locator(`a[href$="${seeded.transcript}"]`) })
    assert.include(await row.textContent(), "Public · ")
    await row.getByRole("link").first().click()
    await page.getByRole("button", { name: "Public", exact: true }).click()
    assert.strictEqual(await dialog.locator(".addresses a").first().getAttribute("href"), address)
    await dialog.getByRole("button", { name: "Take it back" }).click()
    assert.strictEqual((await fetch(String(address))).status, 200, "it asks once")
    await dialog.getByRole("button", { name: "Take it back now" }).click()
    await dialog.getByRole("button", { name: "Publish" }).waitFor()
    assert.notStrictEqual((await fetch(String(address))).status, 200)
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "hidden" })
    await page.getByRole("button", { name: "Public", exact: true }).waitFor({ state: "detached" })
  })

  it("had no fault in all of that", () => {
    assert.deepStrictEqual(watched.faults, [])
  })
})
