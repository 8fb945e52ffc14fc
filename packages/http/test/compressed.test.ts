/** Answers as they go over the socket: compressed where that is worth it, and where nothing secret is in them. */
import { type IncomingMessage, request } from "node:http"
import { gunzipSync } from "node:zlib"
import { type Operation, operations } from "@earmark/core/operations"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Schema, SchemaAST } from "effect"
import { type Host, startHost } from "./agents/world.js"

let host: Host
let key: string
let id: string

interface Raw {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

/** Without a client that would unpack it. */
const ask = (path: string, headers: Record<string, string> = {}, method = "GET", body?: unknown) =>
  new Promise<Raw>((resolve, reject) => {
    const sent = request(
      `${host.base}${path}`,
      {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...headers,
        },
        agent: false,
      },
      (answer) => {
        const parts: Array<Buffer> = []
        answer.on("data", (part) => parts.push(part))
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
        )
      },
    )
    sent.on("error", reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })

const GZIP = { "Accept-Encoding": "gzip" }

beforeAll(async () => {
  host = await startHost({
    product: {},
    billing: false,
    facts: { corsOrigins: ["https://app.example"] },
  })
  key = (await host.newKey()).key
  const made = await ask("/api/v1/transcriptions", {}, "POST", {
    url: "https://a.example/long.mp3?seconds=300",
  })
  id = JSON.parse(made.body.toString()).id
  await ask(`/api/v1/transcriptions/${id}?wait=30`)
})

afterAll(() => host.stop())

describe("a large answer", () => {
  it("is compressed for whoever takes it, and the same", async () => {
    for (const path of [`/${id}`, `/${id}?include=words`, `/${id}/words`, `/${id}/search?q=the`, ""]) {
      const address = `/api/v1/transcriptions${path}`
      const plain = await ask(address)
      const packed = await ask(address, GZIP)
      assert.deepStrictEqual([plain.status, packed.status], [200, 200], path)
      assert.isUndefined(plain.headers["content-encoding"])
      for (const { headers } of [plain, packed])
        assert.strictEqual(headers.vary, "Origin, Accept-Encoding", path)
      if (plain.body.length <= 1024) continue
      assert.strictEqual(packed.headers["content-encoding"], "gzip", path)
      assert.strictEqual(packed.headers["content-length"], String(packed.body.length))
      assert.isBelow(packed.body.length, plain.body.length)
      assert.deepStrictEqual(gunzipSync(packed.body), plain.body)
      const head = await ask(address, GZIP, "HEAD")
      assert.strictEqual(head.headers["content-length"], packed.headers["content-length"])
      assert.lengthOf(head.body, 0)
    }
  })

  it("is not sent again to whoever has it, in whichever form", async () => {
    const address = `/api/v1/transcriptions/${id}`
    const plain = String((await ask(address)).headers.etag)
    const packed = String((await ask(address, GZIP)).headers.etag)
    assert.strictEqual(packed, `W/${plain}`)
    for (const headers of [{}, GZIP])
      for (const tag of [plain, packed]) {
        const { status, body } = await ask(address, { ...headers, "If-None-Match": tag })
        assert.deepStrictEqual([status, body.length], [304, 0])
      }
  })

  it("is as it is for whoever does not take it, or not gzip", async () => {
    for (const encoding of ["", "identity", "br", "gzip;q=0", "gzip; q=0.000", "*;q=0", "xgzip"]) {
      const { headers } = await ask(`/api/v1/transcriptions/${id}`, { "Accept-Encoding": encoding })
      assert.isUndefined(headers["content-encoding"], encoding)
    }
    for (const encoding of ["*", "br, gzip;q=0.5", "GZIP", "deflate,gzip"]) {
      const { headers } = await ask(`/api/v1/transcriptions/${id}`, { "Accept-Encoding": encoding })
      assert.strictEqual(headers["content-encoding"], "gzip", encoding)
    }
  })

  it("of events and of small things is left alone", async () => {
    const events = await ask(`/api/v1/transcriptions/${id}/events`, GZIP)
    assert.isUndefined(events.headers["content-encoding"])
    const small = await ask("/api/v1/credits", GZIP)
    assert.isUndefined(small.headers["content-encoding"])
  })
})

const SECRET = /secret|token|signature|checkout|upload_url|^key$/

/** The names of the fields that an answer may have. */
const fieldsOf = (ast: SchemaAST.AST, found = new Set<string>()): ReadonlySet<string> => {
  const from = SchemaAST.encodedAST(ast)
  if (SchemaAST.isTypeLiteral(from))
    for (const { name, type } of from.propertySignatures) fieldsOf(type, found.add(String(name)))
  if (SchemaAST.isUnion(from)) for (const member of from.types) fieldsOf(member, found)
  if (SchemaAST.isTupleType(from)) for (const { type } of from.rest) fieldsOf(type, found)
  return found
}

describe("an answer with a secret", () => {
  it("is never compressed: no operation that compresses has a field for one", () => {
    const compressing = Object.entries<Operation>(operations).filter(([, each]) => each.isCompressed)
    assert.isAtLeast(compressing.length, 5)
    for (const [name, { answers }] of compressing)
      for (const answer of Object.values(answers))
        for (const field of answer === null ? [] : fieldsOf(Schema.encodedSchema(answer).ast))
          assert.notMatch(field, SECRET, `${name}: ${field}`)
  })

  it("goes out as it is, however long", async () => {
    const made = await ask("/api/v1/keys", GZIP, "POST", { name: "n".repeat(60) })
    assert.strictEqual(made.status, 201)
    assert.isUndefined(made.headers["content-encoding"])
  })
})
