/** Hears the same window over and over, two at a time, until somebody kills it. */
import { readFileSync } from "node:fs"
import { SpeechEngine } from "@earmark/service"
import { Effect } from "effect"
import * as PocketSphinx from "../../src/pocketsphinx/index.js"
import * as Scripted from "../../src/scripted/index.js"
import { toneOf, windowOf } from "../windows.js"

const [, , engine, speech = ""] = process.argv

const layer =
  engine === "pocketsphinx"
    ? PocketSphinx.layer({ workers: 2 })
    : Scripted.layer({ delay: 60_000, pool: { size: 2 } })

const readSpeech = () => {
  const bytes = readFileSync(speech)
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

const window = windowOf(engine === "pocketsphinx" ? readSpeech() : toneOf(3_000))
const asked = { language: "en", quality: "accurate", vocabulary: [] } as const

Effect.runPromise(
  Effect.gen(function* () {
    const { recognize } = yield* SpeechEngine
    const forever = Effect.forever(recognize(window, asked))
    yield* Effect.all([forever, forever], { concurrency: "unbounded" })
  }).pipe(Effect.provide(layer)),
)
