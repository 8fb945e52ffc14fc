import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeWav } from "@earmark/core/audio"
import { conversation } from "@earmark/testkit"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { because } from "../../servers/because.js"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { type PostgresServer, postgresMissing, startPostgres } from "../../servers/postgresServer.js"
import { exited } from "../../servers/processes.js"
import { follow, type ServerEvent } from "./eventStream.js"
import { clientOf, ffmpegMissing, until } from "./world.js"

const JOBS = "/api/v1/transcriptions"

/** Several windows for the engine, each of which takes its time. */
const SLOW = { EARMARK_SCRIPTED: "delay=400-500", EARMARK_ACCOUNT_CONCURRENCY: "20" }

const media = writeWav(conversation({ speakers: 1, turns: 24, seconds: [3, 5] }).samples)

let web: Server
let base: string

beforeAll(async () => {
  web = createServer(({ url }, response) => {
    if (url === "/silent.wav") return
    response.writeHead(200, { "Content-Type": "audio/wav" }).end(media)
  })
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", () => resolve()))
  const address: AddressInfo | string | null = web.address()
  base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
})

afterAll(() => {
  web?.closeAllConnections()
  web?.close()
})

const isLine = ({ event }: ServerEvent) => event === "segment"
const isEnd = ({ event }: ServerEvent) => event === "done" || event === "failed"

const wordsOf = (events: ReadonlyArray<ServerEvent>) =>
  events
    .filter(isLine)
    .map(({ data }) => data.text)
    .join(" ")
    .split(/\s+/)

/** Every line once, in order, and all that the transcript holds. */
const assertWhole = (events: ReadonlyArray<ServerEvent>, text: unknown) => {
  const lines = events.filter(isLine)
  assert.deepStrictEqual(
    lines.map(({ data }) => data.index),
    lines.map((_, index) => index),
  )
  assert.deepStrictEqual(wordsOf(events), String(text).split(/\s+/))
}

