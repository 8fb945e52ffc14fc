/** From a file to speech windows: processor time beside ffmpeg alone, and memory over ten hours. */
import { execFileSync } from "node:child_process"
import { Effect, Stream } from "effect"
import { absolute, atLeast, inChild, main, type Outcome, sized } from "./harness.js"
import { decoder, openFile } from "./media/hearing.js"
import { makeSpeech, processorSeconds } from "./media/longSpeech.js"

interface Listened {
  readonly seconds: number
  readonly processor: number
  readonly windows: number
}

const listen = async (path = ""): Promise<Listened> => {
  const before = processorSeconds()
  const { windows, seconds } = await Effect.gen(function* () {
    const media = yield* openFile(path)
    const windows = yield* Stream.runFold(media.windows, 0, (count) => count + 1)
    return { windows, seconds: (yield* media.summary).durationSeconds }
  }).pipe(Effect.scoped, Effect.provide(decoder), Effect.runPromise)
  return { seconds, windows, processor: processorSeconds() - before }
}

/** The same decoding with nobody listening. */
const decodeOnly = (path = ""): number => {
  const before = processorSeconds()
  const args = ["-v", "error", "-nostdin", "-threads", "1", "-i", path, "-ac", "2", "-ar", "16000"]
  execFileSync("ffmpeg", [...args, "-f", "s16le", "pipe:1"], { stdio: ["ignore", "ignore", "inherit"] })
  return processorSeconds() - before
}

const isListened = (value: unknown): value is Listened =>
  typeof value === "object" && value !== null && "processor" in value

const listened = (path: string) => {
  const { result, peakMb } = inChild("listen", path)
  if (!isListened(result)) throw new Error("The child answered nothing")
  return { ...result, peakMb }
}

const ROUNDS = sized(3, 1)
const SPEED = 300
const MEMORY = 250
const GROWTH = 1.25

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const speech = makeSpeech()
  try {
    const short = speech.minutes(sized(10, 1))
    const runs = Array.from({ length: ROUNDS }, () => ({ ...listened(short), bare: decodeOnly(short) }))
    const best = runs.reduce((least, next) => (next.processor < least.processor ? next : least))
    const bare = Math.min(...runs.map((one) => one.bare))
    const long = listened(speech.minutes(sized(600, 2)))
    const speed = best.seconds / best.processor
    const longSpeed = long.seconds / long.processor
    const growth = long.peakMb / best.peakMb
    return [
      {
        bench: "decode + voice activity, 10 min, times real time of one core",
        ours: speed,
        rival: best.seconds / bare,
        rivalName: "ffmpeg alone, its output thrown away",
        ratio: bare / best.processor,
        bar: `>= ${SPEED}`,
        pass: speed >= SPEED,
      },
      atLeast("the same, 10 h", longSpeed, SPEED),
      absolute("own memory at most, 10 h, MB", long.peakMb, `< ${MEMORY}`, long.peakMb < MEMORY),
      {
        bench: "own memory, 10 h beside 10 min",
        ours: long.peakMb,
        rival: best.peakMb,
        rivalName: "10 min",
        ratio: growth,
        bar: `<= ${GROWTH}`,
        pass: growth <= GROWTH,
      },
    ]
  } finally {
    speech.remove()
  }
}

await main({ tasks: { listen }, run })
