import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"

const main = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url))

it("earmark --help prints help and nothing else", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, "--help"], { encoding: "utf8" })
  assert.strictEqual(status, 0)
  assert.include(stdout, "earmark")
  assert.strictEqual(stderr, "")
})
