import { chooseEngine, defaultEngineSettings } from "@earmark/engines"
import { layer } from "@earmark/engines/scripted"
import { SpeechEngine } from "@earmark/service"
import { Effect } from "effect"

// #region choose
const choice = await Effect.runPromise(chooseEngine(defaultEngineSettings))
console.log(`${choice.engine}: ${choice.why}`)
// #endregion

// Two seconds of a tone.
const samples = Int16Array.from({ length: 32_000 }, (_, at) => 8_000 * Math.sin(at / 40))

// #region hear
const hear = Effect.gen(function* () {
  const engine = yield* SpeechEngine
  const window = { index: 0, start: 60_000, end: 62_000, samples }
  const { words } = yield* engine.recognize(window, { language: "en", quality: "fast", vocabulary: [] })
  return words
})

const words = await Effect.runPromise(Effect.provide(hear, layer()))
console.log(`${words.length} words, the first at ${words[0]?.start} ms`)
// #endregion
