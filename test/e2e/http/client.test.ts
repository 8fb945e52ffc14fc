import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EarmarkClient, InputError, ProblemError } from "@earmark/api/client"
import { EarmarkClient as Effectful } from "@earmark/api/effect"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Chunk, DateTime, Effect, Redacted, Stream } from "effect"
import { because } from "../../servers/because.js"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { ffmpegMissing, recording, startWeb, type Web } from "./world.js"

let server: EarmarkServer
let web: Web
let earmark: EarmarkClient
let folder: string

beforeAll(async () => {
  server = await startEarmark()
  web = await startWeb()
  earmark = new EarmarkClient({ baseUrl: `${server.baseUrl}/`, apiKey: server.key })
  folder = mkdtempSync(join(tmpdir(), "earmark-client-"))
}, 120_000)

afterAll(async () => {
  web?.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  await server?.stop()
}, 60_000)

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it should have failed"),
    (error: unknown) => error,
  )

describe.skipIf(ffmpegMissing !== null)(`the client and the service${because(ffmpegMissing)}`, () => {
  it("from a file on disk to text, and to a file of captions", async () => {
    const path = join(folder, "talk.wav")
    const bytes = recording(61)
    writeFileSync(path, bytes)
    const seen: Array<number> = []
    const done = await earmark.transcribe(
      path,
      { title: "Talk", metadata: { shelf: "7" } },
      { onUpload: ({ sent, total }) => seen.push(sent / total) },
    )
    assert.deepStrictEqual([done.status, done.title, done.source.kind], ["done", "Talk", "upload"])
    assert.isNotEmpty(done.text)
    assert.strictEqual(seen.at(-1), 1)
    const exporting = earmark.transcriptions.export(done.id, { format: "srt" })
    assert.match(await exporting.text(), /^1\n00:00:0\d,\d{3} --> /)
    const file = await earmark.transcriptions.export(done.id, { format: "txt", speakers: false })
    assert.strictEqual(file.filename, "talk.txt")
    assert.strictEqual(file.contentType, "text/plain; charset=utf-8")
    assert.isAbove((await file.bytes()).length, 10)
  })

  it("uploads bytes, blobs and streams, and tells of a source that is not what was announced", async () => {
    const bytes = recording(62)
    const path = join(folder, "stream.wav")
    writeFileSync(path, bytes)
    const facts = { filename: "a.wav", bytes: bytes.length }
    for (const source of [bytes, new Blob([bytes], { type: "audio/wav" }), createReadStream(path)]) {
      const { media_ref } = await earmark.upload(source, facts)
      assert.match(media_ref, /^uploads\/acct_\w+\/.+\.wav$/)
    }
    for (const wrong of [bytes.length - 1, bytes.length + 1]) {
      const error = await failure(earmark.upload(createReadStream(path), { ...facts, bytes: wrong }))
      assert.instanceOf(error, InputError)
    }
    assert.instanceOf(await failure(earmark.upload(join(folder, "none.wav"))), InputError)
  })

  it("a repeat of a whole call with the same key makes nothing twice", async () => {
    const source = new Blob([recording(63)], { type: "audio/wav" })
    const once = () => earmark.transcribe(source, {}, { idempotencyKey: "talk-63" })
    const [first, again] = [await once(), await once()]
    assert.strictEqual(again.id, first.id)
  })

  it("lists page by page, and item by item over all pages", async () => {
    for (const number of [64, 65, 66]) {
      await earmark.transcribe(`${web.base}/${number}.wav`, { metadata: { list: "yes" } })
    }
    const query = { limit: 2, metadata: { list: "yes" } }
    const page = await earmark.transcriptions.list(query)
    assert.deepStrictEqual([page.data.length, page.has_more], [2, true])
    const ids: Array<string> = []
    for await (const { id } of earmark.transcriptions.list(query)) ids.push(id)
    assert.strictEqual(new Set(ids).size, 3)
    const sizes: Array<number> = []
    for await (const { data } of earmark.transcriptions.list(query).pages()) sizes.push(data.length)
    assert.deepStrictEqual(sizes, [2, 1])
  })

  it("buys, reads what was bought, and lists it", async () => {
    const bought = await earmark.credits.purchase({ credits: 5 })
    assert.deepStrictEqual(await earmark.credits.getPurchase(bought.id), bought)
    const seen: Array<string> = []
    for await (const { id } of earmark.credits.purchases({ limit: 1 })) seen.push(id)
    assert.deepStrictEqual(seen, [bought.id])
    const unknown = await failure(earmark.credits.getPurchase("pur_nothing"))
    assert.strictEqual(unknown instanceof ProblemError && unknown.code, "not_found")
    assert.deepStrictEqual(await earmark.credits.cancelPurchase(bought.id), { ...bought, state: "canceled" })
  })

  it("problems are errors with their code", async () => {
    const error = await failure(earmark.transcriptions.get("tr_nothing"))
    assert.instanceOf(error, ProblemError)
    if (error instanceof ProblemError) {
      assert.deepStrictEqual([error.code, error.status], ["not_found", 404])
      assert.match(error.requestId ?? "", /^req_/)
    }
    const stranger = new EarmarkClient({ baseUrl: server.baseUrl, apiKey: "em_live_nobody" })
    const refused = await failure(stranger.credits.get())
    assert.strictEqual(refused instanceof ProblemError && refused.code, "unauthorized")
    assert.deepStrictEqual(await earmark.host.readyz(), { status: "ok" })
  })

  it("every call of the Effect form answers what is declared", async () => {
    const program = Effect.gen(function* () {
      const client = yield* Effectful
      const done = yield* client.transcribe(`${web.base}/67.wav`, { title: "Effect" })
      const listed = yield* client.transcriptions.list
        .all({ limit: 2 })
        .pipe(Stream.take(3), Stream.runCollect)
      const srt = yield* client.transcriptions.export(done.id, { format: "srt" }).text
      const unknown = yield* Effect.flip(client.transcriptions.get("tr_nothing"))
      const { available } = yield* client.credits.get()
      const bought = yield* client.credits.purchases.all().pipe(Stream.runCollect)
      const [first] = Chunk.toReadonlyArray(bought)
      assert.deepStrictEqual(yield* client.credits.getPurchase(first?.id ?? ""), first)
      return { done, listed, srt, unknown, available }
    })
    const layer = Effectful.layer({ baseUrl: server.baseUrl, apiKey: Redacted.make(server.key) })
    const { done, listed, srt, unknown, available } = await Effect.runPromise(Effect.provide(program, layer))
    assert.strictEqual(done.status, "done")
    assert.isTrue(DateTime.isDateTime(done.createdAt))
    assert.strictEqual(Chunk.size(listed), 3)
    assert.match(srt, /^1\n00:00:/)
    assert.strictEqual(unknown._tag === "ProblemError" && unknown.code, "not_found")
    assert.isAbove(available, 0)
  })
})
