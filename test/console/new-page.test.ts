/** The small rules of the page where transcriptions begin, and of the preview of captions. */
import { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { because } from "../servers/because.js"
import { browserMissing, openBrowser, openPage, signIn, type Watched } from "./browser.js"
import { type ConsoleServer, startConsole } from "./server.js"

let server: ConsoleServer
let browser: Browser
let watched: Watched

beforeAll(async () => {
  if (browserMissing !== null) return
  server = await startConsole()
  browser = await openBrowser()
  watched = await openPage(browser, server.origin, { viewport: { width: 1280, height: 860 } })
  await signIn(watched.page, server.origin, server.key)
}, 60_000)

afterAll(async () => {
  await watched?.close()
  await browser?.close()
  await server?.stop()
})

describe.skipIf(browserMissing !== null)(`a new transcription${because(browserMissing)}`, () => {
  it("takes a file once that is chosen twice", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/new`)
    const file = { name: "talk.mp3", mimeType: "audio/mpeg", buffer: Buffer.alloc(1000, 1) }
    const input = page.locator("input[type=file]")
    await input.setInputFiles([file, { ...file, name: "other.mp3" }])
    await input.evaluate((element: HTMLInputElement) => {
      const twice = new DataTransfer()
      const one = new File([new Uint8Array(5)], "same.mp3", { type: "audio/mpeg", lastModified: 7 })
      const again = new File([new Uint8Array(5)], "same.mp3", { type: "audio/mpeg", lastModified: 7 })
      twice.items.add(one)
      twice.items.add(again)
      element.files = twice.files
      element.dispatchEvent(new Event("change", { bubbles: true }))
    })
    await page.getByText("same.mp3").first().waitFor()
    assert.deepStrictEqual(await page.locator(".files .name").allTextContents(), [
      "talk.mp3",
      "other.mp3",
      "same.mp3",
    ])
  })

  it("asks about a feed for an address alone, and begins with Enter", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/new`)
    const link = page.getByLabel("Link", { exact: true })
    const asked = page.getByLabel("This is a podcast feed")
    for (const rubbish of ["   ", "rubbish", "two words"]) {
      await link.fill(rubbish)
      assert.strictEqual(await asked.count(), 0, rubbish)
    }
    await link.fill("https://media.example/enter.mp3?seconds=60")
    await asked.waitFor()
    await page.locator("button.primary[aria-disabled=false]").waitFor()
    await link.press("Enter")
    await page.locator(".text p").first().waitFor()
  })
})

describe.skipIf(browserMissing !== null)(`a preview of captions${because(browserMissing)}`, () => {
  it("leads from one problem to the next", async () => {
    const { page } = watched
    const client = new EarmarkClient({ baseUrl: server.origin, apiKey: server.key })
    const { id } = await client.transcribe({ url: "https://media.example/lint.mp3?seconds=300" })
    await page.goto(`${server.origin}/console/t/${id}?view=export`)
    await page.getByLabel("Characters a line").fill("16")
    await page.getByLabel("Lines a caption").fill("1")
    const button = page.getByRole("button", { name: /problems?: show the next one$/ })
    await button.waitFor()
    const seen = () =>
      page.locator(".cues").evaluate((list) => {
        const { top, bottom } = list.getBoundingClientRect()
        return [...list.querySelectorAll("li.bad")].map((cue) => {
          const box = cue.getBoundingClientRect()
          return box.bottom > top && box.top < bottom
        })
      })
    const count = Number.parseInt((await button.textContent()) ?? "", 10)
    assert.isAbove(count, 1)
    await button.click()
    await page.getByText(`Problem 1 of ${count}`).waitFor()
    assert.isTrue((await seen())[0])
    await button.click()
    await page.getByText(`Problem 2 of ${count}`).waitFor()
    assert.isTrue((await seen())[1])
  })
})
