import { spawn, spawnSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Script } from "node:vm"
import { crc32 } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { runEarmark, whenReady } from "../servers/earmarkServer.js"
import { freePort } from "../servers/processes.js"
import { root } from "./earmark.js"

const LOADER = `${root}packages/cli/bin/compiled.js`
const CHECKSUM_BYTES = 4
const V8_VERSION_AT = CHECKSUM_BYTES + 4

interface Ran {
  readonly code: number | null
  readonly output: string
}

const program = mkdtempSync(join(tmpdir(), "earmark-program-"))
const main = join(program, "main.cjs")
writeFileSync(join(program, "part.cjs"), 'exports.word = () => "good"\n')
writeFileSync(
  main,
  'const { sep } = require("node:path")\nconsole.log(require("./part.cjs").word(), sep, __filename)\n',
)
const EXPECTED: Ran = { code: 0, output: `good / ${main}\n` }

/** Runs the program in its own process, with a cache in `folder`. */
const run = (folder: string, environment: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const start = `require(${JSON.stringify(LOADER)}).runCompiled(${JSON.stringify(main)}, ${JSON.stringify(folder)})`
    const { NODE_V8_COVERAGE: _, ...env } = process.env
    const child = spawn(process.execPath, ["-e", start], { env: { ...env, ...environment } })
    let output = ""
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text
      })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, output }))
  })

const newFolder = () => join(mkdtempSync(join(tmpdir(), "earmark-compiled-")), "compiled")

const inFolder = (folder: string) => join(folder, `${process.version}-${process.arch}`)

const partIn = (folder: string): string => {
  const file = readdirSync(inFolder(folder)).find((name) => name.startsWith("part.cjs"))
  if (file === undefined) throw new Error("Nothing was kept of part.cjs")
  return join(inFolder(folder), file)
}

const withChecksum = (data: Uint8Array): Buffer => {
  const checksum = Buffer.alloc(CHECKSUM_BYTES)
  checksum.writeUInt32LE(crc32(data))
  return Buffer.concat([checksum, data])
}

/** Compiled code that V8 takes for that of part.cjs: it compares nothing but the length of the source. */
const otherCode = (): Buffer => {
  const source = readFileSync(join(program, "part.cjs"), "utf8").replace("good", "evil")
  const code = `(function (exports, require, module, __filename, __dirname) { ${source}\n})`
  const script = new Script(code)
  const exports = { word: () => "" }
  script.runInThisContext()(exports)
  exports.word()
  return withChecksum(script.createCachedData())
}

describe("the compiled code that is kept", () => {
  it("is used by the next start, and only this user can read it", async () => {
    const folder = newFolder()
    assert.deepStrictEqual(await run(folder), EXPECTED)
    const files = readdirSync(inFolder(folder))
    assert.deepStrictEqual(files.map((name) => name.replace(/-[0-9a-f]+$/, "")).sort(), [
      "main.cjs",
      "part.cjs",
    ])
    assert.strictEqual(statSync(partIn(folder)).mode & 0o777, 0o600)
    assert.strictEqual(statSync(folder).mode & 0o777, 0o700)
    writeFileSync(partIn(folder), otherCode())
    assert.deepStrictEqual(await run(folder), {
      ...EXPECTED,
      output: EXPECTED.output.replace("good", "evil"),
    })
  })

  it("is not used where others may have written it", async () => {
    const folder = newFolder()
    await run(folder)
    writeFileSync(partIn(folder), otherCode())
    chmodSync(partIn(folder), 0o622)
    assert.deepStrictEqual(await run(folder), EXPECTED)
    assert.strictEqual(statSync(partIn(folder)).mode & 0o777, 0o600)
  })

  it("is made again where it is damaged, cut off, empty, or of another version of V8", async () => {
    const folder = newFolder()
    await run(folder)
    const whole = readFileSync(partIn(folder))
    const flipped = Buffer.from(whole)
    flipped[whole.length - 20] = (whole[whole.length - 20] ?? 0) ^ 0xff
    const ofOtherVersion = Buffer.from(whole.subarray(CHECKSUM_BYTES))
    ofOtherVersion.writeUInt32LE(1, V8_VERSION_AT - CHECKSUM_BYTES)
    for (const bytes of [
      flipped,
      whole.subarray(0, whole.length / 2),
      Buffer.alloc(0),
      withChecksum(ofOtherVersion),
      withChecksum(Buffer.alloc(0)),
    ]) {
      writeFileSync(partIn(folder), bytes)
      assert.deepStrictEqual(await run(folder), EXPECTED)
      assert.notDeepEqual(readFileSync(partIn(folder)), bytes)
      assert.deepStrictEqual(await run(folder), EXPECTED)
    }
  })

  it("is not kept where nothing can be written, or where Node is told so", async () => {
    assert.deepStrictEqual(await run(join(main, "compiled")), EXPECTED)
    const folder = newFolder()
    assert.deepStrictEqual(await run(folder, { NODE_DISABLE_COMPILE_CACHE: "1" }), EXPECTED)
    assert.throws(() => readdirSync(folder))
  })

  it("is whole when many start at once", async () => {
    const folder = newFolder()
    const all = await Promise.all(Array.from({ length: 8 }, () => run(folder)))
    for (const ran of all) assert.deepStrictEqual(ran, EXPECTED)
    assert.lengthOf(readdirSync(inFolder(folder)), 2)
    assert.deepStrictEqual(await run(folder), EXPECTED)
  })

  it("is of the code as it is now", async () => {
    const folder = newFolder()
    await run(folder)
    const before = readFileSync(join(program, "part.cjs"), "utf8")
    writeFileSync(join(program, "part.cjs"), before.replace("good", "best"))
    const ran = await run(folder)
    writeFileSync(join(program, "part.cjs"), before)
    assert.strictEqual(ran.output, EXPECTED.output.replace("good", "best"))
    rmSync(folder, { recursive: true })
  })
})

it("a server uses what one before it has compiled, and keeps nothing anew", async () => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-served-"))
  const cache = join(folder, "cache")
  const startAndStop = async () => {
    const port = await freePort()
    const running = runEarmark("serve", {
      EARMARK_DATA_DIR: join(folder, "data"),
      EARMARK_ENGINE: "scripted",
      EARMARK_PORT: String(port),
      XDG_CACHE_HOME: cache,
    })
    await whenReady(running, `http://127.0.0.1:${port}`)
    assert.strictEqual(await running.stop(), 0, running.log())
    const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    return files.map(({ name, parentPath }) => [name, statSync(join(parentPath, name)).mtimeMs] as const)
  }
  // The first makes its folder, which it needs more code for than those after it.
  await startAndStop()
  const kept = new Map(await startAndStop())
  assert.isNotEmpty(kept)
  const again = await startAndStop()
  assert.deepStrictEqual(
    again.filter(([name, written]) => written !== kept.get(name)).map(([name]) => name),
    [],
  )
  rmSync(folder, { recursive: true })
})

it("a command that is not built says so in one sentence", () => {
  const bin = join(program, "bin")
  mkdirSync(bin)
  copyFileSync(`${root}packages/cli/bin/earmark.js`, join(bin, "earmark.js"))
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(bin, "earmark.js"), "help"], {
    encoding: "utf8",
  })
  assert.deepStrictEqual([status, stdout], [1, ""])
  assert.match(stderr, /^Earmark is not built here, or is being built: run npm run quickstart .*\n$/)
})
