import { readCaptionsInTurns } from "@earmark/core/captions"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { inTurns } from "../src/inTurns.js"

const PARAGRAPHS = 60_000

describe("long work", () => {
  it.live("lets everything else have its turn, again and again", () =>
    Effect.gen(function* () {
      const paragraphs = Array.from(
        { length: PARAGRAPHS },
        (_, index) => `<p begin="${index}s" end="${index + 1}s">Some words that are said</p>`,
      )
      const turns = readCaptionsInTurns(`<tt>${paragraphs.join("")}</tt>`)
      let others = 0
      let isDone = false
      const work = () => {
        others++
        if (!isDone) setImmediate(work)
      }
      setImmediate(work)
      const file = yield* inTurns(turns)
      isDone = true
      assert.strictEqual(Either.getOrThrow(file).cues.length, PARAGRAPHS)
      assert.isAbove(others, 5)
    }),
  )
})
