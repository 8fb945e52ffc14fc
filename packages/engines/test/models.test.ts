import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FetcherNode } from "@earmark/media"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { catalogue } from "../src/models/catalogue.js"
import type { Model } from "../src/models/Model.js"
import {
  listModels,
  type PullOptions,
  pullModel,
  removeModel,
  stateOf,
  verifyModel,
} from "../src/models/Models.js"
import { until } from "./processes.js"

const place = mkdtempSync(join(tmpdir(), "earmark-models-"))
afterAll(() => rmSync(place, { recursive: true }))

let folders = 0
const freshFolder = () => join(place, `models-${++folders}`)

const content = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7 + (at >> 8)) % 256))
const sha256 = createHash("sha256").update(content).digest("hex")

const modelOf = (changes: Partial<Model["files"][number]> = {}, rest: Partial<Model> = {}): Model => ({
  id: "toy",
  use: "voice",
  files: [
    { name: "toy.onnx", url: "https://example.com/toy.onnx", bytes: content.length, sha256, ...changes },
  ],
  languages: "any",
  licence: "MIT",
  mustAccept: false,
  needBytes: 1,
  about: "",
  ...rest,
})

type Serve = (request: IncomingMessage, response: ServerResponse, turn: number) => void

const TAG = '"v1"'

/** As a good server does: whole, or from where it is asked to go on. */
const serveWell: Serve = (request, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0)
  const isSame = request.headers["if-range"] === undefined || request.headers["if-range"] === TAG
  const start = isSame ? from : 0
  const range = start > 0 ? { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` } : {}
  response.writeHead(start > 0 ? 206 : 200, { etag: TAG, "content-length": content.length - start, ...range })
  response.end(content.subarray(start))
}

/** Sends so many bytes, and breaks the connection when some of them are kept. */
const breakOff =
  (bytes: number, folder: string): Serve =>
  (_, response) => {
    response.writeHead(200, { etag: TAG, "content-length": content.length })
    response.write(content.subarray(0, bytes))
    const watch = setInterval(() => {
      if ((statSync(`${file(folder)}.part`, { throwIfNoEntry: false })?.size ?? 0) === 0) return
      clearInterval(watch)
      response.destroy()
    }, 5)
    response.once("close", () => clearInterval(watch))
  }

const mirrorThat = (serve: Serve) =>
  Effect.gen(function* () {
    const requests: Array<IncomingMessage> = []
    const server = createServer((request, response) => {
      requests.push(request)
      serve(request, response, requests.length - 1)
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        }),
    )
    const address = server.address()
    const port = address !== null && typeof address === "object" ? address.port : 0
    return { mirror: `http://127.0.0.1:${port}`, requests }
  })

const pulled = (serve: Serve, folder: string, model = modelOf(), options: PullOptions = {}) =>
  Effect.gen(function* () {
    const { mirror, requests } = yield* mirrorThat(serve)
    const end = yield* Effect.either(pullModel(folder, model, { mirror, ...options }))
    return { end, requests }
  }).pipe(Effect.scoped, Effect.provide(FetcherNode.layer()))

const file = (folder: string) => join(folder, "toy", "toy.onnx")

