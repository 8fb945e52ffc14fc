/** What was typed is kept: while the text is drawn anew, over a reload, where others were quicker, and without a network. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import { because } from "../servers/because.js"
import { browserMissing, type Watched } from "./browser.js"
import { editLine, focusLine, linesOf, openText, revisionOf, revisions, saved } from "./editing.js"
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

describe.skipIf(browserMissing !== null)(`drafts of the editor${because(browserMissing)}`, () => {
  it("goes on with a line while the text is drawn anew around it, at the place that the line has then", async () => {
    const { page } = watched
    await openText(page, server.origin, id)
    const before = await linesOf(client, id)
    await page.route("**/edits", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1500))
      await route.continue()
    })
    await editLine(page, 0)
    await page.keyboard.press("Home")
    for (let turn = 0; turn < 5; turn++) await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Control+Enter")
    await editLine(page, 3)
    await page.keyboard.type(" Typed meanwhile.")
    await page.waitForFunction(
      (wanted) => document.querySelectorAll(".text p").length === wanted,
      before.length + 1,
    )
    await page.unroute("**/edits")
    const editing = page.locator(".text p.editing")
    await editing.waitFor()
    assert.strictEqual(await editing.textContent(), `${before[3]} Typed meanwhile.`)
    await page.keyboard.type(" And after.")
    await page.keyboard.press("Enter")
    await saved(page)
    const after = await linesOf(client, id)
    assert.deepStrictEqual(after.slice(4), [`${before[3]} Typed meanwhile. And after.`, ...before.slice(4)])
    assert.strictEqual(await page.getByRole("toolbar", { name: "Edit this line" }).count(), 0)
    assert.strictEqual(await page.getByRole("button", { name: "Discard the draft" }).count(), 0)
    await undoNewest(2)
    assert.deepStrictEqual(await linesOf(client, id), before)
  })

  it("keeps what was typed over a reload, and where somebody else was quicker", async () => {
    const { page } = watched
    await openText(page, server.origin, id)
    await editLine(page, 2)
    await page.keyboard.press("End")
    await page.keyboard.type(" Half a word")
    await page.reload()
    await page.getByRole("button", { name: "Go on with the draft" }).click()
    assert.match(String(await page.locator(".text p.editing").textContent()), / Half a word$/)
    await client.transcriptions.edit(id, {
      base_revision: await revisionOf(client, id),
      operations: [{ type: "text", line: 2, text: "Theirs." }],
    })
    await page.keyboard.press("Enter")
    await page.getByText("Someone else corrected this transcript meanwhile").waitFor()
    await page.locator(".text p", { hasText: "Theirs." }).waitFor()
    assert.notInclude((await linesOf(client, id)).join(), "Half a word")
    await page.getByRole("button", { name: "Go on with the draft" }).click()
    await page.locator(".text p.editing", { hasText: "Half a word" }).waitFor()
    await page.keyboard.press("Enter")
    await saved(page)
    assert.include((await linesOf(client, id)).join(), "Half a word")
    assert.strictEqual(await page.getByRole("button", { name: "Discard the draft" }).count(), 0)
    assert.strictEqual(await page.evaluate(() => JSON.stringify(localStorage).includes("Half a word")), false)
  })

  it("takes back one's own correction where somebody else has made a newer one, and nothing that is not shown", async () => {
    const { page } = watched
    const fresh = await client.transcribe({ url: "https://media.example/two-at-once.mp3?seconds=90" })
    const elsewhere = async (line: number, said: string) =>
      client.transcriptions.edit(fresh.id, {
        base_revision: await revisionOf(client, fresh.id),
        operations: [{ type: "text", line, text: said }],
      })
    await openText(page, server.origin, fresh.id)
    const before = await linesOf(client, fresh.id)
    await editLine(page, 1)
    await page.keyboard.type("Mine. ")
    await page.keyboard.press("Enter")
    await saved(page)
    await elsewhere(2, "Theirs.")
    await focusLine(page, 1)
    await page.keyboard.press("u")
    await revisions(client, fresh.id, 3)
    assert.deepStrictEqual(await linesOf(client, fresh.id), before.with(2, "Theirs."))
    await page.locator(".text p", { hasText: "Theirs." }).waitFor()
    await elsewhere(3, "Also theirs.")
    await page.keyboard.press("u")
    await page.getByText("Someone else has corrected this transcript since.").waitFor()
    await page.locator(".text p", { hasText: "Also theirs." }).waitFor()
    assert.strictEqual(await revisionOf(client, fresh.id), 4)
    await page.keyboard.press("u")
    await revisions(client, fresh.id, 5)
    assert.deepStrictEqual(await linesOf(client, fresh.id), before.with(2, "Theirs."))
  })

  it("saves a line at its own place where somebody else has split one above meanwhile", async () => {
    const { page } = watched
    await openText(page, server.origin, id)
    const before = await linesOf(client, id)
    await editLine(page, 4)
    await page.keyboard.type(" Mine.")
    await client.transcriptions.edit(id, {
      base_revision: await revisionOf(client, id),
      operations: [{ type: "split", line: 0, at: 5 }],
    })
    await page.keyboard.press("Enter")
    await saved(page)
    assert.deepStrictEqual((await linesOf(client, id)).slice(2), [
      ...before.slice(1, 4),
      `${before[4]} Mine.`,
      ...before.slice(5),
    ])
    await undoNewest(2)
    assert.deepStrictEqual(await linesOf(client, id), before)
  })

  it("keeps drafts of several lines, each for its own line wherever that is by then", async () => {
    const { page } = watched
    await openText(page, server.origin, id)
    const before = await linesOf(client, id)
    await editLine(page, 3)
    await page.keyboard.type(" Kept over the rest.")
    await page.reload()
    await page.getByText("A draft of line 4 is not saved").waitFor()
    // Somebody else splits a line above, and this page corrects another one.
    await client.transcriptions.edit(id, {
      base_revision: await revisionOf(client, id),
      operations: [{ type: "split", line: 0, at: 5 }],
    })
    await openText(page, server.origin, id)
    await page.getByText("A draft of line 5 is not saved").waitFor()
    await editLine(page, 2)
    await page.keyboard.type(" And this.")
    await page.keyboard.press("Enter")
    await saved(page)
    await page.reload()
    await page.getByText("A draft of line 5 is not saved").waitFor()
    await page.getByRole("button", { name: "Go on with the draft" }).click()
    await page.locator(".text p.editing", { hasText: "Kept over the rest." }).waitFor()
    await page.keyboard.press("Enter")
    await saved(page)
    const after = await linesOf(client, id)
    assert.deepStrictEqual(after.slice(2), [
      `${before[1]} And this.`,
      before[2],
      `${before[3]} Kept over the rest.`,
      ...before.slice(4),
    ])
    assert.strictEqual(await page.getByRole("button", { name: "Discard the draft" }).count(), 0)
    await undoNewest(3)
    assert.deepStrictEqual(await linesOf(client, id), before)
  })

  it("sends a line again that could not be sent", async () => {
    const { page } = watched
    await openText(page, server.origin, id)
    await editLine(page, 2)
    await page.keyboard.press("Control+a")
    await page.keyboard.type("Said on a train.")
    // It would be sent by itself.
    await page.route("**/account", (route) => route.abort())
    await page.context().setOffline(true)
    await page.keyboard.press("Enter")
    const again = page.getByRole("alert").getByRole("button", { name: "Try again" })
    await again.waitFor()
    await page.context().setOffline(false)
    assert.notInclude(await linesOf(client, id), "Said on a train.")
    await again.click()
    await saved(page)
    await page.unrouteAll({ behavior: "wait" })
    assert.strictEqual((await linesOf(client, id))[2], "Said on a train.")
    assert.strictEqual(await page.getByRole("alert").count(), 0)
    assert.strictEqual(await page.getByRole("button", { name: "Discard the draft" }).count(), 0)
  })

  it("saves a line once the server answers, also after its page was left", async () => {
    const { page } = watched
    const left = await client.transcribe({ url: "https://media.example/left.mp3?seconds=60" })
    await openText(page, server.origin, left.id)
    const menu = page.getByRole("navigation", { name: "Menu" })
    const loseLine = async (line: number) => {
      await page.route("**/api/v1/**", (route) => route.abort())
      await editLine(page, line)
      await page.keyboard.type(" Said on a train.")
      await page.keyboard.press("Enter")
      await page.getByRole("alert").getByText("is saved when it does").waitFor()
      await menu.getByRole("link", { name: "Search" }).click()
      await page.getByRole("heading", { name: "Search" }).waitFor()
    }
    await loseLine(1)
    await page.unrouteAll({ behavior: "wait" })
    await revisions(client, left.id, 1)
    await page.goBack()
    await page.locator(".text p", { hasText: "Said on a train." }).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Discard the draft" }).count(), 0)
    await loseLine(2)
    // One comes back to it before the server does.
    await page.goBack()
    await page.getByText("A draft of line 3 is not saved").waitFor()
    await page.unrouteAll({ behavior: "wait" })
    await revisions(client, left.id, 2)
    await page.getByText("A draft of line 3 is not saved").waitFor({ state: "detached" })
    assert.strictEqual(await page.locator(".text p", { hasText: "Said on a train." }).count(), 2)
  })

  it("had no fault in all of that", () => {
    // Browsers log refused calls; these were meant.
    assert.deepStrictEqual(
      watched.faults.filter((fault) => !/status of (409)|ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(fault)),
      [],
    )
  })
})
