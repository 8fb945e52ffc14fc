/** Long lists with keys alone, as the ARIA pattern has it. */
import { assert, describe, it } from "@effect/vitest"
import { because } from "../servers/because.js"
import { browserMissing, type Watched } from "./browser.js"
import type { ConsoleServer } from "./server.js"
import { setUp } from "./setUp.js"

let server: ConsoleServer
let watched: Watched

setUp({ page: { viewport: { width: 1280, height: 860 } } }, async ({ client, ...given }) => {
  ;({ server, watched } = given)
  await client.credits.purchase({ credits: 600 })
  await client.transcribe({ url: "https://media.example/brot.mp3?seconds=30&title=Brot" }, { language: "de" })
  const { batch_id } = await client.podcasts.transcribe({
    feed: "https://show.example/feed.xml?episodes=3&title=Speaking+of+food",
    episodes: "all",
    language: "en",
  })
  while ((await client.podcasts.batch(batch_id)).queued > 0)
    await new Promise((resolve) => setTimeout(resolve, 100))
})

describe.skipIf(browserMissing !== null)(`a combobox${because(browserMissing)}`, () => {
  it("gets shorter as one types, and chooses with Enter", async () => {
    const { page } = watched
    await page.locator("tbody tr").nth(3).waitFor()
    const field = page.getByRole("combobox", { name: "Language" })
    await field.focus()
    assert.strictEqual(await field.getAttribute("aria-expanded"), "false")
    await page.keyboard.press("ArrowDown")
    assert.strictEqual(await field.getAttribute("aria-expanded"), "true")
    assert.isAbove(await page.getByRole("option").count(), 15)
    await page.keyboard.type("ger")
    assert.deepStrictEqual(await page.getByRole("option").allTextContents(), ["German"])
    const active = await field.getAttribute("aria-activedescendant")
    assert.strictEqual(await page.locator(`[id="${active}"]`).textContent(), "German")
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1)
    assert.include(String(await page.locator("tbody tr").textContent()), "Brot")
    assert.strictEqual(new URL(page.url()).searchParams.get("language"), "de")
    assert.strictEqual(await field.inputValue(), "German")
    assert.isTrue(await field.evaluate((element) => element === document.activeElement))
  })

  it("leaves what was chosen with Escape, and by going away", async () => {
    const { page } = watched
    const field = page.getByRole("combobox", { name: "Language" })
    await field.focus()
    await page.keyboard.type("fre")
    await page.getByRole("option", { name: "French" }).waitFor()
    await page.keyboard.press("Escape")
    assert.strictEqual(await field.inputValue(), "German")
    await page.keyboard.type("zzz")
    await page.getByRole("option").first().waitFor({ state: "detached" })
    await page.keyboard.press("Tab")
    assert.strictEqual(await field.inputValue(), "German")
    assert.strictEqual(new URL(page.url()).searchParams.get("language"), "de")
  })

  it("does not hold up the list: three calls are made before its first row", async () => {
    const { page } = watched
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (document.querySelector("tbody tr") === null) return
        observer.disconnect()
        const calls = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/api/"))
        Reflect.set(globalThis, "callsBefore", calls.length)
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto(`${server.origin}/console`)
    await page.getByRole("combobox", { name: "Show" }).waitFor()
    assert.isAtMost(await page.evaluate(() => Reflect.get(globalThis, "callsBefore")), 3)
  })

  it("chooses a show with the pointer, and all again", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console`)
    await page.locator("tbody tr").nth(3).waitFor()
    const field = page.getByRole("combobox", { name: "Show" })
    await field.click()
    await page.getByRole("option", { name: "Speaking of food" }).click()
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 3)
    await field.click()
    await page.getByRole("option", { name: "Any show" }).click()
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 4)
    assert.deepStrictEqual(watched.faults, [])
  })
})
