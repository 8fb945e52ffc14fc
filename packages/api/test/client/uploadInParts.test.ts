import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { ConnectionError } from "@earmark/api/client"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { upload } from "../../src/client/upload.js"
import { impatient } from "./service.js"

const stops: Array<() => void> = []

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const MEBIBYTE = 1024 * 1024
const SIZE = 5 * MEBIBYTE
/** Four parts, the last of 3 MiB. */
const file = Uint8Array.from({ length: 18 * MEBIBYTE }, (_, at) => (at * 7) % 253)
const COUNT = Math.ceil(file.length / SIZE)

const read = async (request: IncomingMessage): Promise<Buffer> => {
  const pieces: Array<Buffer> = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces)
}

interface Options {
  /** What happens to a part, by its number: `break` ends the connection in its middle. */
  readonly onPart?: (part: number) => "take" | "break" | "lose_answer" | "expired"
  readonly knowsParts?: boolean
  /** Requests whose connection breaks the first time. */
  readonly breaks?: ReadonlyArray<string>
  /** How long addresses are good, in seconds. */
  readonly expiresIn?: number
}

/** A service that takes parts, and whose connections break as a test wants it. */
const startService = async ({
  onPart = () => "take",
  knowsParts = true,
  breaks = [],
  expiresIn = 3600,
}: Options = {}) => {
  const received = new Map<number, Buffer>()
  const asked: Array<string> = []
  const left = new Set(breaks)
  let base = ""
  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  const problem = (response: ServerResponse, status: number, code: string) =>
    response
      .writeHead(status, { "content-type": "application/problem+json" })
      .end(JSON.stringify({ type: "x", title: code, status, detail: code, code }))

  const put = async (request: IncomingMessage, response: ServerResponse, part: number) => {
    const fate = onPart(part)
    if (fate === "break") {
      request.once("data", () => request.socket.destroy())
      return
    }
    const body = await read(request)
    if (fate === "expired") return problem(response, 410, "expired")
    if (received.has(part)) return problem(response, 409, "invalid_state")
    received.set(part, body)
    if (fate === "lose_answer") return request.socket.destroy()
    response.writeHead(200).end()
  }

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", base)
    asked.push(`${request.method} ${pathname}`)
    const part = /^\/part\/(\d+)$/.exec(pathname)?.[1]
    if (part !== undefined) return void put(request, response, Number(part))
    void read(request).then((body) => {
      if (pathname === "/whole") {
        received.set(0, body)
        return response.writeHead(200).end()
      }
      if (pathname === "/api/v1/uploads")
        return json(response, 201, { upload_url: `${base}/whole`, media_ref: "uploads/a/b.wav" })
      if (!knowsParts) return problem(response, 404, "not_found")
      if (JSON.parse(String(body)).media_ref !== "uploads/a/b.wav")
        return problem(response, 422, "media_ref_unknown")
      if (left.delete(pathname)) return request.socket.destroy()
      if (pathname === "/api/v1/uploads/complete")
        return received.size === COUNT
          ? json(response, 200, { media_ref: "uploads/a/b.wav" })
          : problem(response, 409, "invalid_state")
      json(response, 200, {
        media_ref: "uploads/a/b.wav",
        expires_in: expiresIn,
        parts: Array.from({ length: COUNT }, (_, at) => ({
          part_number: at + 1,
          bytes: Math.min(SIZE, file.length - at * SIZE),
          is_received: received.has(at + 1),
          upload_url: `${base}/part/${at + 1}`,
        })),
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const whole = () =>
    Buffer.concat([...received].toSorted(([one], [other]) => one - other).map(([, body]) => body))
  return { ...impatient(base), received, asked, whole }
}

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")
const FACTS = { filename: "long.wav", contentType: "audio/wav" }

describe("an upload in parts", () => {
  it("sends a large file part by part, and tells how far it is", async () => {
    const service = await startService()
    const seen: Array<number> = []
    const { media_ref, bytes } = await upload(service.transport, new Blob([file]), {
      ...FACTS,
      onProgress: ({ sent }) => seen.push(sent),
    })
    assert.strictEqual(media_ref, "uploads/a/b.wav")
    assert.strictEqual(bytes, file.length)
    assert.strictEqual(hashOf(service.whole()), hashOf(file))
    assert.strictEqual(seen.at(-1), file.length)
    assert.deepStrictEqual(
      seen,
      seen.toSorted((one, other) => one - other),
    )
  })

  it("sends a part again when its connection breaks, and none that has arrived", async () => {
    const left = new Map<number, "break" | "lose_answer">([
      [2, "break"],
      [3, "lose_answer"],
    ])
    const onPart = (part: number) => {
      const fate = left.get(part) ?? "take"
      left.delete(part)
      return fate
    }
    const service = await startService({ onPart })
    await upload(service.transport, file, FACTS)
    assert.strictEqual(hashOf(service.whole()), hashOf(file))
    const tries = service.asked.filter((each) => each.startsWith("PUT"))
    assert.deepStrictEqual(
      tries,
      [1, 2, 2, 3, 3, 4].map((part) => `PUT /part/${part}`),
    )
  })

  it("asks again where the connection breaks while parts are listed or joined", async () => {
    const service = await startService({
      breaks: ["/api/v1/uploads/parts", "/api/v1/uploads/complete"],
    })
    await upload(service.transport, new Blob([file]), FACTS)
    assert.strictEqual(hashOf(service.whole()), hashOf(file))
    assert.lengthOf(
      service.asked.filter((each) => each.endsWith("/complete")),
      2,
    )
  })

  it("asks for new addresses when those it has end before the last part", async () => {
    let isOver = true
    const onPart = (part: number) => {
      if (part !== 3 || !isOver) return "take"
      isOver = false
      return "expired"
    }
    const service = await startService({ onPart, expiresIn: 0 })
    await upload(service.transport, new Blob([file]), FACTS)
    assert.strictEqual(hashOf(service.whole()), hashOf(file))
    assert.lengthOf(
      service.asked.filter((each) => each === "PUT /part/1"),
      1,
    )
  })

  it("resumes where an earlier one broke off", async () => {
    let isBroken = true
    const service = await startService({ onPart: (part) => (isBroken && part > 2 ? "break" : "take") })
    let started = ""
    const error = await upload(service.transport, new Blob([file]), {
      ...FACTS,
      onStart: (mediaRef) => {
        started = mediaRef
      },
    }).catch((failure: unknown) => failure)
    assert.instanceOf(error, ConnectionError)
    assert.deepStrictEqual([...service.received.keys()], [1, 2])
    isBroken = false
    service.asked.length = 0
    const seen: Array<number> = []
    await upload(service.transport, new Blob([file]), {
      ...FACTS,
      resume: started,
      onProgress: ({ sent }) => seen.push(sent),
    })
    assert.strictEqual(seen[0], 2 * SIZE)
    assert.strictEqual(hashOf(service.whole()), hashOf(file))
    assert.notInclude(service.asked, "POST /api/v1/uploads")
    assert.notInclude(service.asked, "PUT /part/1")
  })

  it("begins anew where the earlier one is gone or was another file", async () => {
    const service = await startService()
    await upload(service.transport, new Blob([file]), { ...FACTS, resume: "uploads/a/gone.wav" })
    assert.include(service.asked, "POST /api/v1/uploads")
    const other = await startService()
    await upload(other.transport, new Blob([file, new Uint8Array(1)]), {
      ...FACTS,
      resume: "uploads/a/b.wav",
    }).catch(() => undefined)
    assert.include(other.asked, "POST /api/v1/uploads")
  })

  it("sends the file whole where the server knows of no parts, and small files always", async () => {
    const service = await startService({ knowsParts: false })
    await upload(service.transport, new Blob([file]), FACTS)
    assert.strictEqual(hashOf(service.whole()), hashOf(file))
    const small = await startService()
    await upload(small.transport, file.subarray(0, 1000), FACTS)
    assert.deepStrictEqual(small.asked, ["POST /api/v1/uploads", "PUT /whole"])
  })
})
