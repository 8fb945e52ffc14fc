/** What people who are new to the editor try: names that are taken, answers that are lost, a double click, joined speakers. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, type Watched } from "./browser.js"
import {
  count,
  editLine,
  goInto,
  linesOf,
  noDrafts,
  openText,
  revisionOf,
  revisions,
  saved,
} from "./editing.js"
import type { ConsoleServer } from "./server.js"
import { setUp } from "./setUp.js"

let server: ConsoleServer
let watched: Watched
let client: EarmarkClient

setUp({ page: { viewport: { width: 1280, height: 717 } } }, (given) => {
  ;({ server, watched, client } = given)
  watched.page.setDefaultTimeout(6000)
})

/** A transcript in which three people speak, and its page. */
const conversation = async (page: Page, name: string) => {
  await page.unrouteAll({ behavior: "ignoreErrors" })
  const { id } = await client.transcribe({ url: `https://media.example/${name}.mp3?seconds=90` })
  await client.transcriptions.edit(id, {
    base_revision: 0,
    operations: ["Ann", "Visitor", "Speaker 3"].map((speaker, line) => ({ type: "speaker", line, speaker })),
  })
  await openText(page, server.origin, id)
  return id
}

const speakersOf = async (id: string) => {
  const job = await client.transcriptions.get(id)
  return job.status === "done" ? job.segments.slice(0, 3).map(({ speaker }) => speaker) : []
}

