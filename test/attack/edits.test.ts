/** Corrections by those who have no right to them, that are huge, absurd or hostile, or all at the same time. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { assertProblem, JOBS, listOf, newAccount } from "../e2e/http/asking.js"
import { clientOf } from "../e2e/http/world.js"
import { type EarmarkServer, startEarmark } from "../servers/earmarkServer.js"
import { feedOf, type Publisher, page, startPublisher } from "./publisher.js"

const CAPTIONS = `WEBVTT

00:00.000 --> 00:07.000
We spoke of the garden and of honey.

00:07.000 --> 00:14.000
My grandmother kept eleven hives of bees.

00:14.000 --> 00:21.000
And so it goes.
`

let web: Publisher
let server: EarmarkServer
let ann: ReturnType<typeof clientOf>
let eve: ReturnType<typeof clientOf>
let episodes = 0

const feed = (name: string) => `${web.base.replace("127.0.0.1", "localhost")}/${name}`

const transcribed = async (call = ann, name = `episode-${++episodes}`) => {
  const item = `<item><title>${name}</title><guid>${name}</guid><enclosure url="${feed(`${name}.mp3`)}" type="audio/mpeg"/><itunes:duration>21</itunes:duration><podcast:transcript url="${feed(`${name}.vtt`)}" type="text/vtt"/></item>`
  web.pages.set(`/${name}.vtt`, page("text/vtt", CAPTIONS))
  web.pages.set(`/${name}`, page("application/rss+xml", feedOf(item, "<language>en</language>")))
  const made = await call(JOBS, { body: { url: feed(name) } })
  assert.strictEqual(made.status, 200, made.text)
  return String(made.body.id)
}

const edit = (
  id: string,
  base_revision: number,
  operations: ReadonlyArray<unknown>,
  call: ReturnType<typeof clientOf> = ann,
) => call(`${JOBS}/${id}/edits`, { body: { base_revision, operations } })

const linesOf = async (id: string, call = ann) =>
  listOf((await call(`${JOBS}/${id}`)).body.segments).map(({ text }) => String(text))

beforeAll(async () => {
  web = await startPublisher()
  server = await startEarmark({})
  ann = clientOf(server)
  eve = (await newAccount({ server }, "eve@example.org")).call
}, 120_000)

afterAll(async () => {
  await server?.stop()
  web?.stop()
})

describe("corrections", () => {
  it("of another account are as if there were no such transcript", async () => {
    const id = await transcribed()
    const before = await linesOf(id)
    await edit(id, 0, [{ type: "speaker", line: 0, speaker: "Ann" }])
    const unknown = `tr_${"0".repeat(26)}`
    for (const which of [id, unknown, "x", "..%2f"]) {
      const path = `${JOBS}/${which}/edits`
      assertProblem(
        await edit(which, 1, [{ type: "text", line: 0, text: "Eve was here" }], eve),
        404,
        "not_found",
      )
      assertProblem(await eve(path), 404, "not_found")
      assertProblem(await eve(`${path}/1/undo`, { method: "POST" }), 404, "not_found")
    }
    assert.deepStrictEqual(await linesOf(id), before)
  })

  it("never reach the same source of another account, or the next job of this one", async () => {
    const id = await transcribed(ann, "shared")
    const heard = await linesOf(id)
    await edit(id, 0, [{ type: "text", line: 0, text: "Slander of somebody" }])
    for (const call of [ann, eve]) {
      const again = await transcribed(call, "shared")
      assert.notStrictEqual(again, id)
      assert.deepStrictEqual(await linesOf(again, call), heard)
      const found = await call(`/api/v1/search?q=slander`)
      assert.deepStrictEqual(
        listOf(found.body.data).map((hit) => hit.id),
        call === ann ? [id] : [],
      )
    }
  })

  it("stay text in every file, whatever they hold", async () => {
    const id = await transcribed()
    const texts = [
      `<script>alert(1)</script><img src=x onerror=alert(2)>`,
      "00:00:01.000 --> 00:00:02.000 <v Mallory>planted",
      `"},{"text":"planted`,
    ]
    const made = await edit(id, 0, [
      ...texts.map((text, line) => ({ type: "text", line, text })),
      { type: "speaker", line: 0, speaker: `<b onclick="x">__proto__` },
    ])
    assert.strictEqual(made.status, 200, made.text)
    const exported = async (format: string) => (await ann(`${JOBS}/${id}/export?format=${format}`)).text
    const html = await exported("html")
    assert.notInclude(html, "<script>alert")
    assert.notInclude(html, "<img src=x")
    assert.notInclude(html, "<b onclick")
    const vtt = await exported("vtt")
    assert.notInclude(vtt, "<script>")
    assert.notInclude(vtt, "<v Mallory>")
    assert.strictEqual(
      vtt.split("\n").filter((line) => line.includes("-->")).length,
      vtt.split("-->").length - 1,
    )
    assert.strictEqual(listOf(JSON.parse(await exported("json")).segments).length, 3)
    assert.deepStrictEqual(await linesOf(id), texts)
  })

  it("that are huge or absurd are refused with a sentence, at once, and change nothing", async () => {
    const id = await transcribed()
    const before = await linesOf(id)
    const started = performance.now()
    const many = await edit(
      id,
      0,
      Array.from({ length: 100_000 }, () => ({ type: "merge", line: 0 })),
    )
    assert.include([400, 413], many.status, many.text.slice(0, 300))
    assert.isBelow(many.text.length, 10_000)
    const refused: ReadonlyArray<unknown> = [
      { type: "merge", line: 2 },
      { type: "text", line: 9_007_199_254_740_991, text: "x" },
      { type: "text", line: -1, text: "x" },
      { type: "text", line: 0.5, text: "x" },
      { type: "text", line: "__proto__", text: "x" },
      { type: "text", line: 0, text: "\u0000\u0001" },
      { type: "text", line: 0, text: "x".repeat(10_001) },
      { type: "split", line: 0, at: 9_007_199_254_740_991 },
      { type: "split", line: 0, at: 0 },
      { type: "times", line: 0, start: 7, end: 1 },
      { type: "times", line: 0, start: 0, end: 9_999_999 },
      { type: "times", line: 0, start: 1e307, end: 1e308 },
      { type: "speaker", line: 0, speaker: "a\nb" },
      { type: "speaker", line: 0, speaker: "" },
      { type: "rename_speaker", from: "Nobody", to: "Somebody" },
      { type: "constructor", line: 0 },
      null,
      [],
    ]
    for (const operation of refused) {
      const answer = await edit(id, 0, [{ type: "text", line: 0, text: "changed" }, operation])
      assert.include([400, 422], answer.status, `${JSON.stringify(operation)} ${answer.text}`)
      assert.match(String(listOf(answer.body.errors)[0]?.pointer), /^#\/operations\/1/, answer.text)
    }
    for (const base of [-1, 1.5, "0", null, 1e30]) {
      const answer = await ann(`${JOBS}/${id}/edits`, {
        body: { base_revision: base, operations: [{ type: "merge", line: 0 }] },
      })
      assert.include([400, 409], answer.status, answer.text)
    }
    for (const revision of ["0", "-1", "1e3", "99999999999999999999", "x".repeat(1000)]) {
      const undo = await ann(`${JOBS}/${id}/edits/${revision}/undo`, { method: "POST" })
      assertProblem(undo, 404, "not_found")
      assert.isBelow(undo.text.length, 1000)
    }
    assert.isBelow(performance.now() - started, 30_000)
    assert.deepStrictEqual(await linesOf(id), before)
    assert.strictEqual((await ann(`${JOBS}/${id}`)).body.revision, 0)
  })

  it("of one revision at the same time: one is made, and the others are told so", async () => {
    const id = await transcribed()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        edit(id, 0, [{ type: "text", line: 0, text: `By number ${at}` }]),
      ),
    )
    const made = answers.filter(({ status }) => status === 200)
    assert.strictEqual(made.length, 1)
    for (const answer of answers.filter((each) => each.status !== 200)) {
      assertProblem(answer, 409, "revision_conflict")
      assert.strictEqual(answer.body.revision, 1)
    }
    const winner = answers.findIndex(({ status }) => status === 200)
    assert.strictEqual((await linesOf(id))[0], `By number ${winner}`)
    assert.strictEqual(listOf((await ann(`${JOBS}/${id}/edits`)).body.data).length, 1)
  })

  it("do not outlive their transcript", async () => {
    const id = await transcribed()
    await edit(id, 0, [{ type: "text", line: 0, text: "secretly corrected" }])
    assert.strictEqual((await ann(`${JOBS}/${id}`, { method: "DELETE" })).status, 204)
    assertProblem(await ann(`${JOBS}/${id}/edits`), 404, "not_found")
    assert.deepStrictEqual(listOf((await ann("/api/v1/search?q=secretly")).body.data), [])
  })
})