describe("pulling a model", () => {
  it.live("fetches, checks and names it; a second pull fetches nothing", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      const progress: Array<number> = []
      const onProgress = (bytes: number, total: number) => progress.push(bytes / total)
      const { end, requests } = yield* pulled(serveWell, folder, modelOf(), { onProgress })
      assert.strictEqual(end._tag, "Right")
      assert.strictEqual(requests[0]?.url, "/toy/toy.onnx")
      assert.deepStrictEqual(readFileSync(file(folder)), content)
      assert.isFalse(existsSync(`${file(folder)}.part`))
      assert.isFalse(existsSync(join(folder, "toy.lock")))
      assert.strictEqual(progress.at(-1), 1)
      assert.deepStrictEqual(progress, [...progress].sort())
      assert.strictEqual(yield* stateOf(folder, modelOf()), "present")
      assert.strictEqual((yield* pulled(serveWell, folder)).requests.length, 0)
      assert.deepStrictEqual(yield* verifyModel(folder, modelOf()), [])
    }),
  )

  it.live("others can read it and not change it, whatever the umask", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      const before = process.umask(0)
      yield* Effect.ensuring(
        pulled(serveWell, folder),
        Effect.sync(() => process.umask(before)),
      )
      const names = ["", "toy", ...readdirSync(join(folder, "toy")).map((name) => join("toy", name))]
      assert.isAtLeast(names.length, 4)
      for (const name of names) assert.strictEqual(statSync(join(folder, name)).mode & 0o022, 0, name)
    }),
  )

  it.live("a server that breaks off is asked to go on from there", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      const { end, requests } = yield* pulled(
        (request, response, turn) =>
          (turn === 0 ? breakOff(100_000, folder) : serveWell)(request, response, turn),
        folder,
      )
      assert.strictEqual(end._tag, "Right")
      assert.match(requests[1]?.headers.range ?? "", /^bytes=[1-9]\d*-$/)
      assert.strictEqual(requests[1]?.headers["if-range"], TAG)
      assert.deepStrictEqual(readFileSync(file(folder)), content)
    }),
  )

  it.live("a server that ignores Range, or whose file has changed, starts over", () =>
    Effect.gen(function* () {
      for (const second of [
        (_: IncomingMessage, response: ServerResponse) => {
          response.writeHead(200, { "content-length": content.length })
          response.end(content)
        },
        (request: IncomingMessage, response: ServerResponse) => {
          serveWell(
            Object.assign(request, { headers: { ...request.headers, "if-range": '"old"' } }),
            response,
            1,
          )
        },
      ]) {
        const folder = freshFolder()
        const { end, requests } = yield* pulled(
          (request, response, turn) =>
            (turn === 0 ? breakOff(50_000, folder) : second)(request, response, turn),
          folder,
        )
        assert.strictEqual(end._tag, "Right")
        assert.strictEqual(requests.length, 2)
        assert.deepStrictEqual(readFileSync(file(folder)), content)
      }
    }),
  )

  it.live("wrong sizes and wrong bytes are refused, and nothing has the name", () =>
    Effect.gen(function* () {
      const wrong = Buffer.from(content)
      wrong.writeUInt8(wrong.readUInt8(1_000) ^ 1, 1_000)
      const cases: ReadonlyArray<readonly [string, Serve, RegExp]> = [
        [
          "size",
          (_, response) => response.end(content.subarray(1)),
          /announces 299999 bytes where 300000 are pinned/,
        ],
        ["size", (_, response) => response.end(Buffer.concat([content, content])), /announces 600000/],
        [
          "size",
          (_, response) => {
            response.writeHead(200, { "transfer-encoding": "chunked" })
            response.write(content)
            response.end("more")
          },
          /longer than the 300000 bytes/,
        ],
        ["checksum", (_, response) => response.end(wrong), /not the pinned/],
        ["refused", (_, response) => response.writeHead(404).end(), /answered 404/],
      ]
      for (const [reason, serve, sentence] of cases) {
        const folder = freshFolder()
        const { end } = yield* pulled(serve, folder)
        assert.strictEqual(end._tag === "Left" ? end.left.reason : "", reason)
        assert.match(end._tag === "Left" ? end.left.message : "", sentence)
        assert.isFalse(existsSync(file(folder)))
        assert.notStrictEqual(yield* stateOf(folder, modelOf()), "present")
      }
    }),
  )

  it.live("a part with wrong bytes in it is found out by the checksum", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      mkdirSync(join(folder, "toy"), { recursive: true })
      writeFileSync(`${file(folder)}.part`, Buffer.alloc(1_000, 9))
      writeFileSync(`${file(folder)}.part.tag`, TAG)
      const first = yield* pulled(serveWell, folder)
      assert.strictEqual(first.end._tag === "Left" ? first.end.left.reason : "", "checksum")
      assert.strictEqual((yield* pulled(serveWell, folder)).end._tag, "Right")
    }),
  )

  it.live("offline says what could not be reached and what to do instead", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      const options = { mirror: "http://127.0.0.1:9" }
      const failure = yield* Effect.flip(pullModel(folder, modelOf(), options))
      assert.strictEqual(failure.reason, "offline")
      assert.match(
        failure.message,
        /^Could not reach 127\.0\.0\.1:9: .*\. Models can be copied by hand into .*; `earmark models verify` checks them\.$/,
      )
    }).pipe(Effect.provide(FetcherNode.layer())),
  )

  it.live("an interrupted pull keeps its part, and gives its lock back", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      const { mirror } = yield* mirrorThat((_, response) => {
        response.writeHead(200, { etag: TAG, "content-length": content.length })
        response.write(content.subarray(0, 80_000))
      })
      const fiber = yield* Effect.fork(pullModel(folder, modelOf(), { mirror }))
      yield* until(
        () => existsSync(`${file(folder)}.part`) && readFileSync(`${file(folder)}.part`).length > 0,
      )
      const locked = yield* Effect.flip(pullModel(folder, modelOf(), { mirror }))
      assert.strictEqual(locked.reason, "locked")
      assert.include(locked.message, `Process ${process.pid}`)
      yield* Fiber.interrupt(fiber)
      assert.isFalse(existsSync(join(folder, "toy.lock")))
      assert.strictEqual(yield* stateOf(folder, modelOf()), "partial")
      const { end, requests } = yield* pulled(serveWell, folder)
      assert.strictEqual(end._tag, "Right")
      assert.isDefined(requests[0]?.headers.range)
    }).pipe(Effect.scoped, Effect.provide(FetcherNode.layer())),
  )

  it.live("the lock of a process that is gone counts for nothing", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, "toy.lock"), "4194303")
      assert.strictEqual((yield* pulled(serveWell, folder)).end._tag, "Right")
    }),
  )

  it.live("licences that ask for more, and files without a checksum, are taken only when told", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      const model = modelOf({ sha256: null }, { mustAccept: true, licence: "CC-BY-4.0" })
      const reasonOf = (options: PullOptions) =>
        Effect.map(pulled(serveWell, folder, model, options), ({ end }) =>
          end._tag === "Left" ? end.left.reason : "",
        )
      assert.strictEqual(yield* reasonOf({}), "licence")
      assert.strictEqual(yield* reasonOf({ acceptLicence: true }), "unpinned")
      assert.strictEqual(yield* reasonOf({ acceptLicence: true, trustOnFirstUse: true }), "")
      // What was seen first is remembered.
      assert.deepStrictEqual(yield* verifyModel(folder, model), [])
      const bytes = Buffer.from(content)
      bytes.writeUInt8(bytes.readUInt8(5) ^ 1, 5)
      writeFileSync(file(folder), bytes)
      assert.deepStrictEqual(yield* verifyModel(folder, model), ["toy.onnx has a wrong checksum"])
    }),
  )
})

