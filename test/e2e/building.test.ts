import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { root } from "./earmark.js"

const place = mkdtempSync(join(tmpdir(), "earmark-building-"))
afterAll(() => rmSync(place, { recursive: true }))

const command = join(place, "packages/cli")
const built = join(command, "dist/main.cjs")

/** A workspace with a command that loads its one part late. */
mkdirSync(join(command, "src"), { recursive: true })
cpSync(`${root}.tools`, join(place, ".tools"), { recursive: true })
symlinkSync(`${root}node_modules`, join(place, "node_modules"))
writeFileSync(join(command, "package.json"), '{ "name": "@earmark/cli", "type": "module" }')
writeFileSync(
  join(command, "tsup.config.js"),
  `export default {
  entry: { main: "src/main.js" }, format: ["esm"], splitting: true, metafile: true, clean: false,
  outExtension: () => ({ js: ".mjs" }),
  onSuccess: async () => (await import("node:fs")).writeFileSync("dist.next/main.cjs", 'import("./main.mjs")'),
}
`,
)
writeFileSync(
  join(command, "src/main.js"),
  `console.log("ready")
process.stdin.once("data", async () => {
  console.log((await import("./part.js")).said)
  process.exit()
})
`,
)
const writePart = (text: string) => writeFileSync(join(command, "src/part.js"), text)

const build = () =>
  spawnSync(process.execPath, [join(place, ".tools/build.mjs"), "cli"], { cwd: place, encoding: "utf8" })

const started = async () => {
  const child = spawn(process.execPath, [built], { stdio: ["pipe", "pipe", "inherit"] })
  await once(child.stdout, "data")
  return {
    /** What the part says that is loaded now. */
    ask: async () => {
      child.stdin.write("\n")
      const [said] = await once(child.stdout, "data")
      return String(said).trim()
    },
  }
}

describe("a build", () => {
  it("leaves what a running program has yet to load, and only that of the build before", async () => {
    writePart('export const said = "first"')
    assert.strictEqual(build().status, 0)
    const parts = () => readdirSync(join(command, "dist")).filter((file) => file.startsWith("part-"))
    const [first = ""] = parts()
    const running = await started()
    writePart('export const said = "second"')
    assert.strictEqual(build().status, 0)
    assert.strictEqual(await running.ask(), "first")
    assert.strictEqual(await (await started()).ask(), "second")
    assert.strictEqual(parts().length, 2)
    writePart('export const said = "third"')
    assert.strictEqual(build().status, 0)
    assert.strictEqual(parts().length, 2)
    assert.notInclude(parts(), first)
  })

  it("that fails leaves the build before", async () => {
    const before = readFileSync(built, "utf8")
    writePart("export const said = (")
    const { status, stderr } = build()
    assert.strictEqual(status, 1)
    assert.match(stderr, /The build failed in cli\. The build before is still in place\.\n$/)
    assert.strictEqual(readFileSync(built, "utf8"), before)
    assert.strictEqual(await (await started()).ask(), "third")
    assert.isFalse(existsSync(join(command, "dist.next")))
  })

  it("is packed without what a build before left", () => {
    const parts = () => readdirSync(join(command, "dist")).filter((file) => file.startsWith("part-"))
    assert.strictEqual(parts().length, 2)
    const { status } = spawnSync(process.execPath, [join(place, ".tools/prepack.mjs")], { cwd: command })
    assert.strictEqual(status, 0)
    assert.strictEqual(parts().length, 1)
  })
})
