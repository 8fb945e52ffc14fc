// Speech with known times of words: read aloud, spontaneous, synthesised, in noise.
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SAMPLE_RATE, writeWav } from "@earmark/core/audio"
import { samplesOfWav, seededRandom, type Timed } from "@earmark/testkit"
import { sized } from "../harness.js"

export interface Recording {
  readonly samples: Int16Array
  readonly words: ReadonlyArray<Timed>
}

const LIBRIVOX = "test/speech/librivox/"
const PRACTICE = "../shared/corpus/speech/practice/"

/** Five utterances of LibriVox. */
export const librivox = (): ReadonlyArray<Recording> => {
  const files: Record<string, ReadonlyArray<Timed>> = JSON.parse(
    readFileSync(`${LIBRIVOX}words.json`, "utf8"),
  )
  const all = Object.entries(files)
  return all.slice(0, sized(all.length, 2)).map(([name, words]) => ({
    samples: samplesOfWav(readFileSync(`${LIBRIVOX}${name}.wav`)),
    words,
  }))
}

/** A file as 16 kHz mono samples. */
export const decoded = (file: string): Int16Array => {
  const { stdout } = spawnSync(
    "ffmpeg",
    ["-v", "error", "-nostdin", "-i", file, "-ar", "16000", "-ac", "1", "-f", "s16le", "pipe:1"],
    { maxBuffer: 64 * 1024 * 1024 },
  )
  return new Int16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.byteLength))
}

const LONGEST = 25_000
const PAUSE = 200
const MARGIN = 100

/** Cut at pauses into windows like those of an engine. */
const inWindows = ({ samples, words }: Recording): ReadonlyArray<Recording> => {
  const windows: Array<Recording> = []
  let from = 0
  words.forEach((word, index) => {
    const next = words[index + 1]
    const start = words[from]?.start ?? 0
    const isLong = next !== undefined && next.end - start > LONGEST
    const isPause = next !== undefined && next.start - word.end > PAUSE && word.end - start > LONGEST / 3
    if (next !== undefined && !isLong && !isPause) return
    const begin = Math.max(0, start - MARGIN)
    const end = word.end + MARGIN
    windows.push({
      samples: samples.slice((begin * SAMPLE_RATE) / 1000, (end * SAMPLE_RATE) / 1000),
      words: words
        .slice(from, index + 1)
        .map((each) => ({ ...each, start: each.start - begin, end: each.end - begin })),
    })
    from = index + 1
  })
  return windows
}

interface Practice {
  readonly id: string
  readonly file: string
  readonly words?: ReadonlyArray<{ readonly start: number; readonly end: number; readonly text: string }>
}

/** One person speaking freely, cut into windows; null where the recording is not at hand. */
export const spontaneous = (): ReadonlyArray<Recording> | null => {
  if (!existsSync(`${PRACTICE}index.json`)) return null
  const index: ReadonlyArray<Practice> = JSON.parse(readFileSync(`${PRACTICE}index.json`, "utf8"))
  const timed = index.filter(({ words }) => words !== undefined && words.length > 0)
  return timed.flatMap(({ file, words = [] }) =>
    inWindows({
      samples: decoded(`${PRACTICE}${file}`),
      words: words.map(({ text, start, end }) => ({
        text,
        start: Math.round(start * 1000),
        end: Math.round(end * 1000),
      })),
    }),
  )
}

/** Noise that is strong where it is low. */
const lowNoise = (length: number, seed: number): Float64Array => {
  const random = seededRandom(seed)
  const noise = new Float64Array(length)
  const rows = new Float64Array(7)
  for (let at = 0; at < noise.length; at++) {
    for (let row = 0; row < rows.length; row++) if (at % 2 ** row === 0) rows[row] = random() - 0.5
    noise[at] = rows.reduce((sum, value) => sum + value, random() - 0.5)
  }
  return noise
}

const powerOf = (values: Float64Array) =>
  values.reduce((sum, value) => sum + value * value, 0) / values.length

/** Noise that is strong where it is low, so many decibels under a voice. */
export const addNoise = (voice: Float64Array, seed: number, decibels: number): Int16Array => {
  const noise = lowNoise(voice.length, seed)
  const level = Math.sqrt(powerOf(voice) / powerOf(noise)) * 10 ** (-decibels / 20)
  const loudest = voice.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
  return Int16Array.from(voice, (value, at) => ((value + level * (noise[at] ?? 0)) * 20_000) / loudest)
}

/** 15 dB of noise in a room with echoes. */
const inNoise = (samples: Int16Array, seed: number): Int16Array => {
  const room = Float64Array.from(samples)
  for (const [delay, share] of [
    [337, 0.35],
    [911, 0.25],
    [1913, 0.16],
    [3407, 0.09],
  ] as const)
    for (let at = delay; at < samples.length; at++)
      room[at] = (room[at] ?? 0) + share * (samples[at - delay] ?? 0)
  return addNoise(room, seed, 15)
}

/** Through an MP3 of 48 kbit/s and back; the delay of the encoder is taken away by the decoder. */
const throughMp3 = (samples: Int16Array): Int16Array => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-bench-"))
  try {
    writeFileSync(join(folder, "a.wav"), writeWav(samples))
    spawnSync("ffmpeg", [
      "-v",
      "error",
      "-nostdin",
      "-i",
      join(folder, "a.wav"),
      "-b:a",
      "48k",
      join(folder, "a.mp3"),
    ])
    return decoded(join(folder, "a.mp3")).slice(0, samples.length)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The same words in 15 dB noise, in a room, through an MP3 of 48 kbit/s. */
export const noisy = ({ samples, words }: Recording, seed: number): Recording => ({
  samples: throughMp3(inNoise(samples, seed)),
  words,
})
