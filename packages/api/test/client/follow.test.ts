import { AnswerError, ConnectionError, TimeoutError } from "@earmark/api/client"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { serverSentEvents } from "../../src/client/eventStream.js"
import { waitFor } from "../../src/client/follow.js"
import { transcriptions } from "../../src/client/transcriptions.js"
import {
  type Behaviour,
  drop,
  hang,
  impatient,
  json,
  problem,
  type Service,
  startService,
} from "./service.js"

let service: Service | undefined

afterEach(() => service?.stop())

const start = async (...behaviours: ReadonlyArray<Behaviour>) => {
  service = await startService(...behaviours)
  return { service, ...impatient(service.baseUrl, { timeout: 1000 }) }
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it should have failed"),
    (error: unknown) => error,
  )

const QUEUED = json({ id: "tr_1", status: "queued", phase: "transcribing", progress: 0.5 })
const DONE = json({ id: "tr_1", status: "done", text: "Words." })

describe("waiting", () => {
  it("looks again until the job has ended, over a service that restarts", async () => {
    const { service, transport } = await start(QUEUED, drop, problem(503, "unavailable"), QUEUED, DONE)
    const seen: Array<number> = []
    const ended = await waitFor(transport, "tr_1", { onProgress: ({ progress }) => seen.push(progress) })
    assert.strictEqual(ended.status, "done")
    assert.deepStrictEqual(seen, [0.5, 0.5])
    assert.deepStrictEqual(
      service.asked.map(({ url }) => url),
      Array.from({ length: 5 }, () => "/api/v1/transcriptions/tr_1?wait=3"),
    )
  })

  it("pauses where a service answers at once that the job still runs", async () => {
    const { pauses, transport } = await start(QUEUED, DONE)
    await waitFor(transport, "tr_1")
    assert.strictEqual(pauses.length, 1)
    assert.approximately(pauses[0] ?? 0, 900, 100)
  })

  it("ends when the time is over, whatever the service does", async () => {
    for (const behaviour of [hang, QUEUED]) {
      const { service, transport } = await start(behaviour)
      // As long as the time allowed for a try: the clock of the test lets such times pass as they are.
      const error = await failure(waitFor(transport, "tr_1", { timeout: 1000 }))
      assert.instanceOf(error, TimeoutError)
      service.stop()
    }
  })
})

const chunked = async function* (text: string, size: number) {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

const read = async (text: string, size: number) => {
  const events: Array<unknown> = []
  for await (const event of serverSentEvents(chunked(text, size))) events.push(event)
  return events
}

describe("server-sent events", () => {
  it("are the same however the bytes are cut, and with every line end", async () => {
    const text =
      '\uFEFF: hello\nid: 7\nevent: segment\ndata: {"text":"Zoë"}\ndata: 2\n\n\n:\n\ndata:  x\nretry: 5\nnothing\n\nevent: cut\ndata: 1\n'
    const expected = [
      { event: "segment", data: '{"text":"Zoë"}\n2', id: "7" },
      { event: "message", data: " x", id: "7" },
    ]
    for (const end of ["\n", "\r\n", "\r"]) {
      for (const size of [1, 2, 3, 7, 1000]) {
        assert.deepStrictEqual(await read(text.replaceAll("\n", end), size), expected, `${size}`)
      }
    }
  })

  it("an event without end does not eat the memory", async () => {
    const endless = async function* () {
      const line = new TextEncoder().encode(`data: ${"x".repeat(1024 * 1024)}\n`)
      for (;;) yield line
    }
    const error = await failure(
      (async () => {
        for await (const _ of serverSentEvents(endless())) assert.fail("an event")
      })(),
    )
    assert.match(String(error), /too long/)
  })
})

const events =
  (...lines: ReadonlyArray<string>): Behaviour =>
  (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" })
    response.end(lines.map((line) => `${line}\n\n`).join(""))
  }

const SEGMENT = 'id: 1\nevent: segment\ndata: {"index":0,"text":"One."}'
const NEXT = 'id: 2\nevent: segment\ndata: {"index":1,"text":"Two."}'
const END = 'id: 3\nevent: done\ndata: {"id":"tr_1","status":"done"}'

describe("following the events of a job", () => {
  it("goes on where a connection broke, and ends with the job", async () => {
    const broken: Behaviour = (response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" })
      response.write(`${SEGMENT}\n\nevent: segment\ndata: {"ind`, () => response.destroy())
    }
    const { service, transport } = await start(
      broken,
      drop,
      problem(503, "unavailable"),
      events(": alive", "event: of the future\ndata: ?", NEXT, END),
    )
    const seen: Array<string> = []
    for await (const { type, id } of transcriptions(transport).events("tr_1")) seen.push(`${type} ${id}`)
    assert.deepStrictEqual(seen, ["segment 1", "segment 2", "done 3"])
    assert.deepStrictEqual(
      service.asked.map(({ headers }) => headers["last-event-id"]),
      [undefined, "1", "1", "1"],
    )
    assert.strictEqual(service.asked[0]?.headers.accept, "text/event-stream")
  })

  it("gives up on a stream that never says anything, and on one that is no stream", async () => {
    const follow = async (transport: Parameters<typeof transcriptions>[0]) => {
      for await (const _ of transcriptions(transport).events("tr_1", { retries: 2 }));
    }
    const silent = await start(events(": alive"))
    assert.instanceOf(await failure(follow(silent.transport)), ConnectionError)
    assert.strictEqual(silent.service.asked.length, 3)
    silent.service.stop()
    const garbled = await start(events("event: progress\ndata: {"))
    assert.instanceOf(await failure(follow(garbled.transport)), AnswerError)
  })

  it("closes the connection when the loop is left", async () => {
    let closed = 0
    const open: Behaviour = (response) => {
      response.on("close", () => {
        closed += 1
      })
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write(`${SEGMENT}\n\n`)
    }
    const { transport } = await start(open)
    for await (const _ of transcriptions(transport).events("tr_1")) break
    const until = Date.now() + 5000
    while (closed === 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.strictEqual(closed, 1)
  })
})
