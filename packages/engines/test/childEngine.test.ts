import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { transformSync } from "esbuild"
import { troubleOf } from "../src/failures.js"
import { forkEngine } from "../src/pool/forkEngine.js"

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

  it.live("that dies at its start is told by the line that says what failed, without a trace", () =>
    Effect.gen(function* () {
      const program = 'throw new TypeError("moonshine-base cannot be read")'
      const failure = yield* forkEngine({
        engine: "sherpa-onnx",
        program,
        settings: {},
        read: () => null,
      }).pipe(Effect.scoped, Effect.flip)
      assert.strictEqual(
        troubleOf(failure),
        "sherpa-onnx ended (exit 1): TypeError: moonshine-base cannot be read",
      )
    }),
  )
})