describe.skipIf(ffmpegMissing !== null)(`following a transcription${because(ffmpegMissing)}`, () => {
  let server: EarmarkServer
  let folder: string
  let call: ReturnType<typeof clientOf>
  let places = 0

  const start = async () => {
    server = await startEarmark({ ...SLOW, EARMARK_DATA_DIR: folder, EARMARK_LEASE_SECONDS: "2" })
    call = clientOf(server)
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "earmark-events-"))
    await start()
  }, 60_000)

  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  const create = async () => (await call(JOBS, { body: { url: `${base}/${++places}.wav` } })).body.id
  const textOf = async (id: unknown) => (await call(`${JOBS}/${id}`)).body.text

  it("tells progress, every line as it is recognised, and the end, and closes", async () => {
    const id = await create()
    const stream = await follow(server, id)
    assert.strictEqual(stream.status, 200)
    assert.strictEqual(stream.headers["content-type"], "text/event-stream; charset=utf-8")
    assert.strictEqual(stream.headers["x-accel-buffering"], "no")
    assert.isTrue(await stream.ended)
    assert.match(stream.text(), /^retry: \d+\n\n/)
    const events = stream.events()
    const phases = events.filter(({ event }) => event === "progress").map(({ data }) => data.phase)
    assert.include(phases, "transcribing")
    const progress = events
      .filter(({ event }) => event === "progress")
      .map(({ data }) => Number(data.progress))
    assert.deepStrictEqual(
      progress,
      [...progress].sort((left, right) => left - right),
    )
    const end = events.at(-1)
    assert.deepStrictEqual(end?.data, { id, status: "done", url: `${JOBS}/${id}`, failure: null })
    assert.isTrue(
      isLine(events.find((event) => isLine(event) || isEnd(event)) ?? { id: "", event: "", data: {} }),
    )
    assertWhole(events, await textOf(id))
    const lines = events.filter(isLine)
    assert.strictEqual(new Set(lines.map((line) => line.id)).size, lines.length)
    // Progress counts the lines before it. Once their stretch of sound is over, it also stands at the end of that.
    const toldBy = (place: string) => ({ lines: place.split("-")[1], until: Number(place.split("-")[4]) })
    for (const [index, { event, id: place }] of events.entries()) {
      const before = events.slice(0, index).findLast(isLine)
      if (event !== "progress" || before === undefined) continue
      assert.strictEqual(toldBy(place).lines, toldBy(before.id).lines, "says how many lines were sent")
      assert.isAtLeast(toldBy(place).until, toldBy(before.id).until)
    }
  }, 60_000)

  it("tells lines before the job has ended", async () => {
    const id = await create()
    const stream = await follow(server, id)
    assert.isNotNull(await stream.until(isLine))
    assert.strictEqual((await call(`${JOBS}/${id}`)).body.status, "queued")
    stream.leave()
  }, 60_000)

  it("a job that has ended is told at once; who was told its end is not told again", async () => {
    const id = await create()
    const first = await follow(server, id)
    await first.ended
    const again = await follow(server, id)
    assert.isTrue(await again.ended)
    assertWhole(again.events(), await textOf(id))
    const [middle] = again.events().filter(isLine)
    const rest = await follow(server, id, { "Last-Event-ID": middle?.id ?? "" })
    await rest.ended
    assertWhole([...(middle === undefined ? [] : [middle]), ...rest.events()], await textOf(id))
    const places = (stream: Pick<typeof rest, "events">) =>
      stream
        .events()
        .filter(isLine)
        .map((line) => line.id)
    assert.deepStrictEqual(places(rest), places(again).slice(1), "a line keeps its id over reconnects")
    const nothing = await follow(server, id, { "Last-Event-ID": again.events().at(-1)?.id ?? "" })
    assert.strictEqual(nothing.status, 204)
    const rubbish = await follow(server, id, { "Last-Event-ID": "1; DROP TABLE job" })
    await rubbish.ended
    assertWhole(rubbish.events(), await textOf(id))
  }, 60_000)

  it("a deleted job ends as canceled, a foreign one does not exist, and JSON is not what is answered", async () => {
    const id = await create()
    const stream = await follow(server, id)
    await stream.until(({ event }) => event === "progress")
    assert.strictEqual((await call(`${JOBS}/${id}`, { method: "DELETE" })).status, 204)
    assert.isTrue(await stream.ended)
    assert.deepStrictEqual(stream.events().at(-1)?.data.failure, { code: "canceled" })
    assert.strictEqual((await call(`${JOBS}/${id}/events`)).status, 404)
    const wrong = await call(`${JOBS}/${id}/events`, { headers: { Accept: "application/json" } })
    assert.strictEqual(wrong.body.code, "not_acceptable")
    assert.strictEqual((await call(`${JOBS}/${id}/events`, { key: null })).status, 401)
  }, 60_000)

  it("where nothing happens says so every 15 seconds, and ends when its key is good no more", async () => {
    const { id } = (await call(JOBS, { body: { url: `${base}/silent.wav` } })).body
    const made = (await call("/api/v1/keys", { body: { name: "short" } })).body
    const mine = await follow(server, id)
    const theirs = await follow({ baseUrl: server.baseUrl, key: String(made.key) }, id)
    assert.strictEqual((await call(`/api/v1/keys/${made.id}`, { method: "DELETE" })).status, 204)
    const began = performance.now()
    assert.isTrue(await theirs.ended)
    assert.isAtLeast(performance.now() - began, 10_000)
    await until(
      async () => mine.text(),
      (text) => text.includes(": still here\n\n"),
    )
    assert.notInclude(theirs.text(), ": still here")
    mine.leave()
    await call(`${JOBS}/${id}`, { method: "DELETE" })
  }, 30_000)

  it("a key has ten streams and thirty waiting reads; whoever leaves makes room at once", async () => {
    // Of a job that goes on for as long as this takes.
    const { id } = (await call(JOBS, { body: { url: `${base}/silent.wav` } })).body
    const streams = await Promise.all(Array.from({ length: 10 }, () => follow(server, id)))
    assert.deepStrictEqual([...new Set(streams.map(({ status }) => status))], [200])
    const refused = await call(`${JOBS}/${id}/events`)
    assert.deepStrictEqual([refused.status, refused.body.code], [429, "rate_limited"])
    assert.isAtLeast(Number(refused.headers.get("retry-after")), 1)
    const leaving = new AbortController()
    const waits = Array.from({ length: 30 }, () =>
      fetch(`${server.baseUrl}${JOBS}/${id}?wait=60`, {
        headers: { Authorization: `Bearer ${server.key}` },
        signal: leaving.signal,
      }).catch(() => null),
    )
    const isFull = async () => (await call(`${JOBS}/${id}?wait=1`)).status === 429
    while (!(await isFull())) await new Promise((resolve) => setTimeout(resolve, 20))
    leaving.abort()
    await Promise.all(waits)
    for (const stream of streams) stream.leave()
    while (await isFull()) await new Promise((resolve) => setTimeout(resolve, 20))
    let next = await follow(server, id)
    while (next.status === 429) next = await follow(server, id)
    assert.strictEqual(next.status, 200)
    next.leave()
    await call(`${JOBS}/${id}`, { method: "DELETE" })
  }, 60_000)

  it("goes on after the service was killed, and after it was told to stop", async () => {
    const id = await create()
    const seen: Array<ServerEvent> = []
    const first = await follow(server, id)
    await first.until(isLine)
    server.child.kill("SIGKILL")
    assert.isFalse(await first.ended)
    seen.push(...first.events())
    await exited(server.child)
    await start()
    const second = await follow(server, id, { "Last-Event-ID": seen.at(-1)?.id ?? "" })
    await second.until(isLine)
    server.child.kill("SIGTERM")
    assert.isTrue(await second.ended, "a stop ends streams as they should end")
    seen.push(...second.events())
    await exited(server.child)
    await start()
    const third = await follow(server, id, { "Last-Event-ID": seen.at(-1)?.id ?? "" })
    assert.isTrue(await third.ended)
    seen.push(...third.events())
    assert.strictEqual(seen.at(-1)?.event, "done")
    assertWhole(seen, await textOf(id))
  }, 60_000)
})

