/** What a player needs beside the transcript, over a real socket. */
import { decodeWords } from "@earmark/core/text"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Host, startHost } from "./agents/world.js"

let host: Host
let key: string

beforeAll(async () => {
  host = await startHost({ product: {}, billing: false })
  key = (await host.newKey()).key
})

afterAll(() => host.stop())

const ask = (path: string, headers: Record<string, string> = {}, as = key) =>
  fetch(`${host.base}${path}`, { headers: { Authorization: `Bearer ${as}`, ...headers } })

const readJson = async (answer: Response) => JSON.parse(await answer.text())

const makeJob = async (given: Record<string, unknown>) => {
  const made = await fetch(`${host.base}/api/v1/transcriptions`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify(given),
  })
  const { id } = await readJson(made)
  const read = await ask(`/api/v1/transcriptions/${id}?wait=30&include=words`)
  const job = await readJson(read)
  assert.strictEqual(job.status, "done", JSON.stringify(job))
  return job
}

describe("the times of words", () => {
  it("are those of the transcript, and not sent again to whoever has them", async () => {
    const job = await makeJob({ url: "https://a.example/words.mp3?seconds=40" })
    const path = `/api/v1/transcriptions/${job.id}/words`
    const answer = await ask(path)
    assert.strictEqual(answer.status, 200)
    const columns = await readJson(answer)
    const read = decodeWords(columns)
    const texts: ReadonlyArray<string> = job.segments.map(({ text }: { text: string }) => text)
    assert.lengthOf(read, texts.length)
    for (const [index, words] of read.entries()) {
      const said = job.segments[index].words
      assert.deepStrictEqual(
        words.map(({ offset, length }) => texts[index]?.slice(offset, offset + length)),
        said.map(({ text }: { text: string }) => text),
      )
      for (const [at, { start, end }] of words.entries()) {
        assert.closeTo(start, said[at].start * 1000, 5)
        assert.closeTo(end, said[at].end * 1000, 5)
      }
    }
    const again = await ask(path, { "If-None-Match": answer.headers.get("etag") ?? "" })
    assert.strictEqual(again.status, 304)
    const other = await host.newKey()
    assert.strictEqual((await ask(path, {}, other.key)).status, 404)
  })

  it("are refused where there are none, in one sentence", async () => {
    const { id } = await makeJob({ url: "https://a.example/read.mp3?seconds=20&captions=people" })
    const answer = await ask(`/api/v1/transcriptions/${id}/words`)
    assert.strictEqual(answer.status, 409)
    const { code, detail } = await readJson(answer)
    assert.deepStrictEqual([code, detail], ["no_word_timing", "The times of the single words are not known."])
  })
})
