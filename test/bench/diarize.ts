// Who speaks when: errors and speed of the classical diarizer on conversations of a synthesiser (Debian's package flite), of invented throats, and of
// real people where a folder of them is named. With `--write` the background model is learned again from the readers in EARMARK_BENCH_VOICES, and put
// into core.
import { writeFileSync } from "node:fs"
import { featuresOf, tellSpeakersApart } from "@earmark/core/speakers"
import type { Turn } from "@earmark/core/transcripts"
import {
  conversation,
  diarizationErrors,
  seededRandom,
  spokenBy,
  spokenSentences,
  type Voice,
} from "@earmark/testkit"
import { realMeetings } from "./diarize/meetings.js"
import { trainBackground } from "./diarize/training.js"
import { absolute, atLeast, main, type Outcome, published, sized } from "./harness.js"

const RATE = 16_000
const BLOCK = 600 * RATE
const VOICES: ReadonlyArray<Voice> = ["slt", "rms", "awb", "kal16"]
const SILENCE_BEFORE = 300
const SILENCE_AFTER = 400

interface Conversation {
  readonly samples: Int16Array
  readonly turns: ReadonlyArray<Turn>
}

const spoken = new Map<string, Int16Array>()
const saying = (voice: Voice, sentence: string): Int16Array => {
  const known = spoken.get(`${voice} ${sentence}`) ?? spokenBy(voice, sentence)
  spoken.set(`${voice} ${sentence}`, known)
  return known
}

/** People of the synthesiser who take turns; noise as a share of full scale. */
const synthesised = (count: number, turns: number, seed: number, noise: number): Conversation => {
  const random = seededRandom(seed)
  const parts: Array<Int16Array> = []
  const reference: Array<Turn> = []
  let at = 0
  let speaker = 0
  for (let turn = 0; turn < turns; turn++) {
    if (count > 1) speaker = (speaker + 1 + Math.floor(random() * (count - 1))) % count
    const sentence = spokenSentences[Math.floor(random() * spokenSentences.length)] ?? ""
    const part = saying(VOICES[speaker] ?? "slt", sentence)
    const end = (at + part.length) / 16 - SILENCE_AFTER
    // One who goes on after the pause between two sentences has the turn all the time.
    const last = reference.at(-1)
    if (last?.speaker === `${speaker}`) reference[reference.length - 1] = { ...last, end }
    else reference.push({ start: at / 16 + SILENCE_BEFORE, end, speaker: `${speaker}` })
    parts.push(part)
    at += part.length
  }
  const samples = new Int16Array(at)
  let filled = 0
  for (const part of parts) {
    samples.set(part, filled)
    filled += part.length
  }
  if (noise > 0) {
    for (let index = 0; index < samples.length; index++) {
      samples[index] = (samples[index] ?? 0) * 0.7 + (random() - 0.5) * 2 * noise * 32_767
    }
  }
  return { samples, turns: reference }
}

const blocksOf = (samples: Int16Array) =>
  Array.from({ length: Math.ceil(samples.length / BLOCK) }, (_, index) => {
    const features = featuresOf(samples.subarray(index * BLOCK, (index + 1) * BLOCK))
    return () => [{ start: (index * BLOCK) / 16, features }]
  })

const count = (turns: ReadonlyArray<Turn>): number => new Set(turns.map(({ speaker }) => speaker)).size

/** What real people's conversations come to: published, since sound alone has no bar that it keeps everywhere. */
const meetings = (): ReadonlyArray<Outcome> => {
  const measured = realMeetings().map(({ id, block, turns }) => {
    const expected = count(turns)
    const found = diarizationErrors(turns, tellSpeakersApart([block], null))
    const given = diarizationErrors(turns, tellSpeakersApart([block], { min: expected, max: expected }))
    return { id, expected, found, given }
  })
  if (measured.length === 0) return []
  const right = measured.filter(({ expected, found }) => found.speakers === expected).length
  return [
    ...measured.flatMap(({ id, expected, found, given }) => [
      published(
        `${id}: error rate in percent, ${found.speakers} of ${expected} speakers found`,
        found.rate * 100,
      ),
      published(`${id}: error rate in percent, ${expected} speakers asked for`, given.rate * 100),
    ]),
    published(
      `${measured.length} recordings: right number of speakers in percent`,
      (100 * right) / measured.length,
    ),
  ]
}

const measure = (
  name: string,
  { samples, turns }: Conversation,
  rateBar: number | null,
): ReadonlyArray<Outcome> => {
  const before = process.cpuUsage()
  const blocks = blocksOf(samples)
  const found = tellSpeakersApart(blocks, null)
  const { user, system } = process.cpuUsage(before)
  const speed = samples.length / RATE / ((user + system) / 1e6)
  const { rate, speakers } = diarizationErrors(turns, found)
  const expected = count(turns)
  return [
    absolute(
      `${name}: error rate in percent, ${speakers} speakers found`,
      rate * 100,
      rateBar === null ? "published" : `<= ${rateBar} %, ${expected} speakers`,
      rateBar === null || (rate * 100 <= rateBar && speakers === expected),
    ),
    atLeast(`${name}: times real time per core`, speed, 150),
  ]
}

const DATA = "packages/core/src/speakers/backgroundModelData.ts"
const LINE = /.{1,104}/g

const writeModel = (folder: string) => {
  const lines = Buffer.from(trainBackground(folder)).toString("base64").match(LINE) ?? []
  writeFileSync(
    DATA,
    `/**
 * The background model of voices, made by \`npm run bench -- diarize --write\`: for each of 32 components its weight, 19 means and 19 deviations of
 * one byte each, in base64. docs/decisions/0063-voices-against-a-background.md names the recordings it is learned from, and their licences.
 */
export const BACKGROUND_MODEL = \`
${lines.join("\n")}
\`.replaceAll("\\n", "")
`,
  )
}

const COUNTS = [1, 2, 3, 4].slice(0, sized(4, 2))

const measureAll = (): ReadonlyArray<Outcome> => [
  ...COUNTS.flatMap((count) =>
    measure(
      `${count} clean voice${count === 1 ? "" : "s"}`,
      synthesised(count, sized(24, 4) + 6 * count, count, 0),
      1,
    ),
  ),
  ...COUNTS.flatMap((count) =>
    measure(`${count} in noise`, synthesised(count, sized(24, 4) + 6 * count, 10 + count, 0.02), null),
  ),
  ...measure(
    "3 invented throats, short turns",
    conversation({ speakers: 3, turns: sized(60, 12), seconds: [1, 2.5] }),
    null,
  ),
  ...measure("4 in noise, long", synthesised(4, sized(300, 12), 20, 0.01), null),
  ...meetings(),
]

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  if (!process.argv.includes("--write")) return measureAll()
  const folder = process.env.EARMARK_BENCH_VOICES
  if (folder === undefined) {
    throw new Error(
      "Set EARMARK_BENCH_VOICES to a folder of readers with an index.json to learn the background model from.",
    )
  }
  writeModel(folder)
  return []
}

await main({ tasks: {}, run })