describe.skipIf(ffmpegMissing !== null || postgresMissing !== null)(
  `following a job of another process${because(ffmpegMissing, postgresMissing)}`,
  () => {
    let postgres: PostgresServer
    const servers: Array<EarmarkServer> = []

    afterAll(async () => {
      for (const server of servers) await server.stop()
      await postgres?.stop()
    }, 60_000)

    it("works on Postgres with a worker elsewhere, and goes on at the next process", async () => {
      postgres = await startPostgres()
      const shared = {
        ...SLOW,
        EARMARK_DATABASE_URL: await postgres.newDatabase(),
        EARMARK_SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
      }
      const first = await startEarmark({ ...shared, EARMARK_ROLE: "api" })
      servers.push(first)
      const others = { ...shared, EARMARK_DATA_DIR: first.environment.EARMARK_DATA_DIR ?? "" }
      const second = await startEarmark({ ...others, EARMARK_ROLE: "api" })
      servers.push(second)
      servers.push(await startEarmark({ ...others, EARMARK_ROLE: "worker" }))
      const call = clientOf(second)
      const { id } = (await call(JOBS, { body: { url: `${base}/100.wav` } })).body
      const begun = await follow(first, id)
      await begun.until(isLine)
      first.child.kill("SIGKILL")
      await begun.ended
      const seen = [...begun.events()]
      const rest = await follow(second, id, { "Last-Event-ID": seen.at(-1)?.id ?? "" })
      assert.isTrue(await rest.ended)
      seen.push(...rest.events())
      assertWhole(seen, (await call(`${JOBS}/${id}`)).body.text)
      assert.isAbove(begun.events().filter(isLine).length, 0)
    }, 60_000)
  },
)
