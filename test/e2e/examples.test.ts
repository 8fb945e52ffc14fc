import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync } from "node:fs"
import { dirname } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { root } from "./earmark.js"

const folders = ["library", "embed", "embed-effect"]
const built = `${root}node_modules/.cache/earmark/examples`

/** What each program prints, as far as it must. */
const prints: Readonly<Record<string, RegExp>> = {
  "library/newest.ts": /^3 episodes\nLive from the library: https:\/\/cdn\.marks\.example\/5\.mp3\n/,
  "embed/main.ts": /^\d+ words for 2 credits\nclosed\n$/,
  "embed-effect/main.ts": /^\d+ words for 2 credits\ndelivered\n$/,
}

describe("the examples of the docs run against the built packages", () => {
  const programs = folders.flatMap((folder) =>
    readdirSync(`${root}examples/${folder}`).map((file) => `${folder}/${file}`),
  )
  for (const program of programs) {
    it(program, { timeout: 20_000 }, async () => {
      const outfile = `${built}/${program.replace(/\.ts$/, ".mjs")}`
      mkdirSync(dirname(outfile), { recursive: true })
      await build({
        entryPoints: [`${root}examples/${program}`],
        outfile,
        format: "esm",
        platform: "node",
        target: "node20",
      })
      const ran = spawnSync(process.execPath, [outfile], { cwd: root, encoding: "utf8", timeout: 15_000 })
      assert.strictEqual(ran.stderr, "")
      assert.strictEqual(ran.status, 0)
      assert.match(ran.stdout, prints[program] ?? /^never$/)
    })
  }
})
