// Recordings with what is said in them: those of the project, and those of a folder that EARMARK_BENCH_SPEECH names.
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SAMPLE_RATE, writeWav } from "@earmark/core/audio"
import type { Turn } from "@earmark/core/transcripts"
import type { Started } from "@earmark/testkit"
import { Schema } from "effect"
import { addNoise, decoded } from "../alignment/recordings.js"
import { sized } from "../harness.js"

export interface Spoken {
  readonly id: string
  /** What is alike in the table: `read`, `spontaneous`, `meeting`, a condition. */
  readonly kind: string
  readonly path: string
  readonly said: string | null
  /** Milliseconds. */
  readonly words: ReadonlyArray<Started> | null
  readonly turns: ReadonlyArray<Turn> | null
}

const stretch = { start: Schema.Number, end: Schema.Number }

/** Seconds. */
const Index = Schema.parseJson(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      file: Schema.String,
      kind: Schema.String,
      lang: Schema.String,
      text: Schema.optional(Schema.String),
      words: Schema.optional(Schema.Array(Schema.Struct({ ...stretch, text: Schema.String }))),
      turns: Schema.optional(Schema.Array(Schema.Struct({ ...stretch, speaker: Schema.String }))),
    }),
  ),
)

const ofFolder = (folder: string): ReadonlyArray<Spoken> =>
  Schema.decodeUnknownSync(Index)(readFileSync(join(folder, "index.json"), "utf8"))
    .filter(({ lang }) => lang === "en")
    .map(({ id, file, kind, text, words, turns }) => ({
      id,
      kind,
      path: join(folder, file),
      said: text ?? null,
      words: words?.map((word) => ({ text: word.text, start: word.start * 1000 })) ?? null,
      turns:
        turns?.map(({ start, end, speaker }) => ({ start: start * 1000, end: end * 1000, speaker })) ?? null,
    }))

const LIBRIVOX = "test/speech/librivox/"

const ofProject = (): ReadonlyArray<Spoken> => {
  const files: Record<string, ReadonlyArray<Started>> = JSON.parse(
    readFileSync(`${LIBRIVOX}words.json`, "utf8"),
  )
  const read = Object.entries(files).map(([name, words]) => ({
    id: `librivox-${name}`,
    kind: "read, LibriVox",
    path: `${LIBRIVOX}${name}.wav`,
    said: words.map(({ text }) => text).join(" "),
    words,
    turns: null,
  }))
  const museum = {
    id: "museum",
    kind: "quickstart (synthesised)",
    path: "examples/quickstart/museum.ogg",
    said: readFileSync("examples/quickstart/museum-said.txt", "utf8"),
    words: null,
    turns: null,
  }
  return [museum, ...read]
}

const QUIET = SAMPLE_RATE / 2
/** Seconds of the file for speed. */
const LONG = sized(180, 5)

const joined = (parts: ReadonlyArray<Int16Array>): Int16Array => {
  const all = new Int16Array(parts.reduce((sum, part) => sum + part.length + QUIET, 0))
  let filled = 0
  for (const part of parts) {
    all.set(part, filled)
    filled += part.length + QUIET
  }
  return all
}

/** How far into the first recording the second voice begins. */
const INTERRUPTED_AT = 0.7

/** The second one begins before the first has ended, as loud as it. */
const overlapping = (first: Int16Array, second: Int16Array): Int16Array => {
  const level = (samples: Int16Array) =>
    Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length)
  const gain = level(first) / level(second)
  const from = Math.round(first.length * INTERRUPTED_AT)
  const mixed = new Float64Array(Math.max(first.length, from + second.length))
  for (const [at, value] of first.entries()) mixed[at] = value
  for (const [at, value] of second.entries()) mixed[from + at] = (mixed[from + at] ?? 0) + value * gain
  const loudest = mixed.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
  return Int16Array.from(mixed, (value) => (value * 20_000) / loudest)
}

/** Through a telephone: 300 to 3400 Hz, 8 kHz, mu-law. */
const telephone = (from: string, to: string) => {
  const band = ["-af", "highpass=f=300,lowpass=f=3400", "-ar", "8000", "-ac", "1", "-c:a", "pcm_mulaw"]
  const { status, stderr } = spawnSync("ffmpeg", ["-v", "error", "-nostdin", "-y", "-i", from, ...band, to])
  if (status !== 0) throw new Error(`Cannot make ${to}: ${stderr}`)
}

interface Gathered {
  readonly recordings: ReadonlyArray<Spoken>
  /** What is said in them one after the other, in one file: for speed and memory. */
  readonly long: string
}

/** The recordings, and the same in worse conditions; what is made of them goes into the folder. */
export const gather = (folder: string): Gathered => {
  mkdirSync(folder, { recursive: true })
  const own = process.env.EARMARK_BENCH_SPEECH
  if (own === undefined)
    process.stderr.write(
      "Only the project's own recordings: set EARMARK_BENCH_SPEECH to a folder with index.json and recordings for more.\n",
    )
  const all = [...ofProject(), ...(own === undefined ? [] : ofFolder(own))]
  const plain = all.slice(-sized(all.length, 1))
  const spoken = plain.flatMap((each) => (each.said === null ? [] : [{ ...each, said: each.said }]))
  const samples = spoken.map(({ path }) => decoded(path))
  const write = (name: string, made: Int16Array) => {
    writeFileSync(join(folder, name), writeWav(made))
    return join(folder, name)
  }
  const conditions = spoken.flatMap(({ id, said, words }, at): ReadonlyArray<Spoken> => {
    const same = { said, words, turns: null }
    const phone = join(folder, `${id}-phone.wav`)
    telephone(spoken[at]?.path ?? "", phone)
    const noise = addNoise(Float64Array.from(samples[at] ?? []), at, 10)
    return [
      { ...same, id: `${id}, telephone`, kind: "telephone, 8 kHz", path: phone },
      { ...same, id: `${id}, noise`, kind: "10 dB noise", path: write(`${id}-noise.wav`, noise) },
    ]
  })
  // The first has two voices of its own.
  const pairs = spoken.flatMap(({ id, said }, at): ReadonlyArray<Spoken> => {
    const other = spoken[at + 1]
    const [first, second] = [samples[at], samples[at + 1]]
    if (at % 2 === 0 || other === undefined || first === undefined || second === undefined) return []
    const path = write(`${id}-pair.wav`, overlapping(first, second))
    const kind = "two voices, one interrupts the other"
    const both = `${said} ${other.said}`
    return [{ id: `${id} and ${other.id}`, kind, path, said: both, words: null, turns: null }]
  })
  const path = write("long.wav", joined(samples).subarray(0, LONG * SAMPLE_RATE))
  return { recordings: [...plain, ...conditions, ...pairs], long: path }
}
