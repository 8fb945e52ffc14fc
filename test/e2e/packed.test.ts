import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { hearingModels } from "../servers/hearingModels.js"
import { root } from "./earmark.js"
import { cannotHear, museum } from "./recordings.js"

const place = mkdtempSync(join(tmpdir(), "earmark-packed-"))
afterAll(() => rmSync(place, { recursive: true }))

const npm = (args: ReadonlyArray<string>, cwd: string) =>
  spawnSync("npm", [...args, "--loglevel=error", "--no-audit", "--no-fund"], { cwd, encoding: "utf8" })

describe("a package that is not built", () => {
  it("is not packed, and says what to do", () => {
    const unbuilt = join(place, "unbuilt")
    mkdirSync(unbuilt)
    writeFileSync(join(unbuilt, "package.json"), '{"name":"@earmark/unbuilt"}')
    const { status, stderr } = spawnSync(process.execPath, [`${root}.tools/prepack.mjs`], {
      cwd: unbuilt,
      encoding: "utf8",
    })
    assert.deepStrictEqual(
      [status, stderr],
      [1, "Cannot pack @earmark/unbuilt: it is not built. Run npm run build in the workspace first.\n"],
    )
  })

  it.each(readdirSync(`${root}packages`))("is refused by npm: %s", (name) => {
    const manifest = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, "utf8"))
    if (manifest.private !== true)
      assert.strictEqual(manifest.scripts.prepack, "node ../../.tools/prepack.mjs")
  })
})

describe("the packed command", () => {
  it("brings its speech engine, and transcribes where nothing else is installed", async ({ skip }) => {
    const models = await hearingModels()
    if (models === null || cannotHear !== null) return skip()
    const packed = npm(["pack", "--pack-destination", place], `${root}packages/cli`)
    assert.strictEqual(packed.status, 0, packed.stderr)
    const tarball = readdirSync(place).find((name) => name.endsWith(".tgz")) ?? ""
    writeFileSync(join(place, "package.json"), '{"private":true}')
    const installed = npm(["install", "--prefer-offline", "--ignore-scripts", `./${tarball}`], place)
    if (/ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT/.test(installed.stderr)) {
      process.stderr.write("The packed command is not tested: the npm registry does not answer.\n")
      return skip()
    }
    assert.strictEqual(installed.status, 0, installed.stderr)
    assert.isFalse(existsSync(join(place, "node_modules", "@earmark", "engines")))
    const { stdout, stderr, status } = spawnSync(
      join(place, "node_modules", ".bin", "earmark"),
      ["transcribe", museum, "--diarize", "--engine", "sherpa"],
      {
        cwd: place,
        encoding: "utf8",
        env: {
          ...process.env,
          EARMARK_MODELS_DIR: models,
          EARMARK_LIBRARY: "off",
          XDG_STATE_HOME: join(place, "state"),
          XDG_CONFIG_HOME: join(place, "config"),
        },
      },
    )
    assert.strictEqual(status, 0, stderr)
    assert.match(stdout, /^Speaker 1: Good morning,? and welcome to the museum/i)
    assert.match(stderr, /by sherpa/)
  })
})
