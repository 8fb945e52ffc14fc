import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readAsked } from "../src/reading/readAsked.js"

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
      assert.include(message, `not "${start}"`)
    }
  }),
)

it.effect("takes any code for a language: an engine may know one that has no English name", () =>
  Effect.gen(function* () {
    for (const [language, code] of [
      ["mis", "mis"],
      ["qaa", "qaa"],
      ["German", "de"],
      ["pt-BR", "pt-BR"],
    ] as const)
      assert.strictEqual((yield* readAsked({ language })).options.language, code)
  }),
)

it.effect("refuses with the option as its subject, in the names that the host has for options", () =>
  Effect.gen(function* () {
    const wrong = [
      [{ start: "x" }, "start"],
      [{ start: "5", end: "3" }, "end"],
      [{ format: "pdf" }, "format"],
      [{ language: "klingon" }, "language"],
      [{ language: "xx" }, "language"],
      [{ language: "xx-DE" }, "language"],
      [{ speakers: "40" }, "speakers"],
      [{ channels: true, diarize: true }, "channels"],
      [{ maxChars: 3 }, "max_chars"],
    ] as const
    for (const [written, subject] of wrong) {
      const refused = yield* Effect.flip(readAsked(written))
      assert.deepInclude(refused, { reason: "option_invalid", subject })
      assert.notMatch(refused.message, /--/)
    }
    const { message } = yield* Effect.flip(readAsked({ start: "x" }, (option) => `<${option}>`))
    assert.strictEqual(message, '<start> needs a time such as 90, 1:30 or 1:02:30, not "x".')
    const names = yield* Effect.flip(readAsked({ name: "{foo}" }))
    assert.deepInclude(names, { reason: "name_invalid", subject: "{foo}" })
  }),
)