describe("models at hand", () => {
  it("are told apart by their files", () =>
    Effect.gen(function* () {
      const folder = freshFolder()
      const model = catalogue.find(({ id }) => id === "silero-vad")
      assert.isDefined(model)
      const state = () =>
        Effect.map(listModels(folder), (all) => all.find((listed) => listed.model.id === "silero-vad")?.state)
      assert.strictEqual(yield* state(), "absent")
      mkdirSync(join(folder, "silero-vad"), { recursive: true })
      writeFileSync(join(folder, "silero-vad", "silero_vad_v6.onnx"), "short")
      assert.strictEqual(yield* state(), "corrupt")
      writeFileSync(join(folder, "silero-vad", "silero_vad_v6.onnx"), Buffer.alloc(2_327_524))
      assert.strictEqual(yield* state(), "present")
      assert.deepStrictEqual(model === undefined ? [] : yield* verifyModel(folder, model), [
        "silero_vad_v6.onnx has a wrong checksum",
      ])
      assert.isTrue(yield* removeModel(folder, "silero-vad"))
      assert.isFalse(yield* removeModel(folder, "silero-vad"))
      assert.strictEqual((yield* Effect.flip(removeModel(folder, "nothing"))).reason, "unknown")
      assert.strictEqual((yield* Effect.flip(removeModel(folder, "../.."))).reason, "unknown")
    }).pipe(Effect.runPromise))

  it("have one id each, addresses of one commit, and checksums", () => {
    assert.strictEqual(new Set(catalogue.map(({ id }) => id)).size, catalogue.length)
    for (const { files, id } of catalogue) {
      for (const file of files) {
        const { bytes, sha256: known, name } = file
        if ("url" in file) {
          assert.match(
            file.url,
            /^https:\/\/(?:huggingface\.co\/[^/]+\/[^/]+\/resolve\/[0-9a-f]{40}\/|github\.com\/)/,
          )
        } else {
          assert.match(file.npm.package.version, /^\d+\.\d+\.\d+$/)
          assert.match(file.npm.package.integrity, /^sha512-[A-Za-z0-9+/]{86}==$/)
        }
        assert.isAbove(bytes, 10_000, id)
        if (name !== "turbo-tokens.txt") assert.match(known ?? "", /^[0-9a-f]{64}$/)
      }
    }
  })
})
