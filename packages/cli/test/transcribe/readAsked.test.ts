import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readAsked } from "../../src/transcribe/readAsked.js"

it.effect("reads moments as seconds, minutes and hours; minutes go on behind the hour", () =>
  Effect.gen(function* () {
    const moments: ReadonlyArray<readonly [given: string, seconds: number]> = [
      ["90", 90],
      ["1:30", 90],
      ["0:00.5", 0.5],
      ["75:00", 4500],
      ["1440:00", 86_400],
      ["1:02:30", 3750],
    ]
    for (const [start, seconds] of moments)
      assert.strictEqual((yield* readAsked({ start })).options.startAt, seconds * 1000, start)
    for (const start of ["1:75", "1:60:00", "75:00:00:00", "-1", "1:", ""]) {
      const { message } = yield* Effect.flip(readAsked({ start }))
      assert.include(message, `and "${start}" is none`)
    }
  }),
)
