/** Addresses of recordings: whose they are, for how long, and what no range, path or signature gets out of them. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Host, startHost } from "../../packages/http/test/agents/world.js"

let host: Host
let ann: string
let eve: string

beforeAll(async () => {
  host = await startHost({ product: {} })
  ann = (await host.newKey()).key
  eve = (await host.newKey()).key
})

afterAll(() => host.stop())

const CONTENT = Buffer.from("the voice of Ann".repeat(64))

const at = (url: string) => url.replace("http://127.0.0.1:8787", host.base)

const ask = (path: string, key: string, body?: unknown, method = body === undefined ? "GET" : "POST") =>
  fetch(`${host.base}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  })

const jsonOf = async (answer: Response) => JSON.parse(await answer.text())

/** A recording that Ann uploaded and had transcribed. */
const recorded = async (content_type = "audio/mpeg") => {
  const announced = { filename: "a.mp3", content_type, bytes: CONTENT.length }
  const { upload_url, media_ref } = await jsonOf(await ask("/api/v1/uploads", ann, announced))
  const put = await fetch(at(upload_url), {
    method: "PUT",
    headers: { "Content-Type": content_type },
    body: CONTENT,
  })
  assert.strictEqual(put.status, 200)
  const { id } = await jsonOf(await ask("/api/v1/transcriptions", ann, { media_ref }))
  assert.strictEqual((await jsonOf(await ask(`/api/v1/transcriptions/${id}?wait=30`, ann))).status, "done")
  return { id: String(id), mediaRef: String(media_ref) }
}

const linkOf = async (id: string) => {
  const answer = await ask(`/api/v1/transcriptions/${id}/media-link`, ann, undefined, "POST")
  assert.strictEqual(answer.status, 200)
  return new URL(at(String((await jsonOf(answer)).url)))
}

/** Refused, as a problem, without a byte of the recording. */
const assertRefused = async (answer: Response, statuses: ReadonlyArray<number>, what: string) => {
  assert.include(statuses, answer.status, what)
  assert.notInclude(await answer.text(), "the voice of Ann", what)
}

describe("the address of a recording", () => {
  it("is given to its account alone", async () => {
    const { id } = await recorded()
    const [theirs, nobodys] = await Promise.all(
      [id, `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`].map(async (job) => {
        const answer = await ask(`/api/v1/transcriptions/${job}/media-link`, eve, undefined, "POST")
        const { request_id: _, ...problem } = await jsonOf(answer)
        return { status: answer.status, problem }
      }),
    )
    assert.deepStrictEqual(theirs, nobodys)
    assert.strictEqual(theirs?.status, 404)
  })

  it("is good for one file and its time, and for no other path", async () => {
    const [mine, other] = [await recorded(), await recorded()]
    const [good, another] = [await linkOf(mine.id), await linkOf(other.id)]
    const { pathname, search, origin } = good
    const [, , account = "", id = "", file = ""] = pathname.split("/")
    const changed = (change: (url: URL) => void) => {
      const url = new URL(good)
      change(url)
      return url.href
    }
    const signature = good.searchParams.get("signature") ?? ""
    const flipped = `${signature.startsWith("0") ? "1" : "0"}${signature.slice(1)}`
    const exported = await jsonOf(
      await ask(`/api/v1/transcriptions/${mine.id}/export-link`, ann, { format: "txt" }),
    )
    const tampered = [
      ...["", "0", flipped, signature.toUpperCase(), another.searchParams.get("signature") ?? ""].map(
        (value) => changed((url) => url.searchParams.set("signature", value)),
      ),
      ...["0", "-1", "99999999999", "1e99"].map((value) =>
        changed((url) => url.searchParams.set("expires", value)),
      ),
      changed((url) => url.searchParams.delete("signature")),
      changed((url) => url.searchParams.append("expires", "99999999999")),
      `${good.href}&x=1`,
      ...[
        `/media/${account}/${other.id}/${file}`,
        `/media/${account}/${id}/copy`,
        `/media/${account}/${id}/waveform`,
        `/media/acct_${"1".repeat(26)}/${id}/${file}`,
        `/media/${account}/..%2f${id}/${file}`,
        `/media/${account}/${id}/..%2f..%2f..%2fetc%2fpasswd`,
        `/media/${account}/${id}/%2e%2e%2f${encodeURIComponent(mine.mediaRef)}`,
        `/media/${account}/${id}/${file}%00`,
        `/media/${account}/${id}/${file}/`,
        `//media/${account}/${id}/${file}`,
        `/${mine.mediaRef}`,
        `/exports/${account}/${id}`,
      ].map((path) => `${origin}${path}${search}`),
      `${origin}${pathname}${new URL(String(exported.url)).search}`,
    ]
    for (const address of tampered) await assertRefused(await fetch(address), [400, 403, 404, 405], address)
    for (const method of ["PUT", "POST", "DELETE"])
      await assertRefused(await fetch(good, { method }), [404, 405], method)
    assert.strictEqual(await (await fetch(good)).text(), CONTENT.toString())
  })

  it("answers absurd ranges with all of it, a part of it or 416, and goes on answering", async () => {
    const good = await linkOf((await recorded()).id)
    const thousands = Array.from({ length: 1200 }, (_, from) => `${from}-${from}`).join(",")
    const ranges = [
      `bytes=${thousands}`,
      "bytes=0-0,0-0,0-0",
      "bytes=-1-5",
      "bytes=--1",
      "bytes=0--1",
      "bytes=1-0",
      "bytes= 0-1",
      "bytes=0x0-0x5",
      "bytes=0-1e3",
      "bytes=9007199254740993-",
      `bytes=${"9".repeat(300)}-`,
      `bytes=0-${"9".repeat(300)}`,
      `bytes=-${"9".repeat(30)}`,
      "bytes",
      "bytes=",
      "",
      "items=0-5",
      "bytes=0-5;bytes=6-7",
    ]
    for (const range of ranges) {
      const answer = await fetch(good, { headers: { Range: range } })
      const body = Buffer.from(await answer.arrayBuffer())
      assert.include([200, 206, 416], answer.status, range)
      if (answer.status !== 416) assert.deepStrictEqual(body, CONTENT, range)
      else assert.notInclude(body.toString(), "the voice of Ann")
    }
    const after = await fetch(good, { headers: { Range: "bytes=4-8" } })
    assert.strictEqual(await after.text(), "voice")
  })

  it("shows nothing as a page, whatever its file says it is", async () => {
    const good = await linkOf((await recorded("audio/html")).id)
    const { headers } = await fetch(good, { method: "HEAD" })
    assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
    assert.strictEqual(headers.get("content-type"), "audio/html")
    assert.include(headers.get("content-security-policy") ?? "", "default-src 'none'")
    assert.isNull(headers.get("access-control-allow-credentials"))
  })

  it("is no good after its time, and says so to nobody but whoever has it", async () => {
    const { id } = await recorded()
    const good = await linkOf(id)
    host.advance(6 * 3600 + 1)
    const late = await fetch(good)
    assert.strictEqual(late.status, 410)
    assert.strictEqual((await jsonOf(late)).code, "expired")
    good.searchParams.set("signature", "0".repeat(64))
    await assertRefused(await fetch(good), [403], "a late address that was changed")
  })
})
