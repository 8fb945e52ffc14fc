import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { transformSync } from "esbuild"

const source = readFileSync(new URL("../src/pool/childEngine.ts", import.meta.url), "utf8")
const { code } = transformSync(source, { loader: "ts", format: "esm", keepNames: true })

describe("the program of an engine", () => {
  it("runs where a bundler keeps the names of functions, as tsx does", async () => {
    assert.include(code, "__name(")
    const { childProgram } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
    const program = childProgram(() => ({ load: async () => {}, recognize: async () => "heard" }))
    const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "ignore", "ignore", "ipc"] })
    child.send({ type: "load", settings: {} })
    const said = await Promise.race([
      once(child, "message"),
      once(child, "exit").then(([code]) => [`exit ${code}`]),
    ])
    child.kill()
    assert.deepStrictEqual(said[0], { type: "loaded" })
  })
})
