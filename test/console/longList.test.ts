import { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import type { Browser, Page } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, openPage, signIn } from "./browser.js"
import type { ConsoleServer } from "./server.js"
import { serve } from "./setUp.js"

const JOBS = 300

let server: ConsoleServer
let browser: Browser
let batch = ""

serve({ timeout: 120_000 }, async ({ client, ...given }) => {
  ;({ server, browser } = given)
  await client.credits.purchase({ credits: 5000 })
  const feed = `https://show.example/feed.xml?episodes=${JOBS}`
  const { batch_id } = await client.podcasts.transcribe({ feed, episodes: "all" })
  batch = batch_id
  while ((await client.podcasts.batch(batch_id)).queued > 0)
    await new Promise((resolve) => setTimeout(resolve, 200))
})

const readToEnd = async (page: Page) => {
  const rows = page.locator("tbody tr")
  await rows.first().waitFor()
  while ((await rows.count()) < JOBS) {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await page.waitForTimeout(50)
  }
}

/** How long ago the first job of each section was made, as it is told, and whether the section is far below what is seen. */
const told = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("tbody")].map((section) => ({
      ago: section.querySelector("time")?.textContent ?? "",
      isFar: section.getBoundingClientRect().top > 2 * innerHeight,
    })),
  )

describe.skipIf(browserMissing !== null)(`a list of hundreds${because(browserMissing)}`, () => {
  it("tells the time again where it is seen, and elsewhere when that comes into sight", async () => {
    const { page, faults, close } = await openPage(browser, server.origin, {
      viewport: { width: 1280, height: 800 },
    })
    await page.clock.install()
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console`)
    await readToEnd(page)
    await page.evaluate(() => scrollTo(0, 0))
    // The browser tells a moment later which parts are out of sight.
    await page.waitForTimeout(500)
    const before = await told(page)
    // Ids tell where sections begin: how many there are is chance, but the last one begins far below.
    const far = before.filter(({ isFar }) => isFar)
    assert.isNotEmpty(far)

    await page.clock.fastForward("02:00:00")
    await page.waitForFunction(
      (old) => document.querySelector("tbody time")?.textContent !== old,
      before[0]?.ago,
    )
    const after = await told(page)
    assert.deepStrictEqual(after.slice(-far.length), far)

    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await page.waitForFunction(
      (old) => [...document.querySelectorAll("tbody time")].at(-1)?.textContent !== old,
      before.at(-1)?.ago,
    )
    assert.strictEqual((await told(page)).at(-1)?.ago, after[0]?.ago)
    assert.deepStrictEqual(faults, [])
    await close()
  }, 120_000)

  it("says how many episodes of a show were deleted, beside what all of them cost", async () => {
    const client = new EarmarkClient({ baseUrl: server.origin, apiKey: server.key })
    const { billed_minutes } = await client.podcasts.batch(batch)
    const { data } = await client.transcriptions.list({ batch_id: batch, limit: 2 })
    for (const { id } of data) await client.transcriptions.delete(id)
    assert.strictEqual((await client.podcasts.batch(batch)).billed_minutes, billed_minutes)
    const { page, faults, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/shows/${batch}`)
    await page.locator(".legend li", { hasText: "2 deleted" }).waitFor()
    await page.getByText(`${billed_minutes} minutes billed`).waitFor()
    assert.deepStrictEqual(faults, [])
    await close()
  })
})
