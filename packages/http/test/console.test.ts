/** The console from a folder, over a real socket. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Console } from "../src/index.js"

const SCRIPT = "export const answer = 42\n"
const folder = mkdtempSync(join(tmpdir(), "earmark-console-"))
const servers: Array<Server> = []

const serve = async (from: string, store?: string): Promise<number> => {
  const mount = await Effect.runPromise(
    Console.mount({ baseUrl: "http://127.0.0.1", folder: from, store: store ?? null }),
  )
  const server = createServer((asked, answer) => {
    if (mount.owns((asked.url ?? "").split("?", 1).join(""), asked)) {
      return void Effect.runPromise(mount.answer(asked, answer))
    }
    answer.end("somebody else answers")
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address: AddressInfo | string | null = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

let built: number
let empty: number

beforeAll(async () => {
  mkdirSync(join(folder, "assets"))
  const files = { "assets/main-ABC.js": { type: "text/javascript; charset=utf-8" } }
  const documents = { "": "list.html", t: "transcript.html" }
  writeFileSync(join(folder, "manifest.json"), JSON.stringify({ index: "index.html", documents, files }))
  for (const name of ["list", "transcript"])
    writeFileSync(join(folder, `${name}.html`), `<!doctype html><title>Earmark ${name}</title>`)
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>Earmark</title>")
  writeFileSync(join(folder, "assets/main-ABC.js"), SCRIPT)
  writeFileSync(join(folder, "assets/main-ABC.js.br"), brotliCompressSync(SCRIPT))
  writeFileSync(join(folder, "assets/main-ABC.js.gz"), gzipSync(SCRIPT))
  built = await serve(folder)
  empty = await serve(join(folder, "nothing"))
})
afterAll(() => {
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true })
})

const ask = (port: number, path: string, { method = "GET", accept = "", opens = "*/*" } = {}) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    request(
      { port, host: "127.0.0.1", path, method, headers: { accept: opens, "accept-encoding": accept } },
      (answer) => {
        const parts: Array<Buffer> = []
        answer.on("data", (part: Buffer) => parts.push(part))
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
        )
      },
    )
      .on("error", reject)
      .end()
  })

const ASSET = "/console/assets/main-ABC.js"

describe("the console", () => {
  for (const path of ["/console", "/console/", "/console/t/tr_1?t=3", "/console/webhooks/a/b"]) {
    it(`answers ${path} with its page, which is never stored`, async () => {
      const { status, headers, body } = await ask(built, path)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["cache-control"], "no-store")
      assert.include(String(headers["content-security-policy"]), "require-trusted-types-for 'script'")
      assert.include(body.toString(), "<title>Earmark")
    })
  }

  it("answers with the document that loads the code of the page", async () => {
    const titleAt = async (path: string) =>
      /<title>(.*)<\/title>/.exec((await ask(built, path)).body.toString())?.[1]
    assert.strictEqual(await titleAt("/console"), "Earmark list")
    assert.strictEqual(await titleAt("/console/"), "Earmark list")
    assert.strictEqual(await titleAt("/console/t/tr_1?t=3"), "Earmark transcript")
    assert.strictEqual(await titleAt("/console/webhooks/t"), "Earmark")
    assert.strictEqual(await titleAt("/console/constructor"), "Earmark")
  })

  it("plays media of this server alone, and of the bucket where that gives them itself", async () => {
    const policy = async (port: number) =>
      String((await ask(port, "/console")).headers["content-security-policy"])
    const sources = (text: string) => text.split("; ").filter((each) => /^(?:media|connect)-src/.test(each))
    assert.deepStrictEqual(sources(await policy(built)), ["media-src 'self'", "connect-src 'self'"])
    const direct = await policy(await serve(folder, "https://s3.example/recordings?x='none'; script-src *"))
    assert.deepStrictEqual(sources(direct), [
      "media-src 'self' https://s3.example",
      "connect-src 'self' https://s3.example",
    ])
    assert.notInclude(direct, "*")
  })

  for (const [accept, encoding, bytes] of [
    ["gzip, deflate, br", "br", brotliCompressSync(SCRIPT)],
    ["gzip", "gzip", gzipSync(SCRIPT)],
    ["br;q=0, gzip;q=0.5", "gzip", gzipSync(SCRIPT)],
    ["", undefined, Buffer.from(SCRIPT)],
  ] as const) {
    it(`sends an asset as ${encoding ?? "it is"} to a client that accepts "${accept}"`, async () => {
      const { status, headers, body } = await ask(built, ASSET, { accept })
      assert.deepStrictEqual(
        [status, headers["content-encoding"], headers.vary],
        [200, encoding, "Accept-Encoding"],
      )
      assert.strictEqual(headers["cache-control"], "public, max-age=31536000, immutable")
      assert.isTrue(body.equals(bytes))
    })
  }

  for (const path of [
    "/console/assets/old-XYZ.js",
    "/console/assets/../manifest.json",
    "/console/manifest.json",
    "/console/assets/x",
  ]) {
    it(`has nothing at ${path}`, async () => assert.strictEqual((await ask(built, path)).status, 404))
  }

  it("answers HEAD without a body, and refuses other methods", async () => {
    const head = await ask(built, ASSET, { method: "HEAD" })
    assert.deepStrictEqual([head.status, head.body.length], [200, 0])
    assert.strictEqual((await ask(built, "/console", { method: "POST" })).status, 405)
  })

  const OF_BROWSERS = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

  for (const method of ["GET", "HEAD"]) {
    it(`leads a browser from / to itself (${method})`, async () => {
      const { status, headers } = await ask(built, "/?utm=x", { method, opens: OF_BROWSERS })
      assert.deepStrictEqual([status, headers.location, headers.vary], [303, "/console", "Accept"])
    })
  }

  for (const opens of ["*/*", "application/json", "text/markdown", "text/html;q=0, */*"]) {
    it(`leaves / to others for a client that accepts ${opens}`, async () =>
      assert.strictEqual((await ask(built, "/", { opens })).body.toString(), "somebody else answers"))
  }

  it("leads nobody where it was not built", async () =>
    assert.strictEqual((await ask(empty, "/", { opens: OF_BROWSERS })).status, 200))

  it("says in a sentence where it was not built", async () => {
    const { status, body } = await ask(empty, "/console")
    assert.deepStrictEqual([status, body.toString().includes("not part of this build")], [404, true])
  })
})
