import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { EarmarkClosed, Scripted } from "../src/index.js"
import { type Earmark, refusal, start, startWithTalk } from "./promised.js"

let earmark: Earmark
let account: string
let folder: string
let stop: () => Promise<void>

beforeAll(async () => {
  ;({ earmark, account, folder, stop } = await startWithTalk())
})

afterAll(() => stop?.())

describe("events", () => {
  it("tell of a job until it ends, and go on where they were left", async () => {
    const { id } = await earmark.transcriptions.create(account, {
      url: "https://media.example/a.mp3?seconds=90",
    })
    const ids: Array<string> = []
    const seen: Array<string> = []
    for await (const event of earmark.transcriptions.events(account, id)) {
      ids.push(event.id)
      seen.push(event.event)
    }
    assert.strictEqual(seen.at(-1), "done")
    const lines = seen.filter((each) => each === "segment").length
    assert.isAbove(lines, 2)
    const middle = ids[seen.indexOf("segment") + 1] ?? ""
    const rest: Array<string> = []
    for await (const { event } of earmark.transcriptions.events(account, id, { after: middle }))
      rest.push(event)
    assert.deepStrictEqual(
      rest.filter((each) => each === "segment"),
      seen.slice(seen.indexOf("segment") + 2).filter((each) => each === "segment"),
    )
    for await (const event of earmark.transcriptions.events(account, id, { after: ids.at(-1) ?? "" }))
      assert.fail(JSON.stringify(event))
    const unknown = earmark.transcriptions.events(account, "tr_nothing")[Symbol.asyncIterator]()
    assert.strictEqual(Reflect.get(await refusal(unknown.next()), "_tag"), "JobNotFound")
  })

  it("and calls that wait for a job end when Earmark is closed", async () => {
    const slow = await start(Scripted.layer({ engine: { delay: [600_000, 600_000] } }))
    const { id: owner } = await slow.accounts.create({ name: "Ann" })
    const { id } = await slow.transcriptions.create(owner, { url: "https://media.example/a.mp3" })
    const waiting = refusal(slow.transcribeFile(owner, join(folder, "talk.mp3")))
    const following = refusal(
      (async () => {
        for await (const { event } of slow.transcriptions.events(owner, id))
          assert.strictEqual(event, "progress")
      })(),
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    await slow.close()
    const late = refusal(slow.transcriptions.get(owner, id))
    for (const error of await Promise.all([waiting, following, late])) {
      assert.instanceOf(error, EarmarkClosed)
      assert.deepInclude(error, {
        _tag: "EarmarkClosed",
        message: "This Earmark is closed. Make another one with makeEarmark.",
      })
    }
  })
})
