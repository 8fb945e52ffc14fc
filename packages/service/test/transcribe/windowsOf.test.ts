import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Scripted, SpeechEngine } from "../../src/index.js"
import { windowsOf } from "../../src/transcribe/windowsOf.js"

describe("how speech is cut", () => {
  it.effect("follows what it is heard with, where an engine has several models", () =>
    Effect.gen(function* () {
      const engine = yield* SpeechEngine
      const { windows } = engine.capabilities
      assert.strictEqual(windowsOf(engine, { language: "en", quality: "fast" }), windows)
      const short = { longest: 9_000, joinUpTo: 9_000 }
      const several = SpeechEngine.of({
        ...engine,
        windowsFor: ({ language, quality }) => (language === "en" && quality === "fast" ? short : windows),
      })
      assert.strictEqual(windowsOf(several, { language: "en", quality: "fast" }), short)
      assert.strictEqual(windowsOf(several, { language: "de", quality: "fast" }), windows)
      assert.strictEqual(windowsOf(several, { language: "en", quality: "accurate" }), windows)
    }).pipe(Effect.provide(Scripted.speech({}))),
  )
})
