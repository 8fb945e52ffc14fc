/** Real utterances through the engine alone, and through everything from the file on. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { compareTexts } from "@earmark/core/text"
import { layer as pocketsphinx } from "@earmark/engines/pocketsphinx"
import { DecoderConfig, MediaDecoderFfmpeg } from "@earmark/media"
import { MediaDecoder, makeTranscriber, SpeechEngine, VoiceActivityEnergy } from "@earmark/service"
import { samplesOfWav } from "@earmark/testkit"
import { Duration, Effect, Either, Layer } from "effect"
import { noCheckpoints, noDiarizer, plainOptions } from "../servers/standIns.js"

const CORPUS = "../shared/corpus/speech/"
const JFK =
  "and so my fellow americans ask not what your country can do for you ask what you can do for your country"

interface Utterance {
  readonly path: string
  readonly said: string
}

/** Recordings of people, with what they say; none where the corpus is not there. */
export const utterances = (root: string): ReadonlyArray<Utterance> => {
  const corpus = fileURLToPath(new URL(CORPUS, `file://${root.replace(/\/$/, "")}/`))
  if (!existsSync(corpus)) return []
  const read = readdirSync(`${corpus}librivox`)
    .filter((name) => name.endsWith(".wav"))
    .map((name) => {
      const path = `${corpus}librivox/${name}`
      return { path, said: readFileSync(path.replace(".wav", ".txt"), "utf8").trim() }
    })
  return [{ path: `${corpus}jfk.wav`, said: JFK }, ...read]
}

const asked = { ...plainOptions, qualityExplicit: true }

const world = Layer.mergeAll(
  pocketsphinx({ workers: 1 }),
  noDiarizer,
  MediaDecoderFfmpeg.layerFiles.pipe(
    Layer.provide(Layer.merge(VoiceActivityEnergy.layer, DecoderConfig.layer())),
  ),
)

const errorsIn = ({ said }: Utterance, heard: ReadonlyArray<{ readonly text: string }>) => {
  const { words } = Either.getOrThrow(compareTexts(said, heard.map(({ text }) => text).join(" ")))
  return { errors: words.substitutions + words.deletions + words.insertions, words: words.reference }
}

const hearBare = Effect.fnUntraced(function* (utterance: Utterance) {
  const { recognize } = yield* SpeechEngine
  const samples = samplesOfWav(readFileSync(utterance.path))
  const window = { index: 0, start: 0, end: Math.floor(samples.length / 16), samples }
  return errorsIn(utterance, (yield* recognize(window, asked)).words)
})

const hearWhole = Effect.fnUntraced(function* (utterance: Utterance) {
  const { openFile } = yield* MediaDecoder
  const { transcribe, engine } = yield* makeTranscriber({ windowTimeout: Duration.minutes(2) })
  const listening = { ...asked, windows: engine.capabilities.windows, maxSeconds: null }
  const media = yield* openFile(utterance.path, listening)
  return errorsIn(utterance, (yield* transcribe(media, asked, noCheckpoints)).words)
}, Effect.scoped)

/** Word errors of the engine given each file whole, and of the pipeline, on the same recordings. */
export const compareOn = (given: ReadonlyArray<Utterance>) =>
  Effect.gen(function* () {
    let words = 0
    let bare = 0
    let pipeline = 0
    for (const utterance of given) {
      const alone = yield* hearBare(utterance)
      words += alone.words
      bare += alone.errors
      pipeline += (yield* hearWhole(utterance)).errors
    }
    return { words, bare: bare / words, pipeline: pipeline / words }
  }).pipe(Effect.provide(world))