describe.skipIf(browserMissing !== null)(`correcting a transcript${because(browserMissing)}`, () => {
  it("merges a speaker with the one whose name was given, and with none that was not chosen", async () => {
    const { page } = watched
    const id = await conversation(page, "merged")
    await page.locator(".speakers button", { hasText: "Speaker 3" }).click()
    const merge = page.getByRole("button", { name: "Merge", exact: true })
    assert.isTrue(await merge.isDisabled())
    await page.getByLabel("Name", { exact: true }).fill("Visitor")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Visitor is the name of another speaker.").waitFor()
    assert.strictEqual(await page.getByLabel("Same person as").inputValue(), "Visitor")
    await merge.click()
    await revisions(client, id, 2)
    assert.deepStrictEqual(await speakersOf(id), ["Ann", "Visitor", "Visitor"])
  })

  it("gives another name to a speaker who was added here, and takes it back", async () => {
    const { page } = watched
    const id = await conversation(page, "renamed")
    await page.locator(".speakers button", { hasText: "Ann" }).click()
    const name = page.getByLabel("Name", { exact: true })
    // There is no label to restore.
    assert.strictEqual(await page.getByText("Leave it empty").count(), 0)
    await name.fill(" ")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    assert.isTrue(await name.evaluate((field) => field.matches(":invalid")))
    await name.fill("Anna")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await revisions(client, id, 2)
    assert.deepStrictEqual(await speakersOf(id), ["Anna", "Visitor", "Speaker 3"])
    await page.locator(".speakers button", { hasText: "Anna" }).waitFor()
    await page.getByRole("button", { name: "Undo", exact: true }).click()
    await revisions(client, id, 3)
    assert.deepStrictEqual(await speakersOf(id), ["Ann", "Visitor", "Speaker 3"])
  })

  /** The service makes the next correction, and its answers are lost: the client asks again twice, with the same key. */
  const loseAnswer = async (page: Page) => {
    await page.route("**/account", (route) => route.abort())
    await page.route(
      "**/edits",
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 3 },
    )
  }

  /** It was sent again, and nothing is left to do. */
  const settled = async (page: Page) => {
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).click()
    await saved(page)
    await page.unrouteAll({ behavior: "wait" })
    await noDrafts(page)
  }

  it("saves a line once whose answer was lost, and can undo it", async () => {
    const { page } = watched
    const id = await conversation(page, "lost")
    const before = await linesOf(client, id)
    await loseAnswer(page)
    await editLine(page, 1)
    await page.keyboard.press("Control+a")
    await page.keyboard.type("Said on a train.")
    await page.keyboard.press("Enter")
    await settled(page)
    assert.strictEqual(await revisionOf(client, id), 2)
    await page.getByRole("button", { name: "Undo", exact: true }).click()
    await revisions(client, id, 3)
    assert.deepStrictEqual(await linesOf(client, id), before)
  })

  it("splits and joins once where the answer was lost", async () => {
    const { page } = watched
    const id = await conversation(page, "lost-split")
    const before = await linesOf(client, id)
    await loseAnswer(page)
    await editLine(page, 0)
    await goInto(page, "Good morning,".length)
    await page.keyboard.press("Control+Enter")
    await settled(page)
    await count(page, before.length + 1)
    assert.strictEqual(await revisionOf(client, id), 2)
    assert.strictEqual((await linesOf(client, id))[0], "Good morning,")
    await page.keyboard.press("Escape")
    await loseAnswer(page)
    await editLine(page, 1)
    await page.keyboard.press("Home")
    await page.keyboard.press("Backspace")
    await settled(page)
    await count(page, before.length)
    assert.strictEqual(await revisionOf(client, id), 3)
    assert.deepStrictEqual(await linesOf(client, id), before)
  })

  it("still asks where somebody else made the line another meanwhile", async () => {
    const { page } = watched
    const id = await conversation(page, "other")
    await page.route("**/account", (route) => route.abort())
    await page.route("**/edits", (route) => route.abort())
    await editLine(page, 1)
    await page.keyboard.press("Control+a")
    await page.keyboard.type("Mine.")
    await page.keyboard.press("Enter")
    const again = page.getByRole("alert").getByRole("button", { name: "Try again" })
    await again.waitFor()
    await page.unrouteAll({ behavior: "wait" })
    await client.transcriptions.edit(id, {
      base_revision: 1,
      operations: [
        { type: "text", line: 1, text: "Theirs." },
        { type: "text", line: 2, text: "Mine." },
      ],
    })
    await again.click()
    await page.getByText("Someone else corrected this transcript meanwhile.").waitFor()
    await page.getByRole("button", { name: "Discard the draft" }).click()
    assert.strictEqual((await linesOf(client, id))[1], "Theirs.")
  })

  it("offers no draft of what a line says, after the page was closed before the answer", async () => {
    const { page } = watched
    const id = await conversation(page, "closed")
    await loseAnswer(page)
    await editLine(page, 1)
    await page.keyboard.press("Control+a")
    await page.keyboard.type("Said on a train.")
    await page.keyboard.press("Enter")
    await revisions(client, id, 2)
    await page.getByRole("alert").waitFor()
    await page.unrouteAll({ behavior: "wait" })
    await openText(page, server.origin, id)
    await noDrafts(page)
  })

  it("edits a line at a double click, at the word; one click plays from there", async () => {
    const { page } = watched
    const id = await conversation(page, "clicked")
    const line = page.locator(".text p").nth(1)
    await line.click()
    assert.strictEqual(await page.locator(".text p.editing").count(), 0)
    const at = await line.evaluate((element) => {
      const { firstChild } = element
      if (firstChild === null) throw new Error("The line is empty")
      const range = new Range()
      range.setStart(firstChild, 4)
      range.setEnd(firstChild, 6)
      const { x, y, width, height } = range.getBoundingClientRect()
      return { x: x + width / 2, y: y + height / 2 }
    })
    await page.mouse.dblclick(at.x, at.y)
    await page.locator(".text p.editing").waitFor()
    const before = (await linesOf(client, id))[1] ?? ""
    await page.keyboard.type("QQ")
    await page.keyboard.press("Enter")
    await revisions(client, id, 2)
    const now = (await linesOf(client, id))[1] ?? ""
    assert.include(now, "QQ")
    const place = now.indexOf("QQ")
    assert.isAtLeast(place, 3)
    assert.isAtMost(place, 8)
    assert.strictEqual(now.replace("QQ", ""), before)
    await page.keyboard.press("Escape")
  })

  for (const height of [717, 800])
    it(`shows the tools of a line without scrolling in a window of 1280 by ${height}`, async () => {
      const { page } = watched
      await page.setViewportSize({ width: 1280, height })
      await conversation(page, `seen-${height}`)
      await page.locator(".text p").nth(1).click()
      for (const name of [
        "Edit this line",
        "Undo the last correction",
        "Copy text",
        "Copy link to this line",
      ]) {
        const button = page.getByRole("button", { name })
        await button.waitFor()
        const isSeen = await button.evaluate((element) => {
          const { x, y, width, height } = element.getBoundingClientRect()
          return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
        })
        assert.isTrue(isSeen, name)
      }
      await page.setViewportSize({ width: 1280, height: 717 })
    })

  it("says whose words a joined line takes over, and undoes that", async () => {
    const { page } = watched
    const id = await conversation(page, "joined")
    const before = await linesOf(client, id)
    await editLine(page, 1)
    await page.keyboard.press("Home")
    await page.keyboard.press("Backspace")
    await page.getByText("Saved. The words of Visitor are now under Ann.").waitFor()
    await count(page, before.length - 1)
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Undo", exact: true }).click()
    await count(page, before.length)
    assert.deepStrictEqual(await speakersOf(id), ["Ann", "Visitor", "Speaker 3"])
  })

  it("makes the line of a match the chosen one", async () => {
    const { page } = watched
    const id = await conversation(page, "found")
    await page.locator(".text p").nth(0).click()
    const lines = await linesOf(client, id)
    await page.getByLabel("Find in this transcript").fill(lines[2] ?? "")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Edit this line" }).click()
    await page.locator(".text p.editing").waitFor()
    assert.isTrue(
      await page
        .locator(".text p")
        .nth(2)
        .evaluate((line) => line.classList.contains("editing")),
    )
    await page.keyboard.press("Escape")
  })

  it("had no fault in all of that", () => {
    // Browsers log refused and lost calls; these were meant.
    assert.deepStrictEqual(
      watched.faults.filter((fault) => !/status of (409)|ERR_FAILED/.test(fault)),
      [],
    )
  })
})
