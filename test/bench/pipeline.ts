/** What it costs to lead sound from a file through an engine to words, when the engine itself costs nothing. */
import { make as scripted } from "@earmark/engines/scripted"
import { type AudioWindow, type Checkpoints, Diarizer, makeTranscriber, SpeechEngine } from "@earmark/service"
import { Duration, Effect, Layer } from "effect"
import { inChild, main, type Outcome } from "./harness.js"
import { decoder, openFile } from "./media/hearing.js"
import { makeSpeech, processorSeconds } from "./media/longSpeech.js"

const WORD = 400

/** As many words as people say, and no work. */
const wordsIn = ({ start, end }: AudioWindow) =>
  Array.from({ length: Math.floor((end - start) / WORD) }, (_, at) => ({
    text: `word${at}`,
    start: start + at * WORD,
    end: start + (at + 1) * WORD,
    confidence: 0.9,
    speaker: null,
  }))

const engineForNothing = Layer.succeed(SpeechEngine, {
  capabilities: {
    id: "nothing",
    model: "nothing",
    languages: "any",
    detectsLanguage: false,
    wordTimes: true,
    confidence: true,
    vocabulary: "none",
    qualities: ["fast"],
    concurrency: 2,
    windows: { longest: 28_000, joinUpTo: 25_000 },
    isDraft: false,
  },
  recognize: (window) => Effect.succeed({ words: wordsIn(window), language: null, warnings: [] }),
})

const nobody = Layer.succeed(Diarizer, { open: () => Effect.dieMessage("Nobody asked who speaks") })

const checkpoints: Checkpoints = {
  load: () => Effect.succeed([]),
  save: () => Effect.void,
  report: () => Effect.void,
}

const options = {
  language: "en",
  quality: "fast",
  qualityExplicit: false,
  vocabulary: [],
  diarize: false,
  speakers: null,
  startAt: null,
  endAt: null,
} as const

interface Ran {
  readonly seconds: number
  readonly processor: number
  readonly words: number
}

const transcribe = async (path = ""): Promise<Ran> => {
  const before = processorSeconds()
  const heard = await Effect.gen(function* () {
    const media = yield* openFile(path)
    const transcriber = yield* makeTranscriber({ windowTimeout: Duration.minutes(1) })
    return yield* transcriber.transcribe(media, options, checkpoints)
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(engineForNothing, nobody, decoder)), Effect.runPromise)
  return { seconds: heard.durationSeconds, words: heard.words.length, processor: processorSeconds() - before }
}

/** Milliseconds that a scripted engine takes for a window, however many other ones are at work: the cores are not what is measured. */
const WINDOW_TAKES = 800

/** Wall seconds of a whole file over real engine processes that take a fixed time for each window. */
const paced = async (path = "", workers = "1") => {
  const size = Number(workers)
  const engine = Layer.scoped(SpeechEngine, scripted({ delay: WINDOW_TAKES, pool: { size } }))
  return Effect.gen(function* () {
    const media = yield* openFile(path)
    const transcriber = yield* makeTranscriber({ windowTimeout: Duration.minutes(1) })
    const started = performance.now()
    yield* transcriber.transcribe(media, options, checkpoints)
    return (performance.now() - started) / 1000
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(engine, nobody, decoder)), Effect.runPromise)
}

const pacedSeconds = (path: string, workers: number) => Number(inChild("paced", path, `${workers}`).result)

const isRan = (value: unknown): value is Ran =>
  typeof value === "object" && value !== null && "processor" in value

const ran = (path: string) => {
  const { result, peakMb } = inChild("transcribe", path)
  if (!isRan(result) || result.words === 0) throw new Error("The child heard nothing")
  return { ...result, peakMb }
}

/** Times real time of one core: the least that the fast quality of the small offline engine has to reach. */
const ENGINE = 12
const OVERHEAD = 0.05
const MEMORY = 250
const GROWTH = 1.25
const SCALING = 1.9
const ROUNDS = 3

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const speech = makeSpeech()
  try {
    const short = speech.minutes(10)
    const runs = Array.from({ length: ROUNDS }, () => ran(short))
    const best = runs.reduce((least, next) => (next.processor < least.processor ? next : least))
    const engine = best.seconds / ENGINE
    const one = pacedSeconds(short, 1)
    const two = pacedSeconds(short, 2)
    const long = ran(speech.minutes(600))
    const growth = long.peakMb / best.peakMb
    return [
      {
        bench: "pipeline around an engine, 10 min, processor seconds",
        ours: best.processor,
        rival: engine,
        rivalName: `an engine at ${ENGINE}x real time`,
        ratio: best.processor / engine,
        bar: `<= ${OVERHEAD}`,
        pass: best.processor / engine <= OVERHEAD,
      },
      {
        bench: "wall seconds of 10 min, 2 workers beside 1, each window 0.8 s in a scripted process",
        ours: two,
        rival: one,
        rivalName: "1 worker",
        ratio: one / two,
        bar: `>= ${SCALING}`,
        pass: one / two >= SCALING,
      },
      {
        bench: "own memory at most, 10 h beside 10 min, MB",
        ours: long.peakMb,
        rival: best.peakMb,
        rivalName: "10 min",
        ratio: growth,
        bar: `<= ${GROWTH} and < ${MEMORY} MB`,
        pass: growth <= GROWTH && long.peakMb < MEMORY,
      },
    ]
  } finally {
    speech.remove()
  }
}

await main({ tasks: { transcribe, paced }, run })
