/** What people who are new to the editor try: names that are taken, answers that are lost, a double click, joined speakers. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { because } from "../servers/because.js"
import { browserMissing, type Watched } from "./browser.js"
import { openText, revisions } from "./editing.js"
import type { ConsoleServer } from "./server.js"
import { setUp } from "./setUp.js"

let server: ConsoleServer
let watched: Watched
let client: EarmarkClient

setUp({ page: { viewport: { width: 1280, height: 717 } } }, (given) => {
  ;({ server, watched, client } = given)
})

/** A transcript in which three people speak, and its page. */
const conversation = async (page: Page, name: string) => {
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
})
