/** Corrections over a real socket: the problems, the tags and the pages that clients see. */
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
  readonly body?: unknown
  readonly method?: string
  readonly headers?: Record<string, string>
}

const ask = async (
  path: string,
  { body, method = body === undefined ? "GET" : "POST", headers }: Sent = {},
) => {
  const answer = await fetch(`${host.base}/api/v1/transcriptions${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await answer.text()
  const isJson = answer.headers.get("content-type")?.includes("json") === true
  return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null }
}

const transcribed = async (name: string) => {
  const { body } = await ask("", { body: { url: `https://a.example/${name}.mp3?seconds=30` } })
  const job = await ask(`/${body.id}?wait=30`)
  assert.strictEqual(job.body.status, "done", job.text)
  return String(body.id)
}

const correct = (id: string, base_revision: number, operations: ReadonlyArray<unknown>, headers = {}) =>
  ask(`/${id}/edits`, { body: { base_revision, operations }, headers })

describe("corrections on the wire", () => {
  it("change the record, its tag and its exports; a revision that is named stays as it was", async () => {
    const id = await transcribed("one")
    const heard = await ask(`/${id}`)
    assert.strictEqual(heard.body.revision, 0)
    const made = await correct(id, 0, [{ type: "text", line: 0, text: "Corrected." }])
    assert.deepStrictEqual(made.body, { revision: 1, lines: heard.body.segments.length })
    const tag = heard.headers.get("etag") ?? ""
    const newest = await ask(`/${id}`, { headers: { "If-None-Match": tag } })
    assert.strictEqual(newest.status, 200)
    assert.strictEqual(newest.body.segments[0].text, "Corrected.")
    assert.isTrue(newest.body.segments[0].edited)
    const before = await ask(`/${id}?revision=0`)
    assert.deepStrictEqual(before.body.segments, heard.body.segments)
    assert.include((await ask(`/${id}/export?format=txt`)).text, "Corrected.")
    assert.notInclude((await ask(`/${id}/export?format=txt&revision=0`)).text, "Corrected.")
    const unknown = await ask(`/${id}?revision=7`)
    assert.deepInclude(unknown.body, {
      status: 404,
      code: "not_found",
      detail: "The transcript has no revision 7; the newest is 1.",
    })
    assert.strictEqual((await ask(`/${id}?revision=-1`)).status, 400)
  })

  it("remove lines, but never the last one, and undo puts them back", async () => {
    const id = await transcribed("removed")
    const { segments } = (await ask(`/${id}`)).body
    assert.isAtLeast(segments.length, 2)
    const remove = { type: "remove", line: 0 }
    const all = await correct(
      id,
      0,
      segments.map(() => remove),
    )
    assert.deepInclude(all.body, { status: 422, code: "invalid_edit" })
    assert.strictEqual(all.body.errors[0].pointer, `#/operations/${segments.length - 1}`)
    assert.match(all.body.detail, /Cannot remove the only line\. A transcript keeps at least one\.$/)
    const made = await correct(id, 0, [remove])
    assert.deepStrictEqual(made.body, { revision: 1, lines: segments.length - 1 })
    assert.deepStrictEqual((await ask(`/${id}`)).body.segments, segments.slice(1))
    const [listed] = (await ask(`/${id}/edits`)).body.data
    assert.deepStrictEqual(listed.changes, [remove])
    const undone = await ask(`/${id}/edits/1/undo`, { method: "POST" })
    assert.deepStrictEqual(undone.body, { revision: 2, lines: segments.length })
    assert.deepStrictEqual((await ask(`/${id}`)).body.segments, segments)
    await correct(id, 2, Array(segments.length - 1).fill({ type: "remove", line: 1 }))
    const none = await ask(`/${id}/edits/2/undo`, { method: "POST" })
    assert.deepInclude(none.body, { status: 409, code: "invalid_state" })
  })

  it("are refused with the newest revision, or the place of the operation", async () => {
    const id = await transcribed("two")
    await correct(id, 0, [{ type: "text", line: 0, text: "Corrected." }])
    const conflict = await correct(id, 0, [{ type: "merge", line: 0 }])
    assert.deepInclude(conflict.body, { status: 409, code: "revision_conflict", revision: 1 })
    const bad = await correct(id, 1, [
      { type: "text", line: 0, text: "Fine." },
      { type: "text", line: 100_000, text: "Nowhere." },
    ])
    assert.deepInclude(bad.body, { status: 422, code: "invalid_edit" })
    assert.strictEqual(bad.body.errors[0].pointer, "#/operations/1", bad.text)
    assert.match(bad.body.detail, /^Operation 2: There is no line 100000; the transcript has /)
    const malformed = await correct(id, 1, [{ type: "text", line: 0 }])
    assert.strictEqual(malformed.status, 400, malformed.text)
    assert.match(malformed.body.errors[0].pointer, /^#\/operations\/0/)
    const many = await correct(
      id,
      1,
      Array.from({ length: 1001 }, () => ({ type: "merge", line: 0 })),
    )
    assert.include(many.text, "at most 1000 operations; send the others as the next revision")
    assert.strictEqual((await ask(`/${id}`)).body.revision, 1)
  })

  it("are repeated safely, listed page by page and undone", async () => {
    const id = await transcribed("three")
    const once = { "Idempotency-Key": "correct-three" }
    const operations = [{ type: "speaker", line: 0, speaker: "Ann" }]
    const first = await correct(id, 0, operations, once)
    const again = await correct(id, 0, operations, once)
    assert.deepStrictEqual(again.body, first.body)
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    const undone = await ask(`/${id}/edits/1/undo`, { method: "POST" })
    assert.strictEqual(undone.body.revision, 2, undone.text)
    const page = await ask(`/${id}/edits?limit=1`)
    assert.deepInclude(page.body.data[0], { revision: 2, operations: 0, undoes: 1 })
    assert.isTrue(page.body.has_more)
    const next = await ask(`/${id}/edits?limit=1&cursor=${page.body.next_cursor}`)
    assert.deepInclude(next.body.data[0], { revision: 1, operations: 1, undoes: null })
    assert.match(next.body.data[0].made_by.key_id, /^key_/)
    assert.strictEqual((await ask(`/${id}/edits/9/undo`, { method: "POST" })).status, 404)
    const twice = await ask(`/${id}/edits/1/undo`, { method: "POST" })
    assert.deepInclude(twice.body, { status: 409, code: "invalid_state" })
  })
})
