import { createServer, type IncomingMessage, type RequestListener } from "node:http"
import { ConnectionError, InputError, ProblemError, TimeoutError } from "@earmark/api/client"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { upload } from "../../src/client/upload.js"
import { impatient, json, type Service, startService } from "./service.js"

const stops: Array<() => void> = []

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** Where the bytes go. */
const startStore = (listener: RequestListener): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer(listener)
    stops.push(() => {
      server.closeAllConnections()
      server.close()
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/store?signature=x`)
    })
  })

const start = async (listener: RequestListener, options?: Parameters<typeof impatient>[1]) => {
  const upload_url = await startStore(listener)
  const service: Service = await startService(json({ upload_url, media_ref: "uploads/a/b.wav" }, 201))
  stops.push(service.stop)
  return { service, ...impatient(service.baseUrl, options) }
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it should have failed"),
    (error: unknown) => error,
  )

const read = async (request: IncomingMessage) => {
  let length = 0
  for await (const chunk of request) length += chunk.length
  return length
}

const MEBIBYTE = new Uint8Array(1024 * 1024)
const FACTS = { filename: "a.wav", bytes: 8 * MEBIBYTE.length }

const megabytes = async function* (count = 8) {
  for (let made = 0; made < count; made += 1) yield MEBIBYTE
}

describe("an upload", () => {
  it("is announced, and sent with exactly that type and length, without the key", async () => {
    const arrived: Array<unknown> = []
    const { service, transport } = await start(async (request, response) => {
      const {
        "content-length": length,
        "content-type": type,
        authorization,
        "transfer-encoding": coding,
      } = request.headers
      arrived.push([request.method, type, length, authorization, coding, await read(request)])
      response.writeHead(200, { ETag: '"1"' }).end()
    })
    const seen: Array<number> = []
    const onProgress = ({ sent, total }: { readonly sent: number; readonly total: number }) =>
      seen.push(sent / total)
    const uploaded = await upload(transport, megabytes(), { ...FACTS, onProgress })
    assert.deepStrictEqual(uploaded, { media_ref: "uploads/a/b.wav", bytes: FACTS.bytes, etag: '"1"' })
    assert.deepStrictEqual(arrived, [
      ["PUT", "audio/wav", String(FACTS.bytes), undefined, undefined, FACTS.bytes],
    ])
    assert.deepStrictEqual(
      seen,
      [1, 2, 3, 4, 5, 6, 7, 8].map((part) => part / 8),
    )
    assert.deepStrictEqual(JSON.parse(service.asked[0]?.body ?? ""), {
      filename: "a.wav",
      content_type: "audio/wav",
      bytes: FACTS.bytes,
    })
  })

  it("that is refused is told with its code; one that is there already is no trouble under a key of yours", async () => {
    const refuse: RequestListener = async (request, response) => {
      await read(request)
      const body = { code: "invalid_state", detail: "The bytes are there.", title: "x", status: 409 }
      response.writeHead(409, { "Content-Type": "application/problem+json" }).end(JSON.stringify(body))
    }
    const { transport } = await start(refuse)
    const error = await failure(upload(transport, megabytes(), FACTS))
    assert.strictEqual(error instanceof ProblemError && error.code, "invalid_state")
    const again = await upload(transport, megabytes(), { ...FACTS, idempotencyKey: "mine" })
    assert.strictEqual(again.media_ref, "uploads/a/b.wav")
  })

  it("that breaks off is not sent again behind your back", async () => {
    const times = { asked: 0 }
    const { transport } = await start((request) => {
      times.asked += 1
      request.once("data", () => request.socket.destroy())
    })
    assert.instanceOf(await failure(upload(transport, megabytes(), FACTS)), ConnectionError)
    assert.strictEqual(times.asked, 1)
  })

  it("that stands still ends, whoever stands still", async () => {
    const { transport } = await start(() => {}, { timeout: 200 })
    assert.instanceOf(await failure(upload(transport, megabytes(), FACTS)), TimeoutError)
    const stuck = async function* () {
      yield MEBIBYTE
      await new Promise(() => {})
    }
    assert.instanceOf(await failure(upload(transport, stuck(), FACTS)), TimeoutError)
  })

  it("of a source that fails, or is not as long as it was said to be, fails with that", async () => {
    const { transport } = await start((request) => request.resume())
    const broken = async function* () {
      yield MEBIBYTE
      throw new RangeError("the disk is gone")
    }
    assert.instanceOf(await failure(upload(transport, broken(), FACTS)), RangeError)
    for (const count of [7, 9])
      assert.instanceOf(await failure(upload(transport, megabytes(count), FACTS)), InputError)
    for (const [source, facts] of [
      [megabytes(), { filename: "a.wav" }],
      [new Uint8Array(0), FACTS],
      [MEBIBYTE, { filename: "a.txt" }],
      ["no/such/file.wav", {}],
      ["/", {}],
    ] as const)
      assert.instanceOf(await failure(upload(transport, source, facts)), InputError)
  })

  it("ends with the reason of your signal", async () => {
    const { transport } = await start((request) => request.resume())
    const reason = new Error("enough")
    const controller = new AbortController()
    const slow = async function* () {
      yield MEBIBYTE
      controller.abort(reason)
      await new Promise(() => {})
    }
    assert.strictEqual(
      await failure(upload(transport, slow(), { ...FACTS, signal: controller.signal })),
      reason,
    )
  })
})
