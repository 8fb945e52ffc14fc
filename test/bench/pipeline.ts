/** What it costs to lead sound from a file through an engine to words, when the engine itself costs nothing. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { make as scripted } from "@earmark/engines/scripted"
import {
  type AudioWindow,
  exportOf,
  makeTranscribeAlone,
  makeTranscriber,
  SpeechEngine,
  TranslatorNone,
  WriterExtractive,
} from "@earmark/service"
import { Duration, Effect, Either, Layer } from "effect"
import { noCheckpoints, noDiarizer, noLinks, plainOptions } from "../servers/standIns.js"
import { absolute, atMost, inChild, main, type Outcome, sized } from "./harness.js"
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
    isStandIn: true,
  },
  recognize: (window) => Effect.succeed({ words: wordsIn(window), language: null, warnings: [] }),
})

const options = { ...plainOptions, quality: "fast" } as const

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
    return yield* transcriber.transcribe(media, options, noCheckpoints)
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.mergeAll(engineForNothing, noDiarizer, decoder)),
    Effect.runPromise,
  )
  return { seconds: heard.durationSeconds, words: heard.words.length, processor: processorSeconds() - before }
}

const MEGABYTE = 1024 * 1024

/** Megabytes that are alive: what the collector has not got to yet is not among them. */
const alive = (): number => {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / MEGABYTE
}

interface Held {
  readonly words: number
  /** With the finished transcript in hand, and the most that the process held until then. */
  readonly alive: number
  readonly peak: number
}

/** From a file to a finished transcript and its longest export: what the command line holds, without a database. */
const finish = async (path = ""): Promise<Held> =>
  Effect.gen(function* () {
    const { transcribe: transcribeAlone } = yield* makeTranscribeAlone
    const asked = { ...options, summary: false, chapters: false, translateTo: null }
    const { content, durationSeconds, wordCount } = yield* transcribeAlone({ type: "file", path }, asked, {
      checkpoints: noCheckpoints,
    })
    const facts = { speakerNames: {}, wordTiming: null, integrity: null }
    const job = { id: null, title: null, durationSeconds, ...facts }
    const { chunks } = Either.getOrThrow(exportOf(job, content, { format: "json", wordLevel: true }))
    let characters = 0
    for (const chunk of chunks) characters += chunk.length
    const peak = process.resourceUsage().maxRSS / 1024
    return { peak, alive: alive(), words: content.segments.length > 0 && characters > 0 ? wordCount : 0 }
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.mergeAll(
        engineForNothing,
        noDiarizer,
        decoder,
        noLinks,
        WriterExtractive.layer,
        TranslatorNone.layer,
      ),
    ),
    Effect.runPromise,
  )

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
    yield* transcriber.transcribe(media, options, noCheckpoints)
    return (performance.now() - started) / 1000
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(engine, noDiarizer, decoder)), Effect.runPromise)
}

const pacedSeconds = (path: string, workers: number) => Number(inChild("paced", path, `${workers}`).result)

const isRan = (value: unknown): value is Ran =>
  typeof value === "object" && value !== null && "processor" in value

const ran = (path: string) => {
  const { result, peakMb } = inChild("transcribe", path)
  if (!isRan(result) || result.words === 0) throw new Error("The child heard nothing")
  return { ...result, peakMb }
}

const isHeld = (value: unknown): value is Held =>
  typeof value === "object" && value !== null && "alive" in value

const heldFor = (path: string): Held => {
  const { result } = inChild("finish", path)
  if (!isHeld(result) || result.words === 0) throw new Error("The child heard nothing")
  return result
}

/** Times real time of one core: the least that the fast quality of the small offline engine has to reach. */
const ENGINE = 12
const OVERHEAD = 0.05
const MEMORY = 250
const GROWTH = 1.25
/** Megabytes for an hour of sound: some nine thousand words, and where anyone speaks. */
const ALIVE = 2
const HOURS = 10
const SCALING = 1.9
const ROUNDS = sized(3, 1)

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const speech = makeSpeech()
  try {
    const short = speech.minutes(sized(10, 1))
    const runs = Array.from({ length: ROUNDS }, () => ran(short))
    const best = runs.reduce((least, next) => (next.processor < least.processor ? next : least))
    const engine = best.seconds / ENGINE
    const one = pacedSeconds(short, 1)
    const two = pacedSeconds(short, 2)
    const held = heldFor(short)
    const heldLong = heldFor(speech.minutes(sized(HOURS * 60, 2)))
    const growth = heldLong.peak / held.peak
    const kept = (heldLong.alive - held.alive) / HOURS
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
      absolute("own memory at most, 10 h, MB", heldLong.peak, `< ${MEMORY}`, heldLong.peak < MEMORY),
      {
        bench: "own memory at most, 10 h beside 10 min, MB",
        ours: heldLong.peak,
        rival: held.peak,
        rivalName: "10 min",
        ratio: growth,
        bar: `<= ${GROWTH}`,
        pass: growth <= GROWTH,
      },
      atMost("alive with the result in hand, MB more for each hour", kept, ALIVE),
    ]
  } finally {
    speech.remove()
  }
}

await main({ tasks: { transcribe, finish, paced }, run })
