/** One transcript in two windows: each learns of the corrections of the other, and saves its own beside them. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, openPage, signIn, type Watched } from "./browser.js"
import {
  count,
  editLine,
  focusLine,
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
let other: Watched
let client: EarmarkClient

const viewport = { width: 1280, height: 600 }

setUp({ page: { viewport } }, async ({ browser, ...given }) => {
  ;({ server, watched, client } = given)
  // They share nothing: as on two machines.
  other = await openPage(browser, server.origin, { viewport })
  await signIn(other.page, server.origin, server.key)
})

const openTalk = async (name: string) => {
  const { id, segments } = await client.transcribe({ url: `https://media.example/${name}.mp3?seconds=60` })
  for (const { page } of [watched, other]) await openText(page, server.origin, id)
  return { id, lines: segments.map(({ text }) => text) }
}

const correct = async (page: Page, line: number, said: string) => {
  await editLine(page, line)
  await page.keyboard.press("Control+a")
  await page.keyboard.type(said)
  await page.keyboard.press("Enter")
  await saved(page)
}

/** It learns of no event: as where a proxy gathers them. */
const deaf = async ({ page }: Watched) => {
  await page.route("**/api/v1/events", (route) => route.abort())
}

const hearing = async ({ page }: Watched) => {
  await page.unroute("**/api/v1/events")
}

describe.skipIf(browserMissing !== null)(`a transcript in two windows${because(browserMissing)}`, () => {
  it("shows in each what was corrected in the other, also while a line is typed in", async () => {
    const { id, lines } = await openTalk("seen")
    await correct(watched.page, 1, "Of the first.")
    await other.page.locator(".text p", { hasText: "Of the first." }).waitFor({ timeout: 10_000 })
    await editLine(other.page, 3)
    await other.page.keyboard.type(" Typed here.")
    await correct(watched.page, 2, "Of the first, too.")
    await other.page.locator(".text p", { hasText: "Of the first, too." }).waitFor({ timeout: 10_000 })
    await other.page.keyboard.press("Enter")
    await saved(other.page)
    await watched.page.locator(".text p", { hasText: "Typed here." }).waitFor({ timeout: 10_000 })
    assert.deepStrictEqual((await linesOf(client, id)).slice(0, 5), [
      lines[0],
      "Of the first.",
      "Of the first, too.",
      `${lines[3]} Typed here.`,
      lines[4],
    ])
    for (const { page } of [watched, other]) await noDrafts(page)
  })

  it("saves a line that others left alone over what they did, at the place that it has then", async () => {
    await deaf(other)
    const { id, lines } = await openTalk("beside")
    const base_revision = await revisionOf(client, id)
    const { revision } = await client.transcriptions.edit(id, {
      base_revision,
      operations: [
        { type: "split", line: 0, at: 5 },
        { type: "text", line: 2, text: "Theirs." },
      ],
    })
    await correct(other.page, 4, "Mine.")
    await count(other.page, lines.length + 1)
    await correct(other.page, 3, "Mine as well.")
    await revisions(client, id, revision + 2)
    assert.deepStrictEqual((await linesOf(client, id)).slice(2, 7), [
      "Theirs.",
      "Mine as well.",
      lines[3],
      "Mine.",
      lines[5],
    ])
    await noDrafts(other.page)
  })

  it("asks where both changed the same line, and takes nothing of theirs away", async () => {
    const { id, lines } = await openTalk("same")
    const base_revision = await revisionOf(client, id)
    await client.transcriptions.edit(id, {
      base_revision,
      operations: [{ type: "text", line: 2, text: "Theirs." }],
    })
    await editLine(other.page, 3)
    await other.page.keyboard.type(" Mine.")
    // The next line is begun before the one before is answered.
    await other.page.keyboard.press("Enter")
    await editLine(other.page, 2)
    await other.page.keyboard.type(" Mine, too.")
    await other.page.keyboard.press("Enter")
    await other.page.getByText("A draft of line 3 is not saved").waitFor()
    assert.deepStrictEqual((await linesOf(client, id)).slice(2, 4), ["Theirs.", `${lines[3]} Mine.`])
    await hearing(other)
  })

  it("stays where it is read when lines are split above in the other", async () => {
    const { id, lines } = await openTalk("place")
    await focusLine(other.page, 9)
    const shown = () =>
      other.page.evaluate(() => {
        const line = document.activeElement
        return { text: line?.textContent, top: Math.round(line?.getBoundingClientRect().top ?? 0) }
      })
    const before = await shown()
    await client.transcriptions.edit(id, {
      base_revision: await revisionOf(client, id),
      operations: [{ type: "split", line: 0, at: 5 }],
    })
    await count(other.page, lines.length + 1)
    const after = await shown()
    assert.strictEqual(after.text, before.text)
    assert.closeTo(after.top, before.top, 2)
  })

  it("had no fault in all of that", () => {
    // Browsers log refused calls; these were meant.
    assert.deepStrictEqual(
      [...watched.faults, ...other.faults].filter((fault) => !/status of 409|ERR_FAILED/.test(fault)),
      [],
    )
  })
})
