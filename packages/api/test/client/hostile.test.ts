import {
  AnswerError,
  ConnectionError,
  type Credits,
  InputError,
  ProblemError,
  TimeoutError,
} from "@earmark/api/client"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { callsOf } from "../../src/client/calls.js"
import { transcribe } from "../../src/client/transcribe.js"
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

const start = async (behaviours: ReadonlyArray<Behaviour>, options?: Parameters<typeof impatient>[1]) => {
  service = await startService(...behaviours)
  return { service, ...impatient(service.baseUrl, options) }
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it should have failed"),
    (error: unknown) => error,
  )

const balance: Credits = {
  balance: 1,
  held: 0,
  available: 1,
  is_paid: false,
  auto_reload: { enabled: false, threshold: 10, amount: 60, monthly_cap: null },
  features: { diarize: false, whole_feed: false, word_level_export: false },
}
const OK = json(balance)
const half: Behaviour = (response) => {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" })
  response.write('{"balance":')
  response.socket?.destroySoon()
}

describe("a service that misbehaves", () => {
  it("is asked again after a connection was dropped, a body cut in half, a proxy without a service", async () => {
    const badGateway: Behaviour = (response) => response.writeHead(502).end("<html>Bad gateway</html>")
    for (const trouble of [drop, half, badGateway, problem(503, "unavailable")]) {
      const { service, transport, pauses } = await start([trouble, OK])
      assert.deepStrictEqual(await callsOf(transport, "credits").get(), balance)
      assert.deepStrictEqual([service.asked.length, pauses.length], [2, 1])
      service.stop()
    }
  })

  it("is left alone for as long as Retry-After says", async () => {
    const { transport, pauses } = await start([problem(429, "rate_limited", { "Retry-After": "3" }), OK])
    await callsOf(transport, "credits").get()
    assert.deepStrictEqual(pauses, [3250])
  })

  it("is not waited for when it asks for more than a minute", async () => {
    const { service, transport } = await start([problem(429, "rate_limited", { "Retry-After": "3600" })])
    const error = await failure(callsOf(transport, "credits").get())
    assert.instanceOf(error, ProblemError)
    if (error instanceof ProblemError) {
      assert.deepStrictEqual([error.code, error.status, error.requestId], ["rate_limited", 429, "req_1"])
      assert.strictEqual(error.retryAfterSeconds, 3600)
    }
    assert.strictEqual(service.asked.length, 1)
  })

  it("gets pauses that grow, and then an error", async () => {
    const { service, transport, pauses } = await start([drop], { retries: 6 })
    assert.instanceOf(await failure(callsOf(transport, "credits").get()), ConnectionError)
    assert.deepStrictEqual(pauses, [375, 750, 1500, 3000, 6000, 6000])
    assert.strictEqual(service.asked.length, 7)
  })

  it("never sees a POST twice that is not safe to repeat, unless it was over a limit", async () => {
    const dropped = await start([drop, OK])
    assert.instanceOf(await failure(transcriptions(dropped.transport).cancel("tr_1")), ConnectionError)
    assert.strictEqual(dropped.service.asked.length, 1)
    dropped.service.stop()
    const limited = await start([problem(429, "rate_limited"), OK])
    await transcriptions(limited.transport).cancel("tr_1")
    assert.strictEqual(limited.service.asked.length, 2)
  })

  it("sees the same Idempotency-Key in each try of a call, and another in the next call", async () => {
    const { service, transport } = await start([drop, problem(409, "idempotency_in_progress"), OK])
    await transcriptions(transport).create({ url: "https://example.com/a.mp3" })
    await transcriptions(transport).create({ url: "https://example.com/a.mp3" })
    await transcriptions(transport).create({ url: "https://example.com/a.mp3" }, { idempotencyKey: "mine" })
    const keys = service.asked.map(({ headers }) => headers["idempotency-key"])
    assert.strictEqual(keys.length, 5)
    assert.strictEqual(new Set(keys.slice(0, 3)).size, 1)
    assert.strictEqual(new Set(keys).size, 3)
    assert.strictEqual(keys[4], "mine")
  })

  it("that hangs is left after the time allowed", async () => {
    for (const trouble of [
      hang,
      ((response) => response.writeHead(200, { "Content-Length": "9" }).write("{")) satisfies Behaviour,
    ]) {
      const { service, transport } = await start([trouble], { timeout: 150, retries: 0 })
      assert.instanceOf(await failure(callsOf(transport, "credits").get()), TimeoutError)
      service.stop()
    }
  })

  it("that is something else is told apart from it", async () => {
    const page: Behaviour = (response) => response.writeHead(200).end("<html>Sign in</html>")
    const redirect: Behaviour = (response) =>
      response.writeHead(308, { Location: "https://earmark.example/" }).end()
    for (const [trouble, sentence] of [
      [page, /Sign in/],
      [json([]), /is not an Earmark server/],
      [((response) => response.end('{"balance":')) satisfies Behaviour, /is not an Earmark server/],
      [redirect, /leads to https:\/\/earmark\.example\//],
      [((response) => response.writeHead(404).end("Cannot GET")) satisfies Behaviour, /404.*Cannot GET/],
    ] as const) {
      const { service, transport } = await start([trouble])
      const error = await failure(callsOf(transport, "credits").get())
      assert.instanceOf(error, AnswerError)
      if (error instanceof AnswerError) assert.match(error.message, sentence)
      assert.strictEqual(service.asked.length, 1)
      service.stop()
    }
  })

  it("is not asked at all with an id that would be another address", async () => {
    const { service, transport } = await start([OK])
    for (const id of ["", ".", ".."]) {
      // The address is made before the promise is: both ways of failing are one to whoever awaits.
      assert.instanceOf(await failure(transcriptions(transport).get(id)), InputError)
    }
    await transcriptions(transport).get("a/../b?c#d")
    assert.strictEqual(service.asked[0]?.url, "/api/v1/transcriptions/a%2F..%2Fb%3Fc%23d")
  })

  it("gets no request when the source is missing or its address is not http", async () => {
    const { service, transport } = await start([OK])
    // Without types, as plain JavaScript calls it.
    const { nothing, sources } = JSON.parse('{ "sources": [null, 7, "ftp://example.org/a.mp3"] }')
    for (const source of [nothing, ...sources])
      assert.instanceOf(await failure(transcribe(transport, source, {}, {})), InputError)
    assert.isEmpty(service.asked)
  })

  it("is left at once when the caller says so, with the reason of the caller", async () => {
    const { transport } = await start([hang])
    const reason = new Error("enough")
    const controller = new AbortController()
    const calls = [
      callsOf(transport, "credits").get({ signal: controller.signal }),
      transcriptions(transport).export("tr_1", { format: "srt" }, { signal: controller.signal }).text(),
    ].map(failure)
    setTimeout(() => controller.abort(reason), 20)
    assert.deepStrictEqual(await Promise.all(calls), [reason, reason])
    assert.strictEqual(
      await failure(callsOf(transport, "credits").get({ signal: controller.signal })),
      reason,
    )
  })
})
