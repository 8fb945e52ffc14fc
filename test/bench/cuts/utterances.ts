// Utterances with what is said in them, and long recordings that are made of them.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { SAMPLE_RATE } from "@earmark/core/audio"
import { seededRandom, type Timed } from "@earmark/testkit"
import { Schema } from "effect"

export interface Utterance {
  readonly samples: Int16Array
  readonly said: string
}

/** Entries in other languages than English, and those without a text, are left out. */
const Index = Schema.parseJson(
  Schema.Array(
    Schema.Struct({
      file: Schema.String,
      text: Schema.optional(Schema.String),
      lang: Schema.optional(Schema.String),
    }),
  ),
)

const OWN = "test/speech/librivox/"

const decoded = (file: string): Int16Array => {
  const options = ["-v", "error", "-nostdin", "-i", file, "-ac", "1", "-ar", "16000", "-f", "s16le", "pipe:1"]
  const { status, stdout, stderr } = spawnSync("ffmpeg", options, { maxBuffer: 1024 * 1024 * 1024 })
  if (status !== 0) throw new Error(`Cannot decode ${file}: ${stderr}`)
  return new Int16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length))
}

/** Digital silence this long parts the utterances of a recording whose text has several lines. */
const PARTING = 0.1 * SAMPLE_RATE

const partsOf = (samples: Int16Array): ReadonlyArray<Int16Array> => {
  const parts: Array<Int16Array> = []
  let from = 0
  let zeros = 0
  for (let at = 0; at <= samples.length; at++) {
    if (samples[at] === 0) {
      zeros += 1
      continue
    }
    const isOver = at === samples.length
    if ((zeros >= PARTING || isOver) && at - zeros > from) {
      parts.push(samples.slice(from, at - zeros))
      from = at
    }
    if (zeros >= PARTING) from = at
    zeros = 0
  }
  return parts
}

const utterancesOf = (samples: Int16Array, text: string): ReadonlyArray<Utterance> => {
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const parts = partsOf(samples)
  if (lines.length < 2 || parts.length !== lines.length) return [{ samples, said: lines.join(" ") }]
  return parts.map((part, at) => ({ samples: part, said: lines[at] ?? "" }))
}

/** The recordings of the project, and those of a folder whose `index.json` names files and what is said in them. */
export const readUtterances = (folder: string | null): ReadonlyArray<Utterance> => {
  const words: Record<string, ReadonlyArray<Timed>> = JSON.parse(readFileSync(`${OWN}words.json`, "utf8"))
  const own = Object.entries(words).map(([name, said]) => ({
    samples: decoded(`${OWN}${name}.wav`),
    said: said.map(({ text }) => text).join(" "),
  }))
  if (folder === null) return own
  const index = join(folder, "index.json")
  if (!existsSync(index)) throw new Error(`${index} is not there: it names the recordings and their texts.`)
  const given = Schema.decodeUnknownSync(Index)(readFileSync(index, "utf8")).flatMap(
    ({ file, text, lang }) =>
      text === undefined || (lang ?? "en") !== "en" ? [] : utterancesOf(decoded(join(folder, file)), text),
  )
  return [...own, ...given]
}

const FRAME = SAMPLE_RATE / 100
/** How far under its loudest frame an utterance is silent, in energy. */
const SILENT = 1e-3
const MARGIN = 2

/** An utterance without the silence before and after it. */
const trimmed = (samples: Int16Array): Int16Array => {
  const energies = Array.from({ length: Math.floor(samples.length / FRAME) }, (_, frame) =>
    samples.subarray(frame * FRAME, (frame + 1) * FRAME).reduce((sum, value) => sum + value * value, 0),
  )
  const least = SILENT * Math.max(...energies)
  const isLoud = (energy: number) => energy > least
  const first = energies.findIndex(isLoud)
  const last = energies.findLastIndex(isLoud)
  return samples.subarray(Math.max(0, first - MARGIN) * FRAME, (last + 1 + MARGIN) * FRAME)
}

interface LongRecording {
  readonly samples: Int16Array
  /** Which utterances it is made of, in order. */
  readonly parts: ReadonlyArray<number>
}

/** The loudness of an empty room. */
const HUSH = 3

/**
 * So many minutes of utterances in orders of their own, each as often as the others: with pauses of 0.3 to 1.2 seconds between them, or
 * one directly after the other.
 */
export const joined = (
  utterances: ReadonlyArray<Utterance>,
  {
    minutes,
    hasPauses,
    seed,
  }: { readonly minutes: number; readonly hasPauses: boolean; readonly seed: number },
): LongRecording => {
  const random = seededRandom(seed)
  const wanted = minutes * 60 * SAMPLE_RATE
  const sounds: Array<Int16Array> = []
  const parts: Array<number> = []
  let length = 0
  const add = (sound: Int16Array) => {
    sounds.push(sound)
    length += sound.length
  }
  while (length < wanted) {
    const order = utterances
      .map((_, index) => ({ index, key: random() }))
      .sort((left, right) => left.key - right.key)
    for (const { index } of order) {
      if (length >= wanted) break
      const sound = trimmed(utterances[index]?.samples ?? new Int16Array(0))
      add(sound)
      parts.push(index)
      const pause = hasPauses ? Math.round((0.3 + 0.9 * random()) * SAMPLE_RATE) : 0
      add(Int16Array.from({ length: pause }, () => Math.round((random() - 0.5) * 2 * HUSH)))
    }
  }
  const samples = new Int16Array(length)
  let filled = 0
  for (const sound of sounds) {
    samples.set(sound, filled)
    filled += sound.length
  }
  return { samples, parts }
}
