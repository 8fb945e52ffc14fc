/** Choosing what is transcribed, reading all of a translation, and a page that is older than its server. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import type { Browser } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, openPage, signIn, type Watched } from "./browser.js"
import { type ConsoleServer, UNENDING } from "./server.js"
import { setUp } from "./setUp.js"

const FEED = "https://show.example/feed.xml?episodes=6&title=Speaking+of+food"

let server: ConsoleServer
let browser: Browser
let watched: Watched
let client: EarmarkClient

setUp({ page: { viewport: { width: 1280, height: 860 } } }, (given) => {
  ;({ server, browser, watched, client } = given)
})

describe.skipIf(browserMissing !== null)(`the console${because(browserMissing)}`, () => {
  it("transcribes the episodes of a feed that were chosen, for their price together", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console/new`)
    await page.getByLabel("Link", { exact: true }).fill(FEED)
    await page.getByRole("button", { name: "Single episodes" }).click()
    const boxes = page.locator("tbody input[type=checkbox]")
    await boxes.nth(5).waitFor()
    const start = page.getByRole("button", { name: "Transcribe", exact: true })
    assert.isTrue(await start.isDisabled())
    const { data } = await client.podcasts.episodes({ feed: FEED })
    const wanted = [data[1], data[4]].flatMap((episode) => (episode === undefined ? [] : [episode]))
    for (const { title } of wanted) await page.getByLabel(`Transcribe ${title}`, { exact: true }).check()
    const quotes = await Promise.all(
      wanted.map(({ guid }) => client.credits.quote({ url: FEED, episode_guid: guid })),
    )
    const price = quotes.reduce((sum, { credits }) => sum + (credits ?? 0), 0)
    await page.getByRole("button", { name: new RegExp(`^Transcribe for ${price} credit`) }).click()
    await page.getByRole("heading", { name: "Transcripts", exact: true }).waitFor()
    const { data: made } = await client.transcriptions.list({})
    assert.deepStrictEqual(
      made.map(({ title }) => title).toSorted(),
      wanted.map(({ title }) => title).toSorted(),
    )
  })

  it("has its button in sight in a window of 1280 by 800, also with speaker labels", async () => {
    const { page, close } = await openPage(browser, server.origin, {
      viewport: { width: 1280, height: 800 },
    })
    await signIn(page, server.origin, server.key)
    // Whoever has bought something may have speaker labels.
    await client.credits.purchase({ credits: 60 })
    await page.goto(`${server.origin}/console/new`)
    const file = { name: "harbour.mp3", mimeType: "audio/mpeg", buffer: Buffer.alloc(20_000, 1) }
    await page.locator("input[type=file]").setInputFiles(file)
    await page.getByLabel("Speaker labels").check()
    await page.getByLabel("How many people speak").waitFor()
    const bottomOf = async (name: RegExp) => {
      const box = await page.getByRole("button", { name }).boundingBox()
      return (box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0)
    }
    assert.isAtMost(await bottomOf(/^Upload 1 file/), 800)
    await page.getByRole("button", { name: "Upload 1 file" }).click()
    // What stands where the price does: the engine of the tests reads no files.
    await page.getByText("Media are not looked at beforehand.").waitFor()
    assert.isAtMost(await bottomOf(/^Transcribe/), 800)
    await close()
  })

  it("says where the credits are too few, and what happens then", async () => {
    const { page, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    await page.goto(`${server.origin}/console/new`)
    const url = "https://media.example/endless.mp3?seconds=3600000"
    await page.getByLabel("Link", { exact: true }).fill(url)
    await page
      .getByText(/^You have [\d,]+ credits too few\. It waits until there are enough: get credits$/)
      .waitFor()
    await page.getByRole("link", { name: "get credits" }).click()
    await page.getByRole("heading", { name: "Credits", exact: true, level: 1 }).waitFor()
    await close()
  })

  it("begins nothing before its price could be read, however often one presses", async () => {
    const { page, close } = await openPage(browser, server.origin)
    await signIn(page, server.origin, server.key)
    const { data: before } = await client.transcriptions.list({})
    await page.route("**/quotes", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 600))
      await route.continue()
    })
    await page.goto(`${server.origin}/console/new`)
    const url = "https://media.example/priced.mp3?seconds=90&title=Priced"
    await page.getByLabel("Link", { exact: true }).fill(url)
    await page.getByRole("button", { name: /^Transcribe/ }).focus()
    const hasPrice = () => page.getByRole("button", { name: /^Transcribe for/ }).isVisible()
    const last = Date.now() + 20_000
    while (!(await hasPrice()) && Date.now() < last) await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    assert.isTrue(await hasPrice())
    assert.strictEqual((await client.transcriptions.list({})).data.length, before.length)
    await page.locator("button:not([aria-disabled=true])", { hasText: "Transcribe for" }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Priced", exact: true }).waitFor()
    await close()
  })

  it("says what became of trying the failed episodes of a show again, and does not offer it for those that would fail again", async () => {
    const { page } = watched
    await client.credits.purchase({ credits: 60 })
    const feed = "https://show.example/feed.xml?episodes=2&title=Gone&broken=source_not_found"
    const { batch_id } = await client.podcasts.transcribe({ feed, episodes: "all" })
    while ((await client.podcasts.batch(batch_id)).queued > 0)
      await new Promise((resolve) => setTimeout(resolve, 100))
    const { failed } = await client.podcasts.batch(batch_id)
    assert.isAbove(failed, 0)
    const [first, second] = (await client.transcriptions.list({ batch_id })).data
    await client.transcriptions.delete(first?.id ?? "")
    await page.goto(`${server.origin}/console/shows/${batch_id}`)
    await page.getByRole("row").nth(1).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Retry failed episodes" }).count(), 0)
    await page.locator("tbody input[type=checkbox]").first().check()
    await page.getByRole("region", { name: "1 selected" }).getByRole("button", { name: "Delete" }).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Retry", exact: true }).count(), 0)
    await client.transcriptions.delete(second?.id ?? "")
  })

  it("tries a recording again that failed for good as far as anybody knew", async () => {
    const { page } = watched
    const url = "https://media.example/gone.mp3?seconds=60&broken=source_not_found"
    const { id } = await client.transcriptions.create({ url })
    const failed = await client.waitFor(id)
    assert.deepStrictEqual(
      [failed.status, failed.status === "failed" && failed.failure.retryable],
      ["failed", false],
    )
    await page.goto(`${server.origin}/console/t/${id}`)
    await page.getByText("Nothing was charged.").waitFor()
    await page.getByRole("button", { name: "Retry", exact: true }).click()
    const answered = page.waitForResponse((response) => response.url().endsWith("/retry"))
    // What it costs stands on the button before anything is spent.
    await page.getByRole("dialog").getByText("1 credit", { exact: false }).first().waitFor()
    await page.getByRole("button", { name: "Retry for 1 credit", exact: true }).click()
    assert.isTrue((await answered).ok())
    const again = await client.waitFor(id)
    assert.notStrictEqual(again.completed_at, failed.completed_at)
    await client.transcriptions.delete(id)
  })

  it("asks before it cancels what runs, and says afterwards that nothing was charged", async () => {
    const { page } = watched
    const url = "https://media.example/given-up.mp3?seconds=600"
    const { id } = await client.transcriptions.create({ url, language: UNENDING })
    const dialog = page.getByRole("dialog")
    await page.goto(`${server.origin}/console/t/${id}`)
    await page.getByRole("button", { name: "Cancel", exact: true }).click()
    await dialog.getByText("Lines that were recognized so far are lost. Nothing is charged.").waitFor()
    // No button beside it is called like what it does not do.
    assert.strictEqual(await dialog.getByRole("button", { name: "Cancel", exact: true }).count(), 0)
    await dialog.getByRole("button", { name: "Keep transcribing" }).click()
    assert.strictEqual((await client.transcriptions.get(id)).status, "queued")
    await page.getByRole("button", { name: "Cancel", exact: true }).click()
    await dialog.getByRole("button", { name: "Cancel transcription" }).click()
    await page.getByText("Nothing was charged.").waitFor()
    await client.transcriptions.delete(id)
  })

  it("names the price of several that begin again, together", async () => {
    const { page } = watched
    const made = await Promise.all(
      ["one", "two"].map((name) =>
        client.transcriptions.create({
          url: `https://media.example/${name}.mp3?seconds=600`,
          language: UNENDING,
        }),
      ),
    )
    await page.goto(`${server.origin}/console`)
    for (const { id } of made)
      await page
        .getByRole("row")
        .filter({ has: page.locator(`a[href$="${id}"]`) })
        .getByRole("checkbox")
        .check()
    const chosen = page.getByRole("region", { name: "2 selected" })
    const dialog = page.getByRole("dialog")
    await chosen.getByRole("button", { name: "Cancel", exact: true }).click()
    await dialog.getByText("Cancel 2 transcriptions?").waitFor()
    await dialog.getByRole("button", { name: "Cancel transcriptions" }).click()
    await dialog.waitFor({ state: "detached" })
    for (const { id } of made)
      await page
        .getByRole("row")
        .filter({ has: page.locator(`a[href$="${id}"]`) })
        .getByRole("checkbox")
        .check()
    await chosen.getByRole("button", { name: "Retry" }).click()
    await dialog.getByRole("button", { name: "Retry for 20 credits" }).click()
    await dialog.waitFor({ state: "detached" })
    for (const { id } of made) {
      assert.strictEqual((await client.transcriptions.get(id)).status, "queued")
      await client.transcriptions.delete(id)
    }
  })

  it("says how many run and how many have failed, and follows both", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console`)
    const standing = page.getByRole("group", { name: "Filter by state" })
    const all = () => standing.getByRole("button").allTextContents()
    await standing.waitFor()
    const url = "https://media.example/endless.mp3?seconds=600"
    const endless = await client.transcriptions.create({ url, language: UNENDING })
    await client.transcriptions.create({ url: `${url}&broken=unsupported_media` })
    await standing.getByRole("button", { name: "Running 1", exact: true }).waitFor()
    await standing.getByRole("button", { name: "Failed or canceled 1", exact: true }).waitFor()
    await client.transcriptions.cancel(endless.id)
    await standing.getByRole("button", { name: "Failed or canceled 2", exact: true }).waitFor()
    assert.deepStrictEqual(await all(), ["All", "Running", "Done", "Failed or canceled 2"])
    await standing.getByRole("button", { name: /^Failed/ }).click()
    await page.getByRole("searchbox", { name: "Filter by title" }).fill("nothing like it")
    await page.keyboard.press("Enter")
    await page.getByText("Failed or canceled", { exact: true }).waitFor()
    assert.deepStrictEqual(await all(), ["All", "Running", "Done", "Failed or canceled"])
  })

  it("shows a translation to its last line", async () => {
    const { page } = watched
    const url = "https://media.example/long.mp3?seconds=14400"
    const job = await client.transcribe({ url }, { language: "en", translate_to: "de" })
    assert.isAbove(job.segments.length, 1500)
    await page.goto(`${server.origin}/console/t/${job.id}?view=translation`)
    await page.waitForFunction(
      (count) => document.querySelectorAll(".part .pair").length === count,
      job.segments.length,
    )
    const last = page.locator(".part .pair").last()
    assert.include(String(await last.textContent()), job.translation?.segments.at(-1)?.text ?? "nothing")
  })

  it("says that a new version is here when code of the old one is gone, and keeps drafts", async () => {
    const { page } = watched
    const { id } = await client.transcribe({ url: "https://media.example/talk.mp3?seconds=60" })
    await page.goto(`${server.origin}/console/t/${id}`)
    const line = page.locator(".text p").nth(1)
    await line.focus()
    await page.keyboard.press("e")
    await page.keyboard.press("End")
    await page.keyboard.type(" Half")
    await page.route("**/console/assets/*.js", (route) => route.fulfill({ status: 404, body: "" }))
    await page.route(`${server.origin}/console`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: '<script src="/console/assets/main-NEW.js"></script>',
      }),
    )
    // The line cannot be saved either.
    await page.route("**/api/v1/transcriptions/*/edits", (route) => route.abort())
    await page.getByRole("link", { name: "Summary" }).click()
    await page.getByText("A new version is here").waitFor()
    await page.getByRole("link", { name: "Usage" }).click()
    await page.getByRole("heading", { name: "A new version is here" }).waitFor()
    await page.unrouteAll()
    await page.goto(`${server.origin}/console/t/${id}`)
    await page.getByRole("button", { name: "Go on with the draft" }).click()
    await page.locator(".text p.editing", { hasText: "Half" }).waitFor()
  })

  it("says that the connection failed when it did", async () => {
    const { page } = watched
    await page.goto(`${server.origin}/console`)
    await page.locator("tbody tr").first().waitFor()
    await page.route("**/console/assets/*.js", (route) => route.abort())
    await page.getByRole("link", { name: "Usage" }).click()
    await page.getByText("Part of this page could not be loaded").waitFor()
    await page.unrouteAll()
    await page.getByRole("button", { name: "Reload" }).click()
    await page.getByRole("heading", { name: "Usage" }).waitFor()
  })

  it("says of a transcription that runs when the server is away, and goes on by itself", async () => {
    const { page } = watched
    const { id } = await client.transcriptions.create({
      url: "https://media.example/away.mp3?seconds=900",
      language: UNENDING,
    })
    await page.goto(`${server.origin}/console/t/${id}`)
    await page.locator(".text p").first().waitFor()
    await page.context().setOffline(true)
    const notice = page.getByRole("alert").filter({ hasText: "The server does not answer" })
    await notice.waitFor({ timeout: 15_000 })
    await page.context().setOffline(false)
    await notice.waitFor({ state: "detached", timeout: 15_000 })
    await client.transcriptions.cancel(id)
    await page.getByText("canceled", { exact: true }).first().waitFor()
  }, 60_000)

  it("starts a show of which nobody knows how long its episodes are, and says so before", async () => {
    const { page } = watched
    // The first purchase unlocks whole shows.
    await client.credits.purchase({ credits: 100 })
    await page.goto(`${server.origin}/console/new`)
    await page.getByLabel("Link", { exact: true }).fill(`${FEED}&unknown`)
    // A number that cannot be starts no other number.
    await page.getByRole("button", { name: "Newest episodes" }).click()
    const start = page.getByRole("button", { name: "Transcribe", exact: true })
    const count = page.getByLabel("How many of the newest episodes")
    for (const wrong of ["0", "-1", "2.5", "7"]) {
      await count.fill(wrong)
      await page.getByText("Give a whole number from 1 to 6.").waitFor()
      assert.isTrue(await start.isDisabled(), wrong)
    }
    await count.fill("")
    assert.isTrue(await start.isDisabled())
    await count.fill("2")
    await start.waitFor()
    // Of some the length is known, as most feeds have it.
    await page.route("**/api/v1/quotes", async (route) => {
      const answer = await route.fetch()
      const json = { ...JSON.parse(await answer.text()), credits: 2, unknown_lengths: 4 }
      await route.fulfill({ response: answer, json })
    })
    await page.getByRole("button", { name: "Whole show" }).click()
    await page.getByText("The length of 4 episodes is not known: they come on top.").waitFor()
    await page.getByRole("button", { name: "Transcribe for 2 credits or more" }).click()
    await page.waitForURL(/\/shows\//)
    await page.unroute("**/api/v1/quotes")
  })
})
