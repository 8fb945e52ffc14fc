/** What was found in a transcript is replaced in all lines, as one correction. */
import type { EarmarkClient } from "@earmark/api/client"
import { assert, describe, it } from "@effect/vitest"
import { because } from "../servers/because.js"
import { browserMissing, type Watched } from "./browser.js"
import { count, linesOf, openText, revisions } from "./editing.js"
import type { ConsoleServer } from "./server.js"
import { setUp } from "./setUp.js"

let server: ConsoleServer
let watched: Watched
let client: EarmarkClient

setUp({ page: { viewport: { width: 1280, height: 860 } } }, (given) => {
  ;({ server, watched, client } = given)
  watched.page.setDefaultTimeout(8000)
})

describe.skipIf(browserMissing !== null)(`replacing in a transcript${because(browserMissing)}`, () => {
  it("changes every match as one correction, keeps speakers and times, and undoes it", async () => {
    const { page } = watched
    const { id } = await client.transcribe({ url: "https://media.example/replaced.mp3?seconds=90" })
    await client.transcriptions.edit(id, {
      base_revision: 0,
      operations: [
        { type: "text", line: 0, text: "Zoe met zoe." },
        { type: "text", line: 2, text: "ZOE!" },
        { type: "speaker", line: 2, speaker: "Ann" },
      ],
    })
    const before = await client.transcriptions.get(id)
    const lines = await linesOf(client, id)
    await openText(page, server.origin, id)
    const find = page.getByLabel("Find in this transcript")
    await find.fill("qqqq")
    await page.getByText("no match").waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Replace all" }).count(), 0)
    await find.fill("zoe")
    await page.getByText("1 of 2").waitFor()
    await page.getByLabel("Replace with").fill("<img src=x>$&")
    await page.getByRole("button", { name: "Replace all" }).click()
    await page.getByText("Saved. Replaced in 2 lines.").waitFor()
    await revisions(client, id, 2)
    const now = await linesOf(client, id)
    assert.strictEqual(now[0], "<img src=x>$& met <img src=x>$&.")
    assert.strictEqual(now[2], "<img src=x>$&!")
    assert.strictEqual(await page.locator(".text img").count(), 0)
    const after = await client.transcriptions.get(id)
    if (before.status !== "done" || after.status !== "done") throw new Error("It is not done")
    const frames = (job: typeof before) =>
      job.segments.map(({ start, end, speaker }) => [start, end, speaker])
    assert.deepStrictEqual(frames(after), frames(before))
    await page.getByRole("button", { name: "Undo", exact: true }).click()
    await revisions(client, id, 3)
    assert.deepStrictEqual(await linesOf(client, id), lines)
    await count(page, lines.length)
    assert.deepStrictEqual(watched.faults, [])
  })
})
