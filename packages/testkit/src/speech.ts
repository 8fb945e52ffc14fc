import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export type Voice = "slt" | "rms" | "awb" | "kal16"

const RATE = 16
const HEADER = 44
const PEAK = 23_197
const SILENCE_BEFORE = 300
const SILENCE_AFTER = 400

const chunkOf = (wav: Buffer, name: string): Buffer => {
  for (let at = 12; at + 8 <= wav.length; ) {
    const length = wav.readUInt32LE(at + 4)
    if (wav.toString("latin1", at, at + 4) === name) return wav.subarray(at + 8, at + 8 + length)
    at += 8 + length + (length % 2)
  }
  return wav.subarray(HEADER)
}

/** Samples of a 16 kHz mono WAV file of 16 bit. */
export const samplesOfWav = (wav: Buffer): Int16Array => {
  const data = chunkOf(wav, "data")
  return Int16Array.from({ length: data.length >> 1 }, (_, at) => data.readInt16LE(at * 2))
}

/** Whether the synthesiser is installed: Debian's package `flite`. */
export const canSpeak = (): boolean =>
  spawnSync("flite", ["--version"], { stdio: "ignore" }).error === undefined

/** Runs the synthesiser on a sentence; answers what it printed, and the samples it made. */
const flite = (voice: Voice, sentence: string, ...options: ReadonlyArray<string>) => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-speech-"))
  const file = join(folder, "speech.wav")
  try {
    const { status, stdout, stderr } = spawnSync(
      "flite",
      ["-voice", voice, ...options, "-t", sentence, "-o", file],
      { encoding: "utf8" },
    )
    if (status !== 0) throw new Error(`flite could not speak: ${stderr}`)
    return { printed: stdout.trim(), samples: samplesOfWav(readFileSync(file)) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The same sound with a peak of -3 dB, and silence around it. */
const levelled = (voiced: Int16Array): Int16Array => {
  const loudest = voiced.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
  const samples = new Int16Array(voiced.length + (SILENCE_BEFORE + SILENCE_AFTER) * RATE)
  voiced.forEach((value, at) => {
    samples[SILENCE_BEFORE * RATE + at] = Math.round((value * PEAK) / loudest)
  })
  return samples
}

/** A sentence spoken by a synthesised voice: 16 kHz, mono, with a peak of -3 dB, 0.3 s of silence before and 0.4 s after. */
export const spokenBy = (voice: Voice, sentence: string): Int16Array =>
  levelled(flite(voice, sentence).samples)

/** A stretch of sound with a name, in milliseconds. */
export interface Timed {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** A sentence as the synthesiser speaks it, with its phones; `pau` is silence. */
export interface SpokenPhones {
  readonly samples: Int16Array
  readonly phones: ReadonlyArray<Timed>
}

export const spokenPhones = (voice: Voice, sentence: string): SpokenPhones => {
  const { printed, samples } = flite(voice, sentence, "-psdur")
  let at = 0
  const phones = printed
    .split(/\s+/)
    .filter((part) => part.includes(":"))
    .map((part): Timed => {
      const [text = "", end = "0"] = part.split(":")
      const start = at
      at = Number(end) * 1000
      return { text, start, end: at }
    })
  return { samples, phones }
}

const wordPhones = new Map<string, ReadonlyArray<string>>()
const phonesOfWord = (voice: Voice, word: string): ReadonlyArray<string> => {
  const key = `${voice} ${word}`
  const known =
    wordPhones.get(key) ??
    flite(voice, word, "-ps")
      .printed.split(/\s+/)
      .filter((phone) => phone !== "pau")
  wordPhones.set(key, known)
  return known
}

/** For each of `found`, the place of its like in `expected` by least edits; -1 where it has none. */
const placesIn = (found: ReadonlyArray<string>, expected: ReadonlyArray<string>): ReadonlyArray<number> => {
  const width = expected.length + 1
  const costs = new Int32Array((found.length + 1) * width)
  const costAt = (row: number, column: number) => costs[row * width + column] ?? 0
  for (let row = 0; row <= found.length; row++) {
    for (let column = 0; column < width; column++) {
      if (row === 0 || column === 0) costs[row * width + column] = row + column
      else {
        const change = found[row - 1] === expected[column - 1] ? 0 : 1
        costs[row * width + column] = Math.min(
          costAt(row - 1, column - 1) + change,
          costAt(row - 1, column) + 1,
          costAt(row, column - 1) + 1,
        )
      }
    }
  }
  const places: Array<number> = found.map(() => -1)
  for (let row = found.length, column = expected.length; row > 0 && column > 0; ) {
    const change = found[row - 1] === expected[column - 1] ? 0 : 1
    if (costAt(row, column) === costAt(row - 1, column - 1) + change) places[--row] = --column
    else if (costAt(row, column) === costAt(row - 1, column) + 1) row -= 1
    else column -= 1
  }
  return places
}

/** What `spokenBy` speaks, with the times of its words as the synthesiser made them. */
export const spokenWords = (
  voice: Voice,
  sentence: string,
): { readonly samples: Int16Array; readonly words: ReadonlyArray<Timed> } => {
  const { samples, phones } = spokenPhones(voice, sentence)
  const texts = sentence.split(/\s+/).filter((text) => text !== "")
  const owners: Array<number> = []
  const expected = texts.flatMap((text, word) => {
    const sounds = phonesOfWord(voice, text)
    for (const _ of sounds) owners.push(word)
    return sounds
  })
  const voiced = phones.filter(({ text }) => text !== "pau")
  const places = placesIn(
    voiced.map(({ text }) => text),
    expected,
  )
  const words = texts.map((text, word): Timed => {
    const own = voiced.filter((_, index) => owners[places[index] ?? -1] === word)
    const start = own[0]?.start ?? Number.NaN
    const end = own.at(-1)?.end ?? Number.NaN
    return { text, start: SILENCE_BEFORE + start, end: SILENCE_BEFORE + end }
  })
  return { samples: levelled(samples), words }
}
