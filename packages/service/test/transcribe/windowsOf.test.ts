import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Scripted, SpeechEngine } from "../../src/index.js"
import { windowsOf } from "../../src/transcribe/windowsOf.js"

describe("how speech is cut", () => {
  it.effect("follows what it is heard with, where an engine has several models", () =>
    Effect.gen(function* () {
      const standIn = yield* SpeechEngine
      const engine = SpeechEngine.of({
        ...standIn,
        capabilities: { ...standIn.capabilities, isStandIn: false },
      })
      const { windows } = engine.capabilities
      const overlap = 1500
      assert.deepStrictEqual(windowsOf(engine, { language: "en", quality: "fast" }), { ...windows, overlap })
      assert.deepStrictEqual(windowsOf(standIn, { language: "en", quality: "fast" }), windows)
      const short = { longest: 9_000, joinUpTo: 9_000 }
      const several = SpeechEngine.of({
        ...engine,
        windowsFor: ({ language, quality }) => (language === "en" && quality === "fast" ? short : windows),
      })
      const cut = (language: string, quality: "fast" | "accurate") =>
        windowsOf(several, { language, quality })
      assert.deepStrictEqual(cut("en", "fast"), { ...short, overlap })
      assert.deepStrictEqual(cut("de", "fast"), { ...windows, overlap })
      assert.deepStrictEqual(cut("en", "accurate"), { ...windows, overlap })
    }).pipe(Effect.provide(Scripted.speech({}))),
  )
})
