/** Who corrected what in a transcript, and how it is taken back. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import { because } from "../servers/because.js"
import { browserMissing, type Watched } from "./browser.js"
import type { ConsoleServer } from "./server.js"
import { setUp } from "./setUp.js"

let server: ConsoleServer
let watched: Watched
let client: EarmarkClient

setUp({ page: { viewport: { width: 1280, height: 860 } } }, (given) => {
  ;({ server, watched, client } = given)
})

const transcribed = (name: string) =>
  client.transcribe({ url: `https://media.example/${name}.mp3?seconds=60` })

/** One revision for each line that is corrected. */
const correct = async (id: string, lines: ReadonlyArray<readonly [line: number, text: string]>) => {
  for (const [base_revision, [line, text]] of lines.entries())
    await client.transcriptions.edit(id, { base_revision, operations: [{ type: "text", line, text }] })
}

const linesOf = async (id: string): Promise<ReadonlyArray<string>> => {
  const job = await client.transcriptions.get(id)
  return job.status === "done" ? job.segments.map(({ text }) => text) : []
}

describe.skipIf(browserMissing !== null)(`the history of a transcript${because(browserMissing)}`, () => {
  it("shows who corrected what, and undoes one of them", async () => {
    const { page } = watched
    const { id: talk } = await transcribed("undone")
    await correct(talk, [[0, "Said on a train."]])
    await page.goto(`${server.origin}/console/t/${talk}?view=history`)
    const rows = page.locator("tbody tr")
    await rows.first().waitFor()
    await rows.first().getByText("line 1: text", { exact: true }).waitFor()
    const count = await rows.count()
    await rows.first().getByRole("button", { name: /^Undo/ }).click()
    await page.waitForFunction((before) => document.querySelectorAll("tbody tr").length === before + 1, count)
    await page.locator("tbody tr", { hasText: "undo of" }).first().waitFor()
    assert.notInclude((await linesOf(talk)).join(), "Said on a train.")
  })

  it("names what a correction did, and counts what it did besides", async () => {
    const { page } = watched
    const { id } = await transcribed("named")
    const first = (await linesOf(id))[0] ?? ""
    await client.transcriptions.edit(id, {
      base_revision: 0,
      operations: [
        { type: "split", line: 0, at: first.indexOf(" ") + 1 },
        { type: "merge", line: 0 },
        { type: "speaker", line: 1, speaker: "Ann" },
        { type: "rename_speaker", from: "Ann", to: "Ben" },
      ],
    })
    await page.goto(`${server.origin}/console/t/${id}?view=history`)
    await page
      .getByText("line 1 split, lines 1 and 2 joined, line 2: speaker and 1 more", { exact: true })
      .waitFor()
  })

  it("says beside the button why a correction cannot be undone alone, and goes back to the first text", async () => {
    const { page } = watched
    const { id: talk, segments } = await transcribed("first")
    await correct(talk, [
      [0, "Said 0."],
      [0, "Said 1."],
    ])
    await page.goto(`${server.origin}/console/t/${talk}?view=history`)
    await page.getByRole("button", { name: "Undo 1", exact: true }).click()
    const rows = page.locator("tbody tr")
    await rows.nth(2).getByRole("alert").filter({ hasText: "Cannot undo revision 1" }).waitFor()
    await page.getByRole("button", { name: "Back to the first text" }).click()
    await page.locator("tbody tr", { hasText: "undo of 1" }).waitFor()
    assert.deepStrictEqual(
      await linesOf(talk),
      segments.map(({ text }) => text),
    )
  })

  it("shows what a correction changed, compares with the first text, and goes back", async () => {
    const { page } = watched
    const { id: talk, segments } = await transcribed("back")
    const first = segments.map(({ text }) => text)
    await correct(talk, [
      [0, "One."],
      [2, "Two."],
      [4, "Three."],
    ])
    await page.goto(`${server.origin}/console/t/${talk}?view=history`)
    await page.getByRole("button", { name: "Show 2" }).click()
    const places = page.locator(".differences li")
    await places.first().waitFor()
    assert.strictEqual(await places.count(), 1)
    assert.include(await places.locator("ins").textContent(), "Two.")
    assert.include(await places.locator("del").textContent(), first[2] ?? "no line")
    await page.getByRole("button", { name: "Compare with the first text" }).click()
    await places.nth(2).waitFor()
    assert.strictEqual(await places.count(), 3)
    const corrected = await linesOf(talk)
    await page.getByRole("button", { name: "Back to here 1" }).click()
    const done = page
      .getByRole("status")
      .filter({ hasText: "The text is as it was after correction 1 again." })
    await done.waitFor()
    await page.locator("tbody tr").nth(4).waitFor()
    assert.deepStrictEqual(await linesOf(talk), ["One.", ...first.slice(1)])
    await done.getByRole("button", { name: "Undo" }).click()
    await page.getByText("The text is as it was after correction 3 again.").waitFor()
    assert.deepStrictEqual(await linesOf(talk), corrected)
  })

  it("is named where no correction is left to undo, after one has gone back to the first text", async () => {
    const { page } = watched
    const { id } = await transcribed("named")
    await correct(id, [[0, "One."]])
    await page.goto(`${server.origin}/console/t/${id}?view=history`)
    await page.getByRole("button", { name: "Back to the first text" }).click()
    await page.getByText("The text is as it was at first again.").waitFor()
    await page.getByRole("link", { name: "Text", exact: true }).click()
    await page.locator(".text p").first().focus()
    await page.keyboard.press("u")
    await page.getByText("To bring back what was undone, open History.").waitFor()
    await page.getByRole("link", { name: "History", exact: true }).click()
    await page.getByRole("button", { name: "Back to here 1" }).click()
    await page.locator("tbody tr").nth(2).waitFor()
    assert.strictEqual((await linesOf(id))[0], "One.")
  })

  it("says what is in force after corrections were undone and brought back", async () => {
    const { page } = watched
    const { id } = await transcribed("in-force")
    const first = await linesOf(id)
    await correct(
      id,
      [0, 1, 2].map((line) => [line, `Corrected ${line}.`]),
    )
    const corrected = await linesOf(id)
    for (const revision of [3, 2, 1]) await client.transcriptions.undoEdit(id, revision)
    assert.deepStrictEqual(await linesOf(id), first)
    await page.goto(`${server.origin}/console/t/${id}?view=history`)
    await page.getByRole("button", { name: "Back to here 3" }).click()
    const done = page
      .getByRole("status")
      .filter({ hasText: "The text is as it was after correction 3 again." })
    await done.waitFor()
    await page.locator("tbody tr").nth(8).waitFor()
    assert.deepStrictEqual(await linesOf(id), corrected)
    // The newest comes first: what brought them back, the undos, and the corrections.
    const labels = await page
      .locator("tbody tr")
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll(".soft")].some((each) => each.textContent === "undone")),
      )
    assert.deepStrictEqual(labels, [false, false, false, true, true, true, false, false, false])
    await page.getByRole("button", { name: "Undo 3", exact: true }).click()
    await page.getByText("1 correction is undone.").waitFor()
    assert.deepStrictEqual(await linesOf(id), [...corrected.slice(0, 2), ...first.slice(2)])
  })

  it("pairs changed lines that stand together, and marks the words", async () => {
    const { page } = watched
    const { id, segments } = await transcribed("paired")
    await client.transcriptions.edit(id, {
      base_revision: 0,
      operations: [0, 1].map((line) => ({
        type: "text",
        line,
        text: `${segments[line]?.text.split(" ").slice(0, -1).join(" ")} zebra.`,
      })),
    })
    await page.goto(`${server.origin}/console/t/${id}?view=history`)
    await page.getByRole("button", { name: "Compare with the first text" }).click()
    const sides = page.locator(".differences :is(del, ins)")
    await sides.nth(3).waitFor()
    assert.deepStrictEqual(await sides.evaluateAll((all) => all.map((each) => each.tagName)), [
      "DEL",
      "INS",
      "DEL",
      "INS",
    ])
    assert.deepStrictEqual(await page.locator(".differences ins mark").allTextContents(), [
      "zebra.",
      "zebra.",
    ])
  })

  it("had no fault in all of that", () => {
    // Browsers log refused calls; this was meant.
    assert.deepStrictEqual(
      watched.faults.filter((fault) => !/status of 409/.test(fault)),
      [],
    )
  })
})
