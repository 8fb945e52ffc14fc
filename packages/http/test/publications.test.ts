/** Published transcripts over a real socket: what anyone may read, for how long, and from which pages. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Host, startHost } from "./agents/world.js"

let host: Host
let key: string

beforeAll(async () => {
  host = await startHost({ product: {} })
  key = (await host.newKey()).key
})

afterAll(() => host.stop())

interface Sent {
  readonly method?: string
  readonly body?: unknown
  readonly as?: string
}

const ask = async (path: string, { method = "GET", body, as = key }: Sent = {}) => {
  const answer = await fetch(`${host.base}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${as}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === "" ? null : JSON.parse(text) }
}

const done = async (given: Record<string, unknown>) => {
  const { body } = await ask("/api/v1/transcriptions", { method: "POST", body: given })
  const job = await ask(`/api/v1/transcriptions/${body.id}?wait=30`)
  assert.strictEqual(job.body.status, "done", JSON.stringify(job.body))
  return String(body.id)
}

const publish = async (id: string, body: unknown = {}) => {
  const answer = await ask(`/api/v1/transcriptions/${id}/publication`, { method: "PUT", body })
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

const urlOf = (publication: { files: ReadonlyArray<{ format: string; url: string }> }, format: string) =>
  publication.files.find((each) => each.format === format)?.url ?? `${host.base}/none`

/** An address that was given out, at this host. */
const open = (url: string, headers: Record<string, string> = {}) =>
  fetch(url.replace("http://127.0.0.1:8787", host.base), { headers })

const isForAll = (headers: Headers) => {
  assert.strictEqual(headers.get("access-control-allow-origin"), "*")
  assert.strictEqual(headers.get("cross-origin-resource-policy"), "cross-origin")
}

