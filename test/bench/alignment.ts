// Errors and speed of the forced aligner. With `--write` the model of sounds is learnt again and put into core.
import { writeFileSync } from "node:fs"
import {
  alignWindow,
  alignWords,
  DOUBTFUL_MISFIT,
  readSoundModel,
  type SoundModel,
} from "@earmark/core/alignment"
import { SAMPLE_RATE } from "@earmark/core/audio"
import { shareWithin, spokenSentences, spokenWords, type Voice } from "@earmark/testkit"
import { librivox, noisy, type Recording, spontaneous } from "./alignment/recordings.js"
import { trainSoundModel, VOICES } from "./alignment/training.js"
import { atLeast, atMost, main, type Outcome, published, sized } from "./harness.js"

const sentences = spokenSentences.slice(0, sized(spokenSentences.length, 4))

const DATA = "packages/core/src/alignment/soundModelData.ts"
const LINE = /.{1,104}/g

const writeModel = () => {
  const lines = Buffer.from(trainSoundModel(VOICES)).toString("base64").match(LINE) ?? []
  writeFileSync(
    DATA,
    `/**
 * The model of sounds, made by \`npm run bench -- alignment --write\`: 39 means and 39 deviations for each state of each phone, a byte
 * each, in base64. docs/explanation/how-words-get-their-times.md says what it is learnt from.
 */
export const SOUND_MODEL = \`
${lines.join("\n")}
\`.replaceAll("\\n", "")
`,
  )
}

const textsOf = ({ words }: Recording) => words.map(({ text }) => text)

/** How far the starts of words are from the truth, in milliseconds, least first. */
const errorsOf = (recordings: ReadonlyArray<Recording>, model?: SoundModel): ReadonlyArray<number> =>
  recordings
    .flatMap((recording) => {
      const { times } = alignWords(recording.samples, textsOf(recording), { model })
      return recording.words.flatMap(({ start }, index) =>
        Number.isNaN(start) ? [] : [Math.abs((times[index]?.start ?? 0) - start)],
      )
    })
    .sort((left, right) => left - right)

const meanOf = (values: ReadonlyArray<number>) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const figures = (name: string, errors: ReadonlyArray<number>) => ({
  mean: { name: `${name}: mean error of ${errors.length} word starts, ms`, value: meanOf(errors) },
  median: published(`${name}: median error, ms`, errors[errors.length >> 1] ?? 0),
  within: (limit: number) => ({
    name: `${name}: within ${limit} ms, %`,
    value: 100 * shareWithin(errors, limit),
  }),
})

const clean = (voice: Voice): ReadonlyArray<Recording> =>
  sentences.map((sentence) => spokenWords(voice, sentence))

/** Each voice aligned by a model that never heard it. */
const heldOut = (voice: Voice): ReadonlyArray<Outcome> => {
  const model = readSoundModel(
    trainSoundModel(VOICES.filter((other) => other !== voice).slice(0, sized(VOICES.length, 1))),
  )
  const recordings = clean(voice)
  const quiet = figures(`${voice} held out`, errorsOf(recordings, model))
  const loud = figures(
    `${voice} held out, in noise`,
    errorsOf(
      recordings.map((recording, index) => noisy(recording, index)),
      model,
    ),
  )
  return [
    atMost(quiet.mean.name, quiet.mean.value, 20),
    quiet.median,
    atLeast(quiet.within(50).name, quiet.within(50).value, 95),
    published(loud.mean.name, loud.mean.value),
    loud.median,
    atLeast(loud.within(200).name, loud.within(200).value, 95),
  ]
}

const read = (): ReadonlyArray<Outcome> => {
  const { mean, median, within } = figures("LibriVox", errorsOf(librivox()))
  return [atMost(mean.name, mean.value, 25), median, atLeast(within(50).name, within(50).value, 90)]
}

const free = (): ReadonlyArray<Outcome> => {
  const recordings = spontaneous()
  if (recordings === null) return []
  const { mean, median, within } = figures("spontaneous", errorsOf(recordings))
  const shares = [50, 200].map(within)
  return [
    published(mean.name, mean.value),
    median,
    ...shares.map(({ name, value }) => published(name, value)),
  ]
}

/** Two voices that take turns in one window: words whose middle lies in the turn of the other. */
const turns = (): ReadonlyArray<Outcome> => {
  let wrong = 0
  let count = 0
  for (const [index, sentence] of sentences.entries()) {
    const answer = sentences[(index + 7) % sentences.length] ?? ""
    const first = spokenWords(VOICES[index % 4] ?? "slt", sentence)
    const second = spokenWords(VOICES[(index + 1) % 4] ?? "rms", answer)
    const samples = new Int16Array(first.samples.length + second.samples.length)
    samples.set(first.samples)
    samples.set(second.samples, first.samples.length)
    const border = (first.samples.length * 1000) / SAMPLE_RATE
    const { times } = alignWords(samples, [...textsOf(first), ...textsOf(second)])
    for (const [at, { start, end }] of times.entries()) {
      count += 1
      if ((start + end) / 2 < border !== at < first.words.length) wrong += 1
    }
  }
  return [atMost(`two voices: of ${count} words in the wrong turn, %`, (100 * wrong) / count, 0.5)]
}

/** How often right and wrong texts are doubted. */
const doubts = (): ReadonlyArray<Outcome> => {
  const windows = [...librivox(), ...VOICES.flatMap(clean)]
  const doubted = (textOf: (index: number) => ReadonlyArray<string>) => {
    const over = windows.filter(({ samples }, index) => {
      const found = alignWindow(samples, textOf(index), { decoy: true })
      return (found?.misfit ?? 1) > DOUBTFUL_MISFIT
    })
    return (100 * over.length) / windows.length
  }
  const texts = windows.map(textsOf)
  return [
    atMost(
      "right texts doubted, %",
      doubted((index) => texts[index] ?? []),
      1,
    ),
    atLeast(
      "other texts doubted, %",
      doubted((index) => texts[(index + 3) % texts.length] ?? []),
      95,
    ),
  ]
}

const speed = (): ReadonlyArray<Outcome> => {
  const recordings = librivox()
  const long = new Int16Array(recordings.reduce((sum, { samples }) => sum + samples.length, 0))
  let filled = 0
  for (const { samples } of recordings) {
    long.set(samples, filled)
    filled += samples.length
  }
  const texts = recordings.flatMap(textsOf)
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < sized(6, 1); round++) {
    const before = process.cpuUsage()
    alignWords(long, texts)
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1e6)
  }
  const seconds = long.length / SAMPLE_RATE
  return [atLeast(`a window of ${Math.round(seconds)} s: times real time per core`, seconds / best, 150)]
}

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  if (process.argv.includes("--write")) writeModel()
  return [
    ...read(),
    ...free(),
    ...VOICES.slice(0, sized(VOICES.length, 1)).flatMap(heldOut),
    ...turns(),
    ...doubts(),
    ...speed(),
  ]
}

await main({ run })
