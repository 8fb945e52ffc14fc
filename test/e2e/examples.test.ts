import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { root } from "./earmark.js"

const folder = `${root}examples/library`
const built = `${root}node_modules/.cache/earmark/examples`

/** What each program prints, as far as it must. */
const prints: Readonly<Record<string, RegExp>> = {
  "newest.ts": /^3 episodes\nLive from the library: https:\/\/cdn\.marks\.example\/5\.mp3\n/,
}

describe("the examples of the docs run against the built packages", () => {
  for (const file of readdirSync(folder)) {
    it(file, { timeout: 20_000 }, async () => {
      mkdirSync(built, { recursive: true })
      const outfile = `${built}/${file.replace(/\.ts$/, ".mjs")}`
      await build({
        entryPoints: [`${folder}/${file}`],
        outfile,
        format: "esm",
        platform: "node",
        target: "node20",
      })
      const ran = spawnSync(process.execPath, [outfile], { cwd: root, encoding: "utf8", timeout: 15_000 })
      assert.strictEqual(ran.stderr, "")
      assert.strictEqual(ran.status, 0)
      assert.match(ran.stdout, prints[file] ?? /^never$/)
    })
  }
})
