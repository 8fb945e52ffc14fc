/** What was typed and is not saved: over a slow line, over others' corrections, in several tabs. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, type Watched } from "./browser.js"
import {
  count,
  editLine,
  focusLine,
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

setUp({ page: { viewport: { width: 1280, height: 600 } } }, (given) => {
  ;({ server, watched, client } = given)
})

interface Talk {
  readonly id: string
  readonly lines: ReadonlyArray<string>
}

const openTalk = async (name: string, seconds = 60): Promise<Talk> => {
  const job = await client.transcribe({ url: `https://media.example/${name}.mp3?seconds=${seconds}` })
  await openText(watched.page, server.origin, job.id)
  return { id: job.id, lines: job.segments.map(({ text }) => text) }
}

/** Somebody else gives a line another text. */
const correct = async (id: string, line: number, text: string) => {
  const base_revision = await revisionOf(client, id)
  await client.transcriptions.edit(id, { base_revision, operations: [{ type: "text", line, text }] })
}

/** Answers of the service to corrections take a while. */
const slowly = async (page: Page, work: () => Promise<void>) => {
  await page.route("**/edits**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  try {
    await work()
  } finally {
    await page.unrouteAll({ behavior: "wait" })
  }
}

describe.skipIf(browserMissing !== null)(`what is not saved yet${because(browserMissing)}`, () => {
  it("is offered with its text, and brings its line into view", async () => {
    const { page } = watched
    const { lines } = await openTalk("offered", 300)
    const last = lines.length - 1
    await editLine(page, last)
    await page.keyboard.type(" Not saved.")
    await page.reload()
    const notice = page.getByRole("status").filter({ hasText: `A draft of line ${last + 1} is not saved` })
    await notice.waitFor()
    assert.strictEqual(await notice.locator("blockquote").textContent(), `${lines[last]} Not saved.`)
    assert.strictEqual(await notice.getByText("in another tab").count(), 0)
    await page.evaluate(() => scrollTo(0, 0))
    await page.getByRole("button", { name: "Go on with the draft" }).click()
    const editing = page.locator(".text p.editing")
    await editing.waitFor()
    const [top, bottom] = await editing.evaluate((line) => {
      const { top, bottom } = line.getBoundingClientRect()
      return [top, bottom]
    })
    const player = await page.locator(".player").first().boundingBox()
    assert.isAtLeast(top ?? -1, 0)
    assert.isAtMost(bottom ?? Number.POSITIVE_INFINITY, player?.y ?? 600)
    await page.getByRole("button", { name: "Cancel" }).click()
    await noDrafts(page)
  })

  it("is offered as well where an earlier version of the console kept it", async () => {
    const { page } = watched
    const { lines } = await openTalk("earlier")
    await editLine(page, 2)
    await page.keyboard.type(" Kept.")
    await page.evaluate(() => {
      for (const [key, kept] of Object.entries<string>(localStorage))
        if (key.startsWith("earmark-draft ")) {
          const before = key.split(" ").slice(0, 3).join(" ")
          localStorage.removeItem(key)
          localStorage.setItem(before, `[7, ${kept}]`)
          // What is no draft is passed over.
          for (const rubbish of ["{", "7", "null"]) localStorage.setItem(`${before} ${rubbish}`, rubbish)
        }
    })
    await page.reload()
    const notice = page.getByRole("status").filter({ hasText: "A draft of line 3 is not saved" })
    assert.strictEqual(await notice.locator("blockquote").textContent(), `${lines[2]} Kept.`)
    await page.getByRole("button", { name: "Discard the draft" }).click()
    await noDrafts(page)
    await page.reload()
    await page.locator(".text p").nth(3).waitFor()
    await noDrafts(page)
  })

  it("stays at its line when somebody corrects it, though its sentence is said again elsewhere", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("twice")
    await correct(id, 1, "So it is.")
    await correct(id, 4, "So it is.")
    await openText(page, server.origin, id)
    await editLine(page, 1)
    await page.keyboard.type(" Mine.")
    await correct(id, 1, "It is so.")
    await page.keyboard.press("Enter")
    await page.getByText("Someone else corrected this transcript meanwhile").waitFor()
    const notice = page.getByRole("status").filter({ hasText: "A draft of line 2 is not saved" })
    await notice.waitFor()
    assert.deepStrictEqual(await notice.locator("blockquote").allTextContents(), [
      "So it is. Mine.",
      "It is so.",
    ])
    await page.getByRole("button", { name: "Go on with the draft" }).click()
    await page.keyboard.press("Enter")
    await saved(page)
    assert.deepStrictEqual(await linesOf(client, id), [
      ...lines.slice(0, 1),
      "So it is. Mine.",
      ...lines.slice(2, 4),
      "So it is.",
      ...lines.slice(5),
    ])
    await noDrafts(page)
  })

  it("is saved at its own place where lines above it are being split and joined", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("meanwhile")
    await slowly(page, async () => {
      await editLine(page, 0)
      await goInto(page, "Good morning,".length)
      await page.keyboard.press("Control+Enter")
      await editLine(page, 3)
      await page.keyboard.press("Home")
      await page.keyboard.press("Backspace")
      await editLine(page, 4)
      await page.keyboard.type(" Mine.")
      await page.keyboard.press("Enter")
      await revisions(client, id, 3)
    })
    const rest = String(lines[0]).slice("Good morning, ".length)
    assert.deepStrictEqual(await linesOf(client, id), [
      "Good morning,",
      rest,
      ...lines.slice(1, 2),
      `${lines[2]} ${lines[3]}`,
      `${lines[4]} Mine.`,
      ...lines.slice(5),
    ])
    await noDrafts(page)
  })

  it("counts when a line is put back before its correction is saved", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("back")
    await slowly(page, async () => {
      await editLine(page, 1)
      await page.keyboard.type("!")
      await page.keyboard.press("Enter")
      await editLine(page, 1)
      await page.keyboard.press("End")
      await page.keyboard.press("Backspace")
      await page.keyboard.press("Enter")
      await revisions(client, id, 2)
    })
    assert.deepStrictEqual(await linesOf(client, id), lines)
    await noDrafts(page)
  })

  it("takes back as many corrections as one asks for, faster than the service answers", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("faster")
    for (const line of [0, 1, 2]) await correct(id, line, `Said ${line}.`)
    await openText(page, server.origin, id)
    await slowly(page, async () => {
      await focusLine(page, 0)
      for (let press = 0; press < 3; press++) await page.keyboard.press("u")
      await page.waitForFunction(
        (first) => document.querySelector(".text p")?.textContent === first,
        lines[0] ?? "",
      )
    })
    assert.deepStrictEqual(await linesOf(client, id), lines)
    await noDrafts(page)
  })

  it("can be taken back by a button as long as there are corrections", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("button")
    await focusLine(page, 0)
    const undo = page.getByRole("button", { name: "Undo the last correction" })
    assert.strictEqual(await undo.count(), 0)
    await correct(id, 2, "Said by others.")
    await openText(page, server.origin, id)
    await focusLine(page, 0)
    await undo.click()
    await page.getByText("The correction is undone").waitFor()
    assert.deepStrictEqual(await linesOf(client, id), lines)
    await page.reload()
    await focusLine(page, 0)
    await page.keyboard.press("u")
    await page
      .getByText("No correction is left to undo. To bring back what was undone, open History.")
      .waitFor()
  })

  it("is kept apart for each tab, which tells of the other", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("tabs")
    const other = await page.context().newPage()
    await openText(other, server.origin, id)
    await editLine(page, 2)
    await page.keyboard.type(" One.")
    await editLine(other, 1)
    await other.keyboard.press("Escape")
    await focusLine(other, 2)
    await other
      .getByRole("status")
      .filter({ hasText: "A draft of line 3 is not saved" })
      .getByText("This line is being changed in another tab.")
      .waitFor()
    await other.keyboard.press("e")
    // It is offered, and not taken: here the line is as it was saved.
    await other.getByText("A draft of line 3 is not saved").waitFor({ state: "detached" })
    assert.strictEqual(await other.locator(".text p.editing").textContent(), lines[2])
    await other.keyboard.type(" Two.")
    await page.getByText("This line is being changed in another tab.").waitFor()
    await page.keyboard.type(" Three.")
    await other.keyboard.press("Enter")
    await saved(other)
    assert.strictEqual((await linesOf(client, id))[2], `${lines[2]} Two.`)
    await other.close()
    await page.keyboard.press("Enter")
    await page.getByText("Someone else corrected this transcript meanwhile").waitFor()
    const notice = page.getByRole("status").filter({ hasText: "A draft of line 3 is not saved" })
    assert.deepStrictEqual(await notice.locator("blockquote").allTextContents(), [
      `${lines[2]} One. Three.`,
      `${lines[2]} Two.`,
    ])
    await page.getByRole("button", { name: "Discard the draft" }).click()
    await noDrafts(page)
  })

  it("is lost to nothing that another tab does in the same moment", async () => {
    const { page } = watched
    const { id } = await openTalk("moment")
    const other = await page.context().newPage()
    await openText(other, server.origin, id)
    await Promise.all([editLine(page, 2), editLine(other, 1)])
    // The longer one tab goes on, the surer it writes last over what the other has just written.
    for (const round of ["One.", "Two.", "Three.", "Four.", "Five."]) {
      await Promise.all([page.keyboard.type(` ${round}`), other.keyboard.type(` ${"mine ".repeat(20)}`)])
      await other.keyboard.type(".")
      await page.waitForFunction(
        (last) => Object.values<string>(localStorage).some((kept) => kept.includes(last)),
        round,
      )
    }
    await other.close()
  })

  it("goes on where lines were joined, with the caret between them", async () => {
    const { page } = watched
    const { id, lines } = await openTalk("joined")
    await editLine(page, 1)
    await page.keyboard.press("Home")
    await page.keyboard.press("Backspace")
    await count(page, lines.length - 1)
    await page.locator(".text p.editing").waitFor()
    await page.keyboard.type("but ")
    await page.keyboard.press("Enter")
    await revisions(client, id, 2)
    assert.deepStrictEqual(await linesOf(client, id), [`${lines[0]} but ${lines[1]}`, ...lines.slice(2)])
    await page.getByRole("button", { name: "Undo", exact: true }).click()
    await page.getByText("The correction is undone").waitFor()
    // Taken back while a line is edited in which nothing was typed.
    await editLine(page, 0)
    await page.getByRole("button", { name: "Undo the one before" }).click()
    await count(page, lines.length)
    assert.strictEqual(await page.locator(".text p.editing").count(), 0)
    assert.deepStrictEqual(await linesOf(client, id), lines)
    await noDrafts(page)
  })

  it("is asked about before one signs out", async () => {
    const { page } = watched
    await openTalk("leaving")
    await editLine(page, 1)
    await page.keyboard.type(" Not yet.")
    const other = await page.context().newPage()
    await other.goto(`${server.origin}/console/account`)
    await other.getByRole("main").getByRole("button", { name: "Sign out", exact: true }).first().click()
    const dialog = other.getByRole("dialog", { name: "Not everything is saved" })
    await dialog.getByRole("button", { name: "Cancel" }).click()
    await page.locator(".text p.editing").waitFor()
    await other.getByRole("main").getByRole("button", { name: "Sign out", exact: true }).first().click()
    await dialog.getByRole("button", { name: "Sign out", exact: true }).click()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    await other.getByRole("heading", { name: "Sign in" }).waitFor()
    assert.isFalse(await page.evaluate(() => JSON.stringify(localStorage).includes("Not yet.")))
    await other.close()
  })

  it("had no fault in all of that", () => {
    // Browsers log refused calls; these were meant.
    assert.deepStrictEqual(
      watched.faults.filter((fault) => !/status of 409/.test(fault)),
      [],
    )
  })
})
