// Requests that bring a recording and wait for its text: what becomes of those that cannot wait to the end.
import { request as httpRequest } from "node:http"
import { afterAll, assert, beforeAll, describe, it, onTestFinished } from "@effect/vitest"
import { type Host, type HostOptions, startHost } from "./agents/world.js"

/** A host that works on jobs, and a key of one of its accounts. */
const startWith = async (options: HostOptions) => {
  const host = await startHost({ product: {}, ...options })
  onTestFinished(host.stop)
  const { key } = await host.newKey()
  const headers = { Authorization: `Bearer ${key}` }

  const send = (fields: Readonly<Record<string, string>> = {}, init: RequestInit = {}, bytes = "speech") => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    body.set("file", new Blob([bytes], { type: "audio/wav" }), "speech.wav")
    return fetch(`${host.base}/v1/audio/transcriptions`, { method: "POST", body, headers, ...init })
  }

  const read = async (path: string): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${host.base}/api/v1/transcriptions${path}`, { headers })
    return Object(await answer.json())
  }

  /** The newest job, once it stands so. */
  const jobThat = async (status: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const { data } = await read("?limit=1")
      const [job] = Array.isArray(data) ? data : []
      if (job?.status === status) return job
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return { ...host, headers, send, read, jobThat }
}

const ID = /tr_[a-z0-9]+/

const refusalIn = async (answer: Response) => {
  const { error } = Object(await answer.json())
  return { status: answer.status, code: error.code, type: error.type, message: String(error.message), answer }
}

describe("a request that waits for its text", () => {
  it("is told which transcription goes on when it has waited for too long, and not to send the file again", async () => {
    const { send, read } = await startWith({ hearsFor: 60_000, longestWait: "300 millis" })
    const { answer, message, ...refused } = await refusalIn(await send())
    assert.deepInclude(refused, { status: 503, code: "unavailable", type: "server_error" })
    assert.strictEqual(answer.headers.get("x-should-retry"), "false")
    const [id = ""] = ID.exec(message) ?? []
    assert.strictEqual((await read(`/${id}`)).status, "queued")
    const streamed = await send({ stream: "true" })
    assert.strictEqual(streamed.status, 200)
    assert.match(await streamed.text(), /\{"error":\{"message":"The transcription tr_\w+ is not finished/)
  })

  it("loses its answer and not its job when the client leaves, and the place is free again", async () => {
    const { send, jobThat } = await startWith({ hearsFor: 400, slots: { waitingReads: 1 } })
    const leaving = new AbortController()
    const left = send({}, { signal: leaving.signal }).catch((error: unknown) => error)
    const { id } = await jobThat("queued")
    const many = await refusalIn(await send())
    assert.deepInclude(many, { status: 429, code: "rate_limited", type: "rate_limit_error" })
    assert.strictEqual(many.answer.headers.get("retry-after"), "5")
    leaving.abort()
    await left
    assert.strictEqual((await jobThat("done")).id, id)
    const again = await send()
    assert.strictEqual(again.status, 200, await again.text())
  })

  it("is answered when the server stops, with the id of its transcription", async () => {
    const { send, jobThat, stop } = await startWith({ hearsFor: 60_000 })
    const waiting = send()
    await jobThat("queued")
    const [{ answer, ...refused }] = await Promise.all([waiting.then(refusalIn), stop()])
    assert.deepInclude(refused, { status: 503, code: "unavailable" })
    assert.match(refused.message, ID)
    assert.strictEqual(answer.headers.get("retry-after"), "1")
  })

  it("does not wait for credits", async () => {
    const { newKey, send } = await startWith({ freeCredits: 1 })
    const ask = async () => send({}, { headers: { Authorization: `Bearer ${(await newKey()).key}` } })
    let answer = await ask()
    // How long a scripted recording is follows from its reference: some are no longer than one credit.
    while (answer.status === 200) answer = await ask()
    const refused = await refusalIn(answer)
    assert.deepInclude(refused, { status: 402, code: "out_of_credits", type: "insufficient_quota" })
    assert.match(refused.message, ID)
  })

  it("hears that it is worked on where its client is known to understand that, and no proxy is in between", async () => {
    const { base, headers } = await startWith({ hearsFor: 60_000, longestWait: "1 second" })
    const words = (more: Readonly<Record<string, string>>) =>
      new Promise<number>((resolve, reject) => {
        let count = 0
        const request = httpRequest(`${base}/v1/audio/transcriptions`, {
          method: "POST",
          headers: { ...headers, ...more, "Content-Type": "multipart/form-data; boundary=b" },
        })
        request.on("information", ({ statusCode }) => {
          if (statusCode === 102) count += 1
        })
        request.once("error", reject).once("response", (answer) => {
          answer.resume()
          assert.strictEqual(answer.statusCode, 503)
          resolve(count)
        })
        request.end(
          '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nspeech\r\n--b--\r\n',
        )
      })
    assert.isAbove(await words({ "User-Agent": "OpenAI/JS 6.49.0" }), 1)
    assert.isAbove(
      await words({ "User-Agent": "ai/6.0.326 ai-sdk/provider-utils/4.0.1 runtime/node.js/v20" }),
      1,
    )
    assert.strictEqual(await words({ "User-Agent": "python-requests/2.34.2" }), 0)
    assert.strictEqual(await words({ "User-Agent": "OpenAI/JS 6.49.0", "X-Forwarded-For": "192.0.2.1" }), 0)
  })

  it("with a test key costs nothing", async () => {
    const host = await startWith({ freeCredits: 0 })
    const { key } = await host.newKey({ test: true })
    const answer = await host.send({}, { headers: { Authorization: `Bearer ${key}` } })
    assert.strictEqual(answer.status, 200, await answer.text())
  })
})

describe("an address below /v1", () => {
  let host: Host
  beforeAll(async () => {
    host = await startHost()
  })
  afterAll(() => host.stop())

  for (const [method, path, status, allow] of [
    ["GET", "/v1/audio/transcriptions", 405, "POST"],
    ["POST", "/v1/models", 405, "GET, HEAD"],
    ["OPTIONS", "/v1/models/whisper-1", 405, "GET, HEAD"],
    ["GET", "/v1", 404, null],
    ["POST", "/v1/", 404, null],
    ["PUT", "/v1/files", 404, null],
    ["PATCH", "/v1/threads/a/messages/b", 404, null],
    ["GET", "/v1/models/%ff?limit=1", 404, null],
  ] as const) {
    it(`refuses ${method} ${path} as OpenAI does`, async () => {
      const answer = await fetch(`${host.base}${path}`, { method })
      assert.match(answer.headers.get("content-type") ?? "", /^application\/json/)
      assert.strictEqual(answer.headers.get("allow"), allow)
      const { message, ...refused } = await refusalIn(answer)
      const code = status === 405 ? "method_not_allowed" : "not_found"
      assert.deepInclude(refused, { status, code, type: "invalid_request_error" })
      assert.match(message, status === 405 ? /^This address takes / : /\/v1\/audio\/transcriptions/)
    })
  }

  it("answers /v1beta, which is not below /v1, with a problem document", async () => {
    const answer = await fetch(`${host.base}/v1beta`)
    assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
  })
})
