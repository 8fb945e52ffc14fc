// What was heard beside what was said.
import { compareTexts } from "@earmark/core/text"
import { diarizationErrors, shareWithin, startErrors } from "@earmark/testkit"
import { Either } from "effect"
import { atLeast, atMost, type Outcome, published } from "../harness.js"
import type { Found } from "./listening.js"
import type { Spoken } from "./recordings.js"

export interface Score {
  readonly id: string
  readonly kind: string
  /** Null where it is not known what is said. */
  readonly words: { readonly wrong: number; readonly said: number } | null
  /** How far the starts of rightly heard words are from the truth, in milliseconds. */
  readonly starts: ReadonlyArray<number>
  readonly speakers: { readonly rate: number; readonly found: number; readonly there: number } | null
  readonly lostSeconds: number
}

export interface Speed {
  readonly seconds: number
  readonly cpu: number
  /** Processor seconds of the engine alone on the same windows; null where it was not run. */
  readonly bare: number | null
  readonly engineMb: number
  readonly othersMb: number
  readonly pause: { readonly p99: number; readonly longest: number }
}

export interface Measured {
  readonly name: string
  readonly scores: ReadonlyArray<Score>
  readonly speed: Speed
}

const wordsOf = (said: string, { words }: Found): Score["words"] => {
  const heard = words.map(({ text }) => text).join(" ")
  const { words: counts } = Either.getOrThrow(compareTexts(said, heard, { language: "en" }))
  return { wrong: counts.substitutions + counts.deletions + counts.insertions, said: counts.reference }
}

const scoreOf = ({ id, kind, said, words, turns }: Spoken, found: Found): Score => {
  const errors = turns === null ? null : diarizationErrors(turns, found.turns)
  return {
    id,
    kind,
    words: said === null ? null : wordsOf(said, found),
    starts: words === null ? [] : startErrors(words, found.words),
    speakers:
      errors === null
        ? null
        : {
            rate: errors.rate,
            found: errors.speakers,
            there: new Set(turns?.map(({ speaker }) => speaker)).size,
          },
    lostSeconds: found.lostSeconds,
  }
}

export const scoresOf = (
  recordings: ReadonlyArray<Spoken>,
  found: ReadonlyArray<Found>,
): ReadonlyArray<Score> =>
  recordings.flatMap((recording, at) => {
    const heard = found[at]
    return heard === undefined ? [] : [scoreOf(recording, heard)]
  })

/** Wrong and said words of several recordings together. */
export const together = (scores: ReadonlyArray<Score>) => ({
  wrong: scores.reduce((sum, { words }) => sum + (words?.wrong ?? 0), 0),
  said: scores.reduce((sum, { words }) => sum + (words?.said ?? 0), 0),
})

/** Published where nothing is asked of the engine. */
const atMostWhere = (bench: string, ours: number, bar: number | undefined): Outcome =>
  bar === undefined ? published(bench, ours) : atMost(bench, ours, bar)

const atLeastWhere = (bench: string, ours: number, bar: number | undefined): Outcome =>
  bar === undefined ? published(bench, ours) : atLeast(bench, ours, bar)

interface Bars {
  /** Words wrong of the quickstart, and of LibriVox. */
  readonly museum: number
  readonly librivox: number
  /** Times real time of one core. */
  readonly speed: number
}

const OVERHEAD = 1.05
const ENGINE_MB = 500
const OTHERS_MB = 200

/** What is asked of the engines that are taken by themselves. */
const BARS: Readonly<Record<string, Bars>> = {
  "moonshine-base": { museum: 2, librivox: 1, speed: 10 },
  "moonshine-tiny": { museum: 2, librivox: 1, speed: 16 },
}

export const outcomesOf = ({ name, scores, speed }: Measured): ReadonlyArray<Outcome> => {
  const bars = BARS[name]
  const of = (kind: string) => together(scores.filter((score) => score.kind === kind))
  const kinds = [...new Set(scores.flatMap(({ kind, words }) => (words === null ? [] : [kind])))]
  const rates = kinds.map((kind) => {
    const { wrong, said } = of(kind)
    return published(`${name}: ${kind}, words wrong of ${said}, %`, (100 * wrong) / said)
  })
  const museum = of("quickstart (synthesised)")
  const librivox = of("read, LibriVox")
  const starts = scores.flatMap((score) => score.starts)
  const meetings = scores.flatMap(({ speakers }) => (speakers === null ? [] : [speakers]))
  const meanRate = meetings.reduce((sum, { rate }) => sum + rate, 0) / Math.max(1, meetings.length)
  return [
    ...rates,
    atMostWhere(`${name}: quickstart, words wrong of ${museum.said}`, museum.wrong, bars?.museum),
    atMostWhere(`${name}: LibriVox, words wrong of ${librivox.said}`, librivox.wrong, bars?.librivox),
    published(`${name}: word starts within 50 ms, %`, 100 * shareWithin(starts, 50)),
    ...(meetings.length === 0 ? [] : [published(`${name}: meetings, speaker error, %`, 100 * meanRate)]),
    atLeastWhere(`${name}: times real time per core, whole pipeline`, speed.seconds / speed.cpu, bars?.speed),
    ...(speed.bare === null
      ? []
      : [
          {
            bench: `${name}: processor seconds beside the bare engine`,
            ours: speed.cpu,
            rival: speed.bare,
            rivalName: "the engine alone",
            ratio: speed.cpu / speed.bare,
            bar: `<= ${OVERHEAD}`,
            pass: speed.cpu / speed.bare <= OVERHEAD,
          },
        ]),
    atMostWhere(`${name}: memory of the engine, MB`, speed.engineMb, ENGINE_MB),
    atMostWhere(`${name}: memory of everything else, MB`, speed.othersMb, OTHERS_MB),
    published(`${name}: longest pause of the event loop, ms`, speed.pause.longest),
  ]
}
