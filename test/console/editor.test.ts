/** Lines that are corrected, split and joined; their speakers and times. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import { because } from "../servers/because.js"
import { browserMissing, type Watched } from "./browser.js"
import { editLine, linesOf, openText, revisionOf, saved } from "./editing.js"
import type { ConsoleServer } from "./server.js"
import { setUp } from "./setUp.js"

let server: ConsoleServer
let watched: Watched
let client: EarmarkClient
let id: string

setUp({ page: { viewport: { width: 1280, height: 860 } } }, async (given) => {
  ;({ server, watched, client } = given)
  id = (await client.transcribe({ url: "https://media.example/talk.mp3?seconds=90" })).id
})

/** Takes the newest corrections back. */
const undoNewest = async (limit: number) => {
  for (const { revision } of (await client.transcriptions.edits(id, { limit })).data)
    await client.transcriptions.undoEdit(id, revision)
}

describe.skipIf(browserMissing !== null)(`the editor${because(browserMissing)}`, () => {
  it("corrects a line with keys alone; every export has it", async () => {
    const { page } = watched
    await openText(page, server.origin, id)
    await editLine(page, 1)
    await page.keyboard.press("Control+a")
    await page.keyboard.type("We open at <b>nine</b>, j and k.")
    await page.keyboard.press("Enter")
    await saved(page)
    assert.strictEqual((await linesOf(client, id))[1], "We open at <b>nine</b>, j and k.")
    assert.include(await client.transcriptions.export(id, { format: "txt" }).text(), "<b>nine</b>")
    // It is text, and the focus is where it was.
    assert.strictEqual(await page.locator(".text b").count(), 0)
    assert.isTrue(
      await page
        .locator(".text p")
        .nth(1)
        .evaluate((line) => line === document.activeElement),
    )
    assert.strictEqual(await page.locator(".text p[data-edited]").count(), 1)
  })

  it("splits at the caret, joins with the line above, and undoes", async () => {
    const { page } = watched
    await openText(page, server.origin, id)
    const before = await linesOf(client, id)
    await editLine(page, 0)
    await page.keyboard.press("Home")
    for (const _ of "Good morning,") await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Control+Enter")
    await saved(page)
    assert.deepStrictEqual((await linesOf(client, id)).slice(0, 2), [
      "Good morning,",
      "and welcome to the museum of everyday things.",
    ])
    await page.waitForFunction(
      (count) => document.querySelectorAll(".text p").length === count,
      before.length + 1,
    )
    // One goes on at the beginning of the second half.
    await page.locator(".text p.editing").waitFor()
    await page.keyboard.press("Backspace")
    await page.waitForFunction(
      (count) => document.querySelectorAll(".text p").length === count,
      before.length,
    )
    assert.deepStrictEqual(await linesOf(client, id), before)
    await page.locator("h1").click()
    await page.keyboard.press("u")
    await page
      .getByRole("status")
      .filter({ hasText: /is undone$/ })
      .waitFor()
    assert.strictEqual((await linesOf(client, id)).length, before.length + 1)
    // It is said before it is drawn.
    await page.waitForFunction(
      (count) => document.querySelectorAll(".text p").length === count,
      before.length + 1,
    )
    await page.keyboard.press("u")
    await page.waitForFunction(
      (count) => document.querySelectorAll(".text p").length === count,
      before.length,
    )
    assert.deepStrictEqual(await linesOf(client, id), before)
  })

  it("says where a line can be split, and stays in it, where that is not", async () => {
    const { page } = watched
    await openText(page, server.origin, id)
    const before = await linesOf(client, id)
    await editLine(page, 1)
    await page.keyboard.type(" Typed")
    const why = page.getByRole("status").filter({ hasText: "Put the caret inside the line" })
    await page.keyboard.press("Control+Enter")
    await why.waitFor()
    await page.keyboard.press("Home")
    await page.getByRole("button", { name: "Split here" }).click()
    await page.keyboard.press("End")
    await page.keyboard.type(" on.")
    assert.strictEqual(await page.locator(".text p.editing").textContent(), `${before[1]} Typed on.`)
    assert.deepStrictEqual(await linesOf(client, id), before)
    await page.keyboard.press("Shift+Escape")
  })

  it("goes on at the line that was split, joined or restored, by keys and by buttons", async () => {
    const { page } = watched
    await openText(page, server.origin, id)
    const before = await linesOf(client, id)
    const count = (lines: number) =>
      page.waitForFunction((wanted) => document.querySelectorAll(".text p").length === wanted, lines)
    const at = () =>
      page.evaluate(() =>
        [...document.querySelectorAll(".text p")].indexOf(document.activeElement as Element),
      )
    const editing = page.locator(".text p.editing")
    await editLine(page, 2)
    await page.keyboard.press("Home")
    for (let turn = 0; turn < 6; turn++) await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Control+Enter")
    await count(before.length + 1)
    await editing.waitFor()
    assert.strictEqual(await at(), 3)
    await page.getByRole("button", { name: "Join with the line above" }).click()
    await count(before.length)
    await editing.waitFor()
    assert.strictEqual(await at(), 2)
    await page.keyboard.press("Home")
    for (let turn = 0; turn < 6; turn++) await page.keyboard.press("ArrowRight")
    await page.getByRole("button", { name: "Split here" }).click()
    await count(before.length + 1)
    await editing.waitFor()
    assert.strictEqual(await at(), 3)
    await page.getByRole("button", { name: "Undo", exact: true }).click()
    await count(before.length)
    assert.strictEqual(await at(), 3)
    assert.deepStrictEqual(await linesOf(client, id), before)
    await page.keyboard.press("e")
    await page.keyboard.type("Nobody said this")
    await page.getByRole("button", { name: "Cancel" }).click()
    assert.strictEqual(await at(), 3)
    await page.keyboard.press("e")
    await page.keyboard.type("Nor this")
    await page.keyboard.press("Shift+Escape")
    assert.strictEqual(await at(), 3)
    assert.deepStrictEqual(await page.locator(".text p").allTextContents(), before)
    assert.deepStrictEqual(await linesOf(client, id), before)
  })

  it("has its buttons by the keyboard: the line is saved once both are left", async () => {
    const { page } = watched
    await openText(page, server.origin, id)
    const before = await linesOf(client, id)
    await editLine(page, 1)
    await page.keyboard.type(" Never mind.")
    const at = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press("Tab")
    assert.strictEqual(await at(), "Save")
    await page.keyboard.press("Shift+Tab")
    assert.strictEqual(await at(), `${before[1]} Never mind.`)
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    assert.strictEqual(await at(), "Cancel")
    assert.strictEqual(await page.locator(".text p.editing").count(), 1)
    await page.keyboard.press("Enter")
    await page.locator(".text p.editing").waitFor({ state: "detached" })
    assert.deepStrictEqual(await page.locator(".text p").allTextContents(), before)
    await editLine(page, 1)
    await page.keyboard.type(" Said after all.")
    await page.getByRole("button", { name: "Split here", exact: true }).focus()
    await page.locator("h1").evaluate((heading) => {
      heading.tabIndex = -1
      heading.focus()
    })
    await saved(page)
    assert.strictEqual((await linesOf(client, id))[1], `${before[1]} Said after all.`)
    await undoNewest(1)
  })

  it("says what a line cannot be, and leaves it with Escape", async () => {
    const { page } = watched
    await openText(page, server.origin, id)
    const before = await linesOf(client, id)
    await editLine(page, 1)
    await page.keyboard.press("Control+a")
    await page.keyboard.press("Delete")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").filter({ hasText: "A line cannot be empty" }).waitFor()
    await page.locator(".text p", { hasText: before[1] ?? "" }).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Discard the draft" }).count(), 0)
    await editLine(page, 1)
    await page.keyboard.type("Never mind")
    await page.keyboard.press("Escape")
    assert.strictEqual(await page.locator(".text p").nth(1).textContent(), before[1])
    assert.deepStrictEqual(await linesOf(client, id), before)
  })

  it("gives a line to a speaker by a digit or a new name, and makes one of two", async () => {
    const { page } = watched
    await client.credits.purchase({ credits: 600 })
    const { id: talk } = await client.transcribe(
      { url: "https://media.example/two.mp3?seconds=60" },
      { diarize: true },
    )
    const speakers = async () => {
      const job = await client.transcriptions.get(talk)
      return job.status === "done" ? job.segments.map(({ speaker }) => speaker) : []
    }
    const [first, second] = await speakers()
    assert.strictEqual(first, second)
    const other = (await speakers()).find((speaker) => speaker !== first) ?? ""
    await page.goto(`${server.origin}/console/t/${talk}`)
    const lines = page.locator(".text p")
    await lines.nth(3).waitFor()
    const seats = () =>
      page
        .locator(".speakers li")
        .evaluateAll((all) =>
          all.map(
            (each) =>
              `${each.getAttribute("data-key")} ${each.getAttribute("data-who")} ${each.querySelector("[dir]")?.lastChild?.textContent}`,
          ),
        )
    // The digit of a speaker stands beside the name.
    assert.deepStrictEqual(await seats(), [`1 1 ${first}`, `2 2 ${other}`])
    await lines.nth(1).focus()
    await page.keyboard.press("2")
    await saved(page)
    assert.strictEqual((await speakers())[1], other)
    // The page is drawn with the answer, a moment after it is said to be saved.
    await page.locator(`.text p[data-speaker="${other}"]`).first().waitFor()
    assert.strictEqual(await lines.nth(1).getAttribute("data-speaker"), other)
    assert.isTrue(await lines.nth(1).evaluate((line) => line === document.activeElement))
    // Elsewhere a digit is for nothing.
    await page.locator("h1").click()
    await page.keyboard.press("2")
    await lines.nth(0).click()
    await page.getByLabel("Speaker of this line").selectOption({ label: "New speaker…" })
    await page.getByLabel("Name").fill("  Cleo   Ward ")
    await page.keyboard.press("Enter")
    await page.locator('.text p[data-speaker="Cleo Ward"]').waitFor()
    assert.deepStrictEqual((await speakers()).slice(0, 2), ["Cleo Ward", other])
    // Whoever speaks first now, the others keep digit and colour.
    assert.deepStrictEqual(await seats(), [`1 1 ${first}`, `2 2 ${other}`, "3 3 Cleo Ward"])
    assert.strictEqual(await lines.nth(0).getAttribute("data-who"), "3")
    assert.strictEqual(await lines.nth(1).getAttribute("data-who"), "2")
    await page.locator(".speakers button", { hasText: "Cleo Ward" }).click()
    await page.getByLabel("Same person as").selectOption({ label: other })
    await page.getByRole("button", { name: "Merge" }).click()
    await page.locator(".speakers button", { hasText: "Cleo Ward" }).waitFor({ state: "detached" })
    assert.deepStrictEqual((await speakers()).slice(0, 2), [other, other])
    // The second line goes on with the same speaker, whose name stands at the first alone.
    assert.strictEqual(await lines.nth(1).getAttribute("data-speaker"), null)
  })

  it("saves the speaker that keys end at, and none that they pass by", async () => {
    const { page } = watched
    const operations = [{ type: "speaker", line: 2, speaker: "Zoe" }] as const
    await client.transcriptions.edit(id, { base_revision: await revisionOf(client, id), operations })
    await openText(page, server.origin, id)
    const before = await revisionOf(client, id)
    await page.locator(".text p").nth(2).click()
    const field = page.getByLabel("Speaker of this line")
    await field.focus()
    await page.keyboard.press("End")
    assert.strictEqual(await field.inputValue(), "\n")
    await page.keyboard.press("Home")
    await page.keyboard.press("Tab")
    await saved(page)
    assert.strictEqual(await revisionOf(client, id), before + 1)
    await field.focus()
    await page.keyboard.press("End")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog", { name: "New speaker" }).waitFor()
    await page.keyboard.press("Escape")
    assert.strictEqual(await revisionOf(client, id), before + 1)
    assert.strictEqual(await field.inputValue(), "")
  })

  it("moves the times of a line, as one correction however often it is pressed", async () => {
    const { page } = watched
    await openText(page, server.origin, id)
    const timesOf = async (line: number) => {
      const job = await client.transcriptions.get(id)
      const segment = job.status === "done" ? job.segments[line] : undefined
      return { start: segment?.start ?? 0, end: segment?.end ?? 0 }
    }
    const before = await timesOf(1)
    const { data: earlier } = await client.transcriptions.edits(id)
    await page.locator(".text p").nth(1).click()
    await page.getByRole("button", { name: "End 0.1 seconds earlier" }).waitFor()
    // In one go: on a busy machine the pause that ends a correction would come between two presses.
    await page.evaluate(() => {
      const press = (name: string) =>
        document.querySelector<HTMLElement>(`button[aria-label="${name}"]`)?.click()
      for (let times = 0; times < 3; times++) press("Start 0.1 seconds later")
      press("End 0.1 seconds earlier")
    })
    await saved(page)
    const after = await timesOf(1)
    assert.closeTo(after.start - before.start, 0.3, 0.0005)
    assert.closeTo(before.end - after.end, 0.1, 0.0005)
    const { data: later } = await client.transcriptions.edits(id)
    assert.strictEqual(later[0]?.revision, (earlier[0]?.revision ?? 0) + 1)
  })

  it("had no fault in all of that", () => {
    // Browsers log refused calls; these were meant.
    assert.deepStrictEqual(
      watched.faults.filter((fault) => !/status of (409|422|400)/.test(fault)),
      [],
    )
  })
})
