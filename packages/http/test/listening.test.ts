/** What a player needs beside the transcript, over a real socket. */
import { EarmarkClient } from "@earmark/api/client"
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

describe("a link to a recording", () => {
  const send = async (path: string, body: unknown, as = key) =>
    fetch(`${host.base}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${as}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  const CONTENT = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 251))

  const uploaded = async (content_type = "audio/mpeg") => {
    const handshake = await readJson(
      await send("/api/v1/uploads", { filename: "a.mp3", content_type, bytes: CONTENT.length }),
    )
    const put = await fetch(String(handshake.upload_url).replace("http://127.0.0.1:8787", host.base), {
      method: "PUT",
      headers: { "Content-Type": content_type },
      body: CONTENT,
    })
    assert.strictEqual(put.status, 200)
    const { id } = await makeJob({ media_ref: handshake.media_ref })
    const answer = await send(`/api/v1/transcriptions/${id}/media-link`, undefined)
    return { id: String(id), answer, link: await readJson(answer) }
  }

  const at = (url: string) => url.replace("http://127.0.0.1:8787", host.base)
  const get = (url: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(at(url), { method, headers })

  it("plays an upload: all of it, a part of it, and nothing that is known", async () => {
    const { answer, link } = await uploaded()
    assert.strictEqual(answer.status, 200)
    assert.deepInclude(link, { content_type: "audio/mpeg", bytes: 1000, exact_seek: false })
    assert.isAbove(link.duration_seconds, 0)
    assert.closeTo(Date.parse(link.expires_at) - Date.now(), 6 * 3600 * 1000, 60_000)
    const whole = await get(link.url, { Origin: "https://player.example" })
    assert.strictEqual(whole.status, 200)
    assert.deepStrictEqual(Buffer.from(await whole.arrayBuffer()), CONTENT)
    for (const [name, value] of [
      ["content-type", "audio/mpeg"],
      ["content-length", "1000"],
      ["content-disposition", "inline"],
      ["accept-ranges", "bytes"],
      ["x-content-type-options", "nosniff"],
      ["access-control-allow-origin", "*"],
      ["cross-origin-resource-policy", "cross-origin"],
    ] as const)
      assert.strictEqual(whole.headers.get(name), value, name)
    const etag = whole.headers.get("etag") ?? ""
    const cases = [
      ["bytes=0-", 206, 0, 1000],
      ["bytes=10-19", 206, 10, 20],
      ["bytes=990-5000", 206, 990, 1000],
      ["bytes=-7", 206, 993, 1000],
      ["bytes=-5000", 206, 0, 1000],
      ["bytes=999-999", 206, 999, 1000],
      [`bytes=0-${"9".repeat(30)}`, 206, 0, 1000],
      ["bytes=0-1,5-6", 200, 0, 1000],
      ["bytes=5-2", 200, 0, 1000],
      ["bytes=-", 200, 0, 1000],
      ["bytes=a-b", 200, 0, 1000],
      ["lines=1-2", 200, 0, 1000],
    ] as const
    for (const [range, status, from, to] of cases) {
      const part = await get(link.url, { Range: range })
      assert.strictEqual(part.status, status, range)
      assert.strictEqual(
        part.headers.get("content-range"),
        status === 206 ? `bytes ${from}-${to - 1}/1000` : null,
      )
      assert.deepStrictEqual(Buffer.from(await part.arrayBuffer()), CONTENT.subarray(from, to), range)
    }
    for (const range of ["bytes=1000-", "bytes=-0", `bytes=${"9".repeat(30)}-`]) {
      const none = await get(link.url, { Range: range })
      assert.strictEqual(none.status, 416, range)
      assert.strictEqual(none.headers.get("content-range"), "bytes */1000")
      assert.strictEqual((await readJson(none)).code, "range_not_satisfiable")
    }
    const same = await get(link.url, { Range: "bytes=0-1", "If-Range": etag })
    assert.strictEqual(same.status, 206)
    for (const other of [`W/${etag}`, '"other"', "Mon, 23 Nov 2026 09:00:00 GMT"]) {
      const all = await get(link.url, { Range: "bytes=0-1", "If-Range": other })
      assert.strictEqual(all.status, 200, other)
      await all.arrayBuffer()
    }
    assert.strictEqual((await get(link.url, { "If-None-Match": etag })).status, 304)
    const head = await get(link.url, { Range: "bytes=0-1" }, "HEAD")
    assert.deepStrictEqual([head.status, head.headers.get("content-length")], [200, "1000"])
  })

  it("goes with its transcription, and is not made for what was not kept", async () => {
    const { id, link } = await uploaded()
    const gone = await fetch(`${host.base}/api/v1/transcriptions/${id}`, {
      method: "DELETE",
      headers: { Authorization: `Bearer ${key}` },
    })
    assert.strictEqual(gone.status, 204)
    assert.strictEqual((await get(link.url)).status, 404)
    const job = await makeJob({ url: "https://a.example/far.mp3?seconds=20" })
    const answer = await send(`/api/v1/transcriptions/${job.id}/media-link`, undefined)
    const { status, code, detail } = await readJson(answer)
    assert.deepStrictEqual([status, code, detail], [404, "recording_not_kept", "The recording was not kept."])
  })
})

describe("a waveform", () => {
  it("is one byte a point of the part that is asked for", async () => {
    const { id } = await makeJob({ url: "https://a.example/wave.mp3?seconds=60&recorded" })
    const read = async (query: string) => {
      const answer = await ask(`/api/v1/transcriptions/${id}/waveform${query}`)
      return { answer, points: [...new Uint8Array(await answer.arrayBuffer())] }
    }
    const { answer, points } = await read("")
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers.get("content-type"), "application/octet-stream")
    assert.strictEqual(answer.headers.get("content-length"), "2000")
    assert.lengthOf(points, 2000)
    assert.deepStrictEqual(
      (await read("?from=1&to=2&points=10")).points,
      [21, 23, 25, 27, 29, 31, 33, 35, 37, 39],
    )
    assert.deepStrictEqual((await read("?from=59.9&to=60.1&points=4")).points, [174, 175, 0, 0])
    assert.deepStrictEqual((await read("?from=5&to=1&points=2")).points.length, 2)
    const again = await ask(`/api/v1/transcriptions/${id}/waveform`, {
      "If-None-Match": answer.headers.get("etag") ?? "",
    })
    assert.strictEqual(again.status, 304)
    for (const query of ["?points=0", "?points=20001", "?from=-1", "?from=x", "?to=1e9"])
      assert.strictEqual((await read(query)).answer.status, 400, query)
  })

  it("comes through the client", async () => {
    const { id } = await makeJob({ url: "https://a.example/client.mp3?seconds=60&recorded" })
    const client = new EarmarkClient({ baseUrl: host.base, apiKey: key })
    const points = await client.transcriptions.waveform(id, { from: 1, to: 2, points: 5 })
    assert.deepStrictEqual([...points], [23, 27, 31, 35, 39])
    const { content_type, exact_seek } = await client.transcriptions.mediaLink(id)
    assert.deepStrictEqual([content_type, exact_seek], ["audio/mp4", true])
    assert.isAbove(decodeWords(await client.transcriptions.words(id)).length, 0)
  })

  it("is not there for what was not decoded", async () => {
    const { id } = await makeJob({ url: "https://a.example/silent.mp3?seconds=20" })
    const answer = await ask(`/api/v1/transcriptions/${id}/waveform`)
    assert.strictEqual(answer.status, 404)
    const { code, detail } = await readJson(answer)
    assert.strictEqual(code, "recording_not_kept")
    assert.match(detail, /^This transcription has no waveform\. /)
  })
})
