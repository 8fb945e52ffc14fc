import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readNext, runProgram } from "../../src/decode/Program.js"

const BYTES = 200_000
const WRITES = `process.stdout.write(Buffer.alloc(${BYTES}, 7))`

describe("a program whose output is read", () => {
  it.live("loses nothing when its reader is slow and it has ended long before", () =>
    Effect.gen(function* () {
      const { output, ended } = yield* runProgram(process.execPath, ["-e", WRITES])
      let bytes = 0
      for (let part = yield* readNext(output); part !== null; part = yield* readNext(output)) {
        bytes += part.length
        yield* Effect.sleep("150 millis")
      }
      assert.strictEqual(bytes, BYTES)
      assert.strictEqual((yield* ended).code, 0)
    }).pipe(Effect.scoped),
  )
})
