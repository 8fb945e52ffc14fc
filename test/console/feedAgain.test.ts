/** A feed that is opened again: which of its episodes are new. */
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
let client: EarmarkClient

beforeAll(async () => {
  if (browserMissing !== null) return
  ;[server, browser] = await Promise.all([startConsole(), openBrowser()])
  client = new EarmarkClient({ baseUrl: server.origin, apiKey: server.key })
  await client.credits.purchase({ credits: 600 })
  watched = await openPage(browser, server.origin, { viewport: { width: 1280, height: 860 } })
  await signIn(watched.page, server.origin, server.key)
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

describe.skipIf(browserMissing !== null)(`a feed that is opened again${because(browserMissing)}`, () => {
  it("marks the episodes that are transcribed, and starts only the others", async () => {
    const { page } = watched
    const feed = "https://show.example/feed.xml?episodes=4&title=Speaking+of+food"
    const { batch_id } = await client.podcasts.transcribe({ feed, episodes: 3 })
    while ((await client.podcasts.batch(batch_id)).queued > 0)
      await new Promise((resolve) => setTimeout(resolve, 100))
    const { data: before } = await client.transcriptions.list({ feed })
    assert.lengthOf(before, 3)
    const { data: episodes } = await client.podcasts.episodes({ feed })

    await page.goto(`${server.origin}/console/shows/${batch_id}`)
    await page.getByRole("link", { name: "Look for new episodes" }).click()
    await page.waitForURL(/\/console\/new\?feed=/)
    assert.strictEqual(await page.getByLabel("Link", { exact: true }).inputValue(), feed)
    const marks = page.locator("tbody").getByRole("link", { name: "transcribed" })
    await marks.nth(2).waitFor()
    assert.strictEqual(await marks.count(), 3)
    const job = before.find(({ source }) => source.episode_guid === episodes[0]?.guid)
    assert.strictEqual(await marks.first().getAttribute("href"), `/console/t/${job?.id}`)

    await page.getByRole("button", { name: "Those not transcribed yet" }).click()
    const boxes = page.locator("tbody input[type=checkbox]")
    assert.deepStrictEqual(
      await boxes.evaluateAll((all) => all.map((each) => each instanceof HTMLInputElement && each.checked)),
      [false, false, false, true],
    )
    await page.getByRole("button", { name: /^Transcribe for \d+ credit/ }).click()
    await page.waitForURL(/\/console\/t\//)
    const { data: after } = await client.transcriptions.list({ feed })
    assert.deepStrictEqual(
      after.map(({ source }) => source.episode_guid).toSorted(),
      episodes.map(({ guid }) => guid).toSorted(),
    )

    // It may still run: it is not offered again.
    await page.goto(`${server.origin}/console/new?feed=${encodeURIComponent(feed)}`)
    await page.getByRole("button", { name: "Those not transcribed yet" }).click()
    await page.getByText("All episodes listed here are transcribed or in progress.").waitFor()
    assert.isTrue(await page.getByRole("button", { name: "Transcribe", exact: true }).isDisabled())
  })

  it("begins with what is newer than all that was transcribed, and says where nothing is", async () => {
    const { page } = watched
    const feed = "https://show.example/feed.xml?episodes=5&title=Speaking+of+rivers"
    const { data: episodes } = await client.podcasts.episodes({ feed })
    const guids = episodes.map(({ guid }) => guid)
    await client.transcriptions.create({ url: feed, episode_guid: guids[2] })
    const open = () => page.goto(`${server.origin}/console/new?feed=${encodeURIComponent(feed)}`)
    const boxes = page.locator("tbody input[type=checkbox]")
    const chosen = () =>
      boxes.evaluateAll((all) => all.map((each) => each instanceof HTMLInputElement && each.checked))

    await open()
    await boxes.first().waitFor()
    assert.deepStrictEqual(await chosen(), [true, true, false, false, false])
    await page.getByRole("button", { name: /^Transcribe for \d+ credit/ }).click()
    await page.waitForURL((url) => !url.pathname.endsWith("/new"))
    const { data: made } = await client.transcriptions.list({ feed })
    assert.sameMembers(
      made.map(({ source }) => source.episode_guid),
      guids.slice(0, 3),
    )

    await open()
    await page.getByText("No episode is newer than those that are transcribed or in progress.").waitFor()
    assert.deepStrictEqual(await chosen(), [false, false, false, false, false])
    assert.isTrue(await page.getByRole("button", { name: "Transcribe", exact: true }).isDisabled())
  })

  it("chooses no more than can be started together, and says how many are left", async () => {
    const { page } = watched
    // Nothing in the address says that it is a feed.
    const feed = "https://show.example/podcast?episodes=25"
    await client.podcasts.transcribe({ feed, episodes: "latest" })
    await page.goto(`${server.origin}/console/new?feed=${encodeURIComponent(feed)}`)
    await page.getByRole("button", { name: "Those not transcribed yet" }).click()
    await page.getByText("The newest 20 of 24 are chosen. Start the others afterwards.").waitFor()
    assert.strictEqual(await page.locator("tbody input[type=checkbox]:checked").count(), 20)
    // One that is added by hand is chosen as before.
    await page.locator("tbody input[type=checkbox]:checked").first().uncheck()
    assert.strictEqual(
      await page.getByRole("button", { name: "Single episodes" }).getAttribute("aria-pressed"),
      "true",
    )
    assert.strictEqual(await page.locator("tbody input[type=checkbox]:checked").count(), 19)
  })
})
