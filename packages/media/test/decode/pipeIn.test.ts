import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runSpring } from "../../src/decode/Program.js"

const BYTES = 1_000_003
/** What ffmpeg writes of a frame of MP3. */
const TRICKLE = 1672
const WRITES = `const bytes = Buffer.from(Array.from({ length: ${BYTES} }, (_, at) => at % 251)); process.stdout.write(bytes)`

describe("a program whose output is read into the same memory", () => {
  it.live("loses nothing and mixes nothing up, however slow its reader is", () =>
    Effect.gen(function* () {
      const { next, ended } = yield* runSpring(process.execPath, ["-e", WRITES])
      let bytes = 0
      const memories = new Set<ArrayBufferLike>()
      for (let part = yield* next; part !== null; part = yield* next) {
        const from = bytes
        assert.isTrue(part.every((value, at) => value === (from + at) % 251))
        bytes += part.length
        memories.add(part.buffer)
        if (from === 0) yield* Effect.sleep("100 millis")
      }
      assert.strictEqual(bytes, BYTES)
      assert.strictEqual(memories.size, 1)
      assert.strictEqual((yield* ended).code, 0)
      assert.isNull(yield* next)
    }).pipe(Effect.scoped),
  )

  it.live("wakes its reader for whole pieces alone, and tells of the bytes in between", () =>
    Effect.gen(function* () {
      const trickles = `const write = (left) => left > 0 && process.stdout.write(Buffer.alloc(${TRICKLE}), () => setTimeout(write, 1, left - 1)); write(600)`
      const { next, arrived } = yield* runSpring(process.execPath, ["-e", trickles])
      const parts: Array<number> = []
      for (let part = yield* next; part !== null; part = yield* next) {
        parts.push(part.length)
        assert.isAtLeast(arrived(), part.length)
      }
      assert.strictEqual(arrived(), 600 * TRICKLE)
      assert.deepStrictEqual(parts, [524_288, 600 * TRICKLE - 524_288])
    }).pipe(Effect.scoped),
  )

  it.live("whoever waits for a silent one can be told to wait no more", () =>
    Effect.gen(function* () {
      const { next, giveUp } = yield* runSpring(process.execPath, ["-e", "setInterval(() => {}, 1000)"])
      const waiting = yield* Effect.fork(next)
      yield* Effect.sleep("50 millis")
      giveUp()
      assert.isNull(yield* waiting)
    }).pipe(Effect.scoped),
  )
})
