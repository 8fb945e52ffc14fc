import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Stream, TestClock } from "effect"
import { readUpload } from "../src/requests/readUpload.js"

/** What was pushed reaches whoever reads after some turns of the event loop, which no clock of a test moves. */
const turns = Effect.repeatN(
  Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
  10,
)

/** A client that sends so many bytes, and again after so long, until it has no more to send or is cut. */
const upload = (chunks: ReadonlyArray<number>, every: "5 seconds" | "20 seconds" | "31 seconds") =>
  Effect.gen(function* () {
    const request = new IncomingMessage(new Socket())
    const path = { account: "a", file: "f.wav" }
    const nothing = () => {}
    const { body } = readUpload({
      ...{ request, path, query: "", address: "/" },
      whenOver: nothing,
      tellWorking: nothing,
    })
    const reading = yield* Effect.fork(Stream.runFold(body, 0, (bytes, chunk) => bytes + chunk.length))
    yield* turns
    for (const bytes of chunks) {
      request.push(Buffer.alloc(bytes))
      yield* turns
      yield* TestClock.adjust(every)
      yield* turns
    }
    request.push(null)
    yield* turns
    const exit = yield* Fiber.await(reading)
    return Exit.isSuccess(exit) ? exit.value : yield* Effect.flip(exit)
  })

const refused = (detail: string) =>
  ({ code: "request_timeout", detail: `${detail} Nothing of it was kept.` }) as const

describe("the bytes of an upload", () => {
  it.effect("come as slowly as 8 kB a second", () =>
    Effect.gen(function* () {
      const chunks = Array.from({ length: 14 }, () => 8192 * 5)
      assert.strictEqual(yield* upload(chunks, "5 seconds"), 14 * 8192 * 5)
    }),
  )

  it.effect("that trickle are cut, however regularly they come", () =>
    Effect.gen(function* () {
      const cut = yield* upload([1000, 1000, 1000, 1000, 1000], "20 seconds")
      assert.deepInclude(cut, refused("The body arrived at less than 8 kB a second."))
    }),
  )

  it.effect("that stop coming are not waited for", () =>
    Effect.gen(function* () {
      const cut = yield* upload([8_000_000], "31 seconds")
      assert.deepInclude(cut, refused("No byte of the body arrived for half a minute."))
    }),
  )
})
