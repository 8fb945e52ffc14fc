// Recordings of real conversations, named by EARMARK_BENCH_MEETINGS: a folder whose index.json says who speaks when. Speech is where
// Silero hears it if EARMARK_MODELS_DIR has silero-vad, and where it is loud elsewhere, as in a transcription.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { makeEnergyVoice, makeWindowPlanner, quietestCut } from "@earmark/core/audio"
import { featuresOf, type SoundBlock } from "@earmark/core/speakers"
import type { Turn } from "@earmark/core/transcripts"
import { Schema } from "effect"

/** Seconds. Entries without turns (recordings with a text only) are left out. */
const Index = Schema.parseJson(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      file: Schema.String,
      turns: Schema.optional(
        Schema.Array(Schema.Struct({ start: Schema.Number, end: Schema.Number, speaker: Schema.String })),
      ),
    }),
  ),
)

export interface Meeting {
  readonly id: string
  readonly block: SoundBlock
  readonly turns: ReadonlyArray<Turn>
}

/** The samples of a recording, 16 kHz mono. */
export const samplesOf = (file: string): Int16Array => {
  const options = ["-v", "error", "-i", file, "-ac", "1", "-ar", "16000", "-f", "s16le", "-"]
  const { status, stdout, stderr } = spawnSync("ffmpeg", options, { maxBuffer: 1024 * 1024 * 1024 })
  if (status !== 0) throw new Error(`Cannot decode ${file}: ${stderr}`)
  return new Int16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length))
}

interface Span {
  readonly start: number
  readonly end: number
}

interface Detector {
  readonly acceptWaveform: (samples: Float32Array) => void
  readonly isEmpty: () => boolean
  readonly front: (external: boolean) => { readonly start: number; readonly samples: Float32Array }
  readonly pop: () => void
  readonly flush: () => void
}

const STEP = 512
const WINDOW = 28_000

const model = join(process.env.EARMARK_MODELS_DIR ?? "", "silero-vad", "silero_vad_v6.onnx")

/** The parameters are those of the engines' detector. */
const heardBySilero = (samples: Int16Array): ReadonlyArray<Span> => {
  const { Vad }: { Vad: new (config: object, seconds: number) => Detector } = createRequire(import.meta.url)(
    "sherpa-onnx-node",
  )
  const sileroVad = {
    model,
    threshold: 0.5,
    minSpeechDuration: 0.2,
    minSilenceDuration: 0.4,
    maxSpeechDuration: 20,
    windowSize: STEP,
  }
  const detector = new Vad({ sileroVad, sampleRate: 16_000, numThreads: 1, provider: "cpu", debug: 0 }, 60)
  const spans: Array<Span> = []
  const take = () => {
    for (; !detector.isEmpty(); detector.pop()) {
      const { start, samples: spoken } = detector.front(false)
      spans.push({ start, end: start + spoken.length })
    }
  }
  for (let at = 0; at + STEP <= samples.length; at += STEP) {
    detector.acceptWaveform(Float32Array.from(samples.subarray(at, at + STEP), (value) => value / 32_768))
    take()
  }
  detector.flush()
  take()
  return spans
}

const heardByLoudness = (samples: Int16Array): ReadonlyArray<Span> => {
  const voice = makeEnergyVoice()
  return [...voice.push(samples), ...voice.finish()].map(({ start, end }) => ({
    start: start * 16,
    end: end * 16,
  }))
}

/** What a diarizer gets of a recording: the windows that an engine would hear. */
const blockOf = (samples: Int16Array): SoundBlock => {
  const planner = makeWindowPlanner({ longest: WINDOW, joinUpTo: WINDOW }, ({ start, end }) => {
    return start + quietestCut(samples.subarray(start, end))
  })
  const spans = existsSync(model) ? heardBySilero(samples) : heardByLoudness(samples)
  const windows = [...spans.flatMap((span) => planner.add(span)), ...planner.finish(samples.length)]
  const sounds = windows.map(({ start, end }) => ({
    start: start / 16,
    features: featuresOf(samples.subarray(start, end)),
  }))
  return () => sounds
}

/** The meetings of the folder; none where no folder is named. */
export const realMeetings = (): ReadonlyArray<Meeting> => {
  const folder = process.env.EARMARK_BENCH_MEETINGS
  if (folder === undefined) {
    process.stderr.write(
      "Real conversations are left out: set EARMARK_BENCH_MEETINGS to a folder with index.json and recordings.\n",
    )
    return []
  }
  const entries = Schema.decodeUnknownSync(Index)(readFileSync(join(folder, "index.json"), "utf8"))
  return entries.flatMap(({ id, file, turns }) => {
    if (turns === undefined) return []
    const reference = turns.map(({ start, end, speaker }) => ({
      start: start * 1000,
      end: end * 1000,
      speaker,
    }))
    return [{ id, block: blockOf(samplesOf(join(folder, file))), turns: reference }]
  })
}