describe("a published transcript", () => {
  it("is read by anyone, from any page, and asked after before each use", async () => {
    const publication = await publish(await done({ url: "https://a.example/talk.mp3?seconds=30&title=Talk" }))
    assert.deepStrictEqual(
      publication.files.map(({ format }: { format: string }) => format),
      ["vtt", "srt", "json", "html"],
    )
    for (const [format, type, beginning] of [
      ["vtt", "text/vtt; charset=utf-8", "WEBVTT"],
      ["srt", "application/x-subrip; charset=utf-8", "1\n"],
      ["json", "application/json", "{"],
      ["html", "text/html; charset=utf-8", "<!DOCTYPE html>"],
    ] as const) {
      const answer = await open(urlOf(publication, format), { Origin: "https://player.example" })
      assert.deepStrictEqual([answer.status, answer.headers.get("content-type")], [200, type])
      isForAll(answer.headers)
      assert.strictEqual(answer.headers.get("cache-control"), "public, no-cache")
      assert.isNull(answer.headers.get("content-disposition"))
      assert.isTrue((await answer.text()).startsWith(beginning), format)
      const tag = answer.headers.get("etag") ?? ""
      const again = await open(urlOf(publication, format), { "If-None-Match": tag })
      assert.strictEqual(again.status, 304)
      isForAll(again.headers)
      assert.include(publication.tags.transcripts.join(), urlOf(publication, format))
    }
  })

  it("leaves a page that says so to people, and a problem to programs, once it is taken back", async () => {
    const id = await done({ url: "https://a.example/taken.mp3?seconds=20" })
    const url = urlOf(await publish(id), "html")
    await ask(`/api/v1/transcriptions/${id}/publication`, { method: "DELETE" })
    const page = await open(url, { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" })
    assert.deepStrictEqual([page.status, page.headers.get("content-type")], [404, "text/html; charset=utf-8"])
    const html = await page.text()
    assert.include(html, "There is no public transcript at this address.")
    const [, style = ""] = /href="(\.\.\/page-[^"]+)"/.exec(html) ?? []
    assert.strictEqual((await open(new URL(style, url).href)).status, 200)
    for (const accept of ["*/*", "application/json"])
      assert.include((await open(url, { Accept: accept })).headers.get("content-type"), "json", accept)
  })

  it("has a page whose policy allows its own files alone, and which are there for good", async () => {
    const publication = await publish(await done({ url: "https://a.example/page.mp3?seconds=20" }))
    const url = urlOf(publication, "html")
    const answer = await open(url)
    const html = await answer.text()
    assert.include(answer.headers.get("content-security-policy") ?? "", "default-src 'none'")
    assert.notInclude(answer.headers.get("content-security-policy") ?? "", "unsafe")
    assert.include(html, 'src="https://a.example/page.mp3?seconds=20"')
    for (const [, file = ""] of html.matchAll(/(?:src|href)="(\.\.\/page-[^"]+)"/g)) {
      const asset = await open(new URL(file, url).href)
      assert.strictEqual(asset.status, 200)
      assert.include(asset.headers.get("cache-control") ?? "", "immutable")
      assert.match(asset.headers.get("content-type") ?? "", /^text\/(?:css|javascript); charset=utf-8$/)
    }
    assert.lengthOf([...html.matchAll(/"\.\.\/page-/g)], 2)
  })

  it("does not tell the address of a recording that is not for everyone", async () => {
    for (const url of [
      "https://a.example/own.mp3?seconds=20&private",
      "https://a.example/paid.mp3?seconds=20&token-hash=x",
    ]) {
      const publication = await publish(await done({ url }))
      assert.notInclude(await (await open(urlOf(publication, "html"))).text(), "<audio")
    }
  })

  it("keeps its addresses when published again, has the formats named, and follows its transcript", async () => {
    const id = await done({ url: "https://a.example/again.mp3?seconds=20&title=Before" })
    const first = await publish(id)
    const again = await publish(id, { formats: ["html", "html"] })
    assert.deepStrictEqual(again.files, [first.files[3]])
    assert.strictEqual(again.published_at, first.published_at)
    assert.strictEqual((await open(urlOf(first, "vtt"))).status, 404)
    await ask(`/api/v1/transcriptions/${id}`, { method: "PATCH", body: { title: "After" } })
    const page = await (await open(urlOf(first, "html"))).text()
    assert.include(page, "<title>After</title>")
    assert.deepStrictEqual((await ask(`/api/v1/transcriptions/${id}/publication`)).body.title, "After")
  })

  it("has no summary from before a correction", async () => {
    const id = await done({ url: "https://a.example/fixed.mp3?seconds=90", summary: true, chapters: true })
    const publication = await publish(id)
    const before = await (await open(urlOf(publication, "html"))).text()
    assert.include(before, "<h2>Summary</h2>")
    assert.strictEqual((await open(urlOf(publication, "chapters"))).status, 200)
    const edit = { base_revision: 0, operations: [{ type: "text", line: 0, text: "We mend it" }] }
    const edited = await ask(`/api/v1/transcriptions/${id}/edits`, { method: "POST", body: edit })
    assert.strictEqual(edited.status, 200, JSON.stringify(edited.body))
    const after = await (await open(urlOf(publication, "html"))).text()
    assert.include(after, "We mend it")
    assert.notInclude(after, "<h2>Summary</h2>")
  })

  it("is gone at once when it is taken back, and with its job", async () => {
    const id = await done({ url: "https://a.example/back.mp3?seconds=20" })
    const first = await publish(id)
    const path = `/api/v1/transcriptions/${id}/publication`
    const back = await ask(path, { method: "DELETE" })
    assert.deepStrictEqual([back.status, back.body], [204, null])
    assert.strictEqual((await ask(path, { method: "DELETE" })).status, 204)
    assert.strictEqual((await ask(path)).status, 404)
    const gone = await open(urlOf(first, "vtt"))
    assert.strictEqual(gone.status, 404)
    isForAll(gone.headers)
    const second = await publish(id)
    assert.notStrictEqual(urlOf(second, "vtt"), urlOf(first, "vtt"))
    await ask(`/api/v1/transcriptions/${id}`, { method: "DELETE" })
    assert.strictEqual((await open(urlOf(second, "vtt"))).status, 404)
  })

  it("is not another account's to publish, to see or to take back", async () => {
    const id = await done({ url: "https://a.example/mine.mp3?seconds=20" })
    const publication = await publish(id)
    const { key: other } = await host.newKey()
    const path = `/api/v1/transcriptions/${id}/publication`
    for (const method of ["PUT", "GET", "DELETE"])
      assert.strictEqual((await ask(path, { method, as: other })).status, 404)
    assert.strictEqual((await open(urlOf(publication, "vtt"))).status, 200)
  })

  it("is refused before there is a transcript, and with formats that do not exist", async () => {
    const { body } = await ask("/api/v1/transcriptions", {
      method: "POST",
      body: { url: "https://a.example/failing.mp3?silent" },
    })
    const path = `/api/v1/transcriptions/${body.id}/publication`
    const early = await ask(path, { method: "PUT" })
    assert.deepStrictEqual([early.status, early.body.code], [409, "invalid_state"])
    for (const formats of [[], ["docx"], "vtt"]) {
      const refused = await ask(path, { method: "PUT", body: { formats } })
      assert.deepStrictEqual([refused.status, refused.body.code], [400, "invalid_request"])
    }
  })

  it("is found at no address that was not given out", async () => {
    for (const path of ["/p/short/transcript.vtt", `/p/${"A".repeat(22)}/transcript.vtt`, "/p/x", "/p/%00/a"])
      assert.strictEqual((await fetch(`${host.base}${path}`)).status, 404)
  })
})

describe("the published transcripts of a feed", () => {
  it("are one list with GUIDs and addresses, for hosts of podcasts", async () => {
    const feed = "https://a.example/feed?seconds=20"
    const publications = []
    for (const index of [0, 1]) {
      const id = await done({ url: feed, episode_index: index })
      publications.push(await publish(id))
    }
    const [first, second] = publications
    assert.deepStrictEqual(first.show, second.show)
    assert.strictEqual(first.show.feed_url, feed)
    const json = await open(first.show.json_url)
    isForAll(json.headers)
    const { episodes } = JSON.parse(await json.text())
    assert.sameMembers(
      episodes.map(({ guid }: { guid: string }) => guid),
      [first.guid, second.guid],
    )
    assert.sameDeepMembers(
      episodes.flatMap((each: { files: ReadonlyArray<{ url: string }> }) => each.files.map(({ url }) => url)),
      [...first.files, ...second.files].map(({ url }) => url),
    )
    const opml = await open(first.show.opml_url)
    const text = await opml.text()
    assert.include(opml.headers.get("content-type") ?? "", "text/x-opml")
    assert.include(text, urlOf(second, "vtt"))
    // A private feed has a secret in its address.
    assert.notInclude(text, feed)
    for (const { transcription_id: id } of publications)
      await ask(`/api/v1/transcriptions/${id}/publication`, { method: "DELETE" })
    assert.strictEqual((await open(first.show.json_url)).status, 404)
  })
})

describe("a signed link to an export", () => {
  it("is loaded by pages of any origin, and so is its refusal", async () => {
    const id = await done({ url: "https://a.example/link.mp3?seconds=20" })
    const { body } = await ask(`/api/v1/transcriptions/${id}/export-link`, {
      method: "POST",
      body: { format: "vtt" },
    })
    for (const [url, status] of [
      [String(body.url), 200],
      [`${body.url}0`, 403],
    ] as const) {
      const answer = await open(url, { Origin: "https://player.example" })
      assert.strictEqual(answer.status, status)
      isForAll(answer.headers)
    }
  })
})
