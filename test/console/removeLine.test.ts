/** Lines that are removed, and put back. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import { because } from "../servers/because.js"
import { browserMissing, type Watched } from "./browser.js"
import { count, focusLine, linesOf, openText, revisionOf, saved } from "./editing.js"
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

describe.skipIf(browserMissing !== null)(`a line that is removed${because(browserMissing)}`, () => {
  it("is gone, also the first and the last, until that is undone", async () => {
    const { page } = watched
    await openText(page, server.origin, id)
    const before = await linesOf(client, id)
    const hasFocus = (line: number) =>
      page.waitForFunction(
        (wanted) => document.querySelectorAll(".text p")[wanted] === document.activeElement,
        line,
      )
    await focusLine(page, 0)
    const remove = page.getByRole("button", { name: "Remove this line" })
    await page.getByRole("group", { name: "Times of this line" }).getByRole("button").last().focus()
    await page.keyboard.press("Tab")
    assert.isTrue(await remove.evaluate((button) => button === document.activeElement))
    await page.keyboard.press("Enter")
    await saved(page)
    await count(page, before.length - 1)
    assert.deepStrictEqual(await linesOf(client, id), before.slice(1))
    await hasFocus(0)
    await page.keyboard.press("u")
    await count(page, before.length)
    assert.deepStrictEqual(await linesOf(client, id), before)

    await focusLine(page, before.length - 1)
    // Pressed twice, it removes one line.
    await remove.dblclick()
    await count(page, before.length - 1)
    await hasFocus(before.length - 2)
    assert.deepStrictEqual(await linesOf(client, id), before.slice(0, -1))
    await page.getByRole("button", { name: "Undo", exact: true }).click()
    await count(page, before.length)

    // Times that were pressed just before are saved with their own line.
    await focusLine(page, 1)
    await page.getByRole("button", { name: "End 0.1 seconds later" }).click()
    await remove.click()
    await count(page, before.length - 1)
    await page.keyboard.press("u")
    await count(page, before.length)
    const { data } = await client.transcriptions.edits(id, { limit: 3 })
    assert.deepStrictEqual(
      data.map(({ changes, undoes }) => (undoes === null ? changes?.[0] : "undo")),
      ["undo", { type: "remove", line: 1 }, { type: "times", line: 1 }],
    )

    const [first, ...others] = before
    await client.transcriptions.edit(id, {
      base_revision: await revisionOf(client, id),
      operations: others.map(() => ({ type: "remove", line: 1 })),
    })
    await page.reload()
    await page
      .getByText(first ?? "")
      .first()
      .waitFor()
    await focusLine(page, 0)
    await page.getByRole("button", { name: "Edit this line" }).waitFor()
    assert.strictEqual(await remove.count(), 0)
  })

  it("had no fault in all of that", () => {
    assert.deepStrictEqual(watched.faults, [])
  })
})
