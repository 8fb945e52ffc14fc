import { applyEdits, type EditOperation } from "@earmark/core/edits"
import {
  alignUnits,
  chaptersOf,
  compareTexts,
  identifyLanguage,
  prepareSearch,
  summarize,
} from "@earmark/core/text"
import { assemble, integrityOf, textOf } from "@earmark/core/transcripts"
import { generatedRecording, seededRandom } from "@earmark/testkit"
import * as Either from "effect/Either"
import { atMost, main, type Outcome, race, sized, timed } from "./harness.js"
import { publicTexts } from "./text/publicTexts.js"
import { asking } from "./text/questions.js"
import { evenBoundaries, pk, textTiling } from "./text/topicRivals.js"

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

const best = (task: () => unknown, rounds = 5) =>
  Math.min(...Array.from({ length: sized(rounds, 1) }, () => timed(task)))

const long = generatedRecording({ seed: 7, topics: sized(130, 6), sentences: [30, 80] })
const hours = long.transcript.duration / 3_600_000

/** Which of the sentences a chapter boundary stands at: every generated segment is one sentence. */
const boundariesOf = (starts: ReadonlyArray<number>, segments: ReadonlyArray<{ readonly start: number }>) =>
  starts.map((time) => segments.findIndex(({ start }) => start >= time))

/** Of three operations one joins two lines and two correct one. */
const fiveHundredEdits = (lines: ReadonlyArray<{ readonly text: string }>): ReadonlyArray<EditOperation> =>
  Array.from({ length: 500 }, (_, at): EditOperation => {
    const line = (at * 13) % Math.floor(lines.length / 3)
    if (at % 3 === 0) return { type: "merge", line }
    return { type: "text", line, text: `Corrected ${lines[line]?.text ?? ""} indeed` }
  })

const chapterQuality = (): ReadonlyArray<Outcome> => {
  const scores = { ours: [0], textTiling: [0], even: [0] }
  for (const list of Object.values(scores)) list.length = 0
  for (let seed = 100; seed < sized(130, 102); seed++) {
    const { transcript, topicStarts } = generatedRecording({
      seed,
      topics: 5 + (seed % 6),
      sentences: [35, 120],
      focus: 0.2 + 0.02 * (seed % 10),
    })
    const { segments } = transcript
    const truth = boundariesOf(topicStarts, segments)
    const score = (found: ReadonlyArray<number>) => pk(truth, found, segments.length)
    const starts = chaptersOf(transcript)
      .slice(1)
      .map(({ start }) => start)
    scores.ours.push(score(boundariesOf(starts, segments)))
    scores.textTiling.push(score(textTiling(segments.map(({ text }) => text))))
    scores.even.push(score(evenBoundaries(segments.length, truth.length)))
  }
  const against = (rivalName: string, values: ReadonlyArray<number>, bar: number): Outcome => {
    const [ours, rival] = [mean(scores.ours), mean(values)]
    const ratio = ours / rival
    return {
      bench: "chapters, Pk (lower is better)",
      ours,
      rival,
      rivalName,
      ratio,
      bar: `<= ${bar}x`,
      pass: ratio <= bar,
    }
  }
  return [
    against("TextTiling", scores.textTiling, 0.5),
    against("even spacing, number known", scores.even, 0.4),
    atMost("chapters, Pk", mean(scores.ours), 0.15, ""),
  ]
}

const QUERIES = [
  "kalomi",
  "ren tas",
  "the",
  '"what they"',
  "vorka",
  "sil",
  "nofu",
  "that it was",
  "mi",
  "dropun",
]

const searching = (): ReadonlyArray<Outcome> => {
  const { segments } = long.transcript
  const index = prepareSearch(segments)
  const words = segments
    .slice(0, 2000)
    .map(({ words }, at) => words[at % words.length]?.text.toLowerCase() ?? "a")
  const queries = [...QUERIES, ...words.filter((_, at) => at % 40 === 0)]
  const naive = (query: string) => {
    const wanted = query.toLowerCase().split(" ")
    return segments.filter(({ text }) => {
      const folded = text.normalize("NFKD").toLowerCase()
      return wanted.every((word) => folded.includes(word))
    }).length
  }
  const median = (search: (query: string) => unknown) => {
    const times = queries.map((query) => {
      const started = performance.now()
      search(query)
      return performance.now() - started
    })
    return times.sort((a, b) => a - b)[times.length >> 1] ?? 0
  }
  let [ours, rival] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < sized(5, 1); round++) {
    ours = Math.min(
      ours,
      median((query) => index.search({ query })),
    )
    rival = Math.min(rival, median(naive))
  }
  return [
    atMost(
      "search, prepare 10 h, ms",
      best(() => prepareSearch(segments)),
      50,
      " ms",
    ),
    atMost("search, query p50, ms", ours, 2, " ms"),
    {
      bench: "search, query p50, ms",
      ours,
      rival,
      rivalName: "naive scan",
      ratio: rival / ours,
      bar: ">= 2x",
      pass: rival / ours >= 2,
    },
  ]
}

/** Three in a hundred words left out, three changed, one and a half put in. */
const misheard = (words: ReadonlyArray<string>) => {
  const random = seededRandom(9)
  return words.flatMap((word) => {
    const chance = random()
    if (chance < 0.03) return []
    return chance < 0.06 ? [`xx${word}`] : chance > 0.985 ? [word, "extra"] : [word]
  })
}

/** The plain way: two rows of the full table, the distance alone. */
const fullTable = (a: ReadonlyArray<string>, b: ReadonlyArray<string>) => {
  const numbers = new Map<string, number>()
  const numberOf = (word: string) => numbers.get(word) ?? numbers.set(word, numbers.size).size - 1
  const [left, right] = [Int32Array.from(a, numberOf), Int32Array.from(b, numberOf)]
  let before = Int32Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let row = 1; row <= left.length; row++) {
    const next = new Int32Array(right.length + 1)
    next[0] = row
    for (let at = 1; at <= right.length; at++) {
      const changed = (before[at - 1] ?? 0) + (left[row - 1] === right[at - 1] ? 0 : 1)
      next[at] = Math.min(changed, (before[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1)
    }
    before = next
  }
  return before[right.length] ?? 0
}

const comparing = (): ReadonlyArray<Outcome> => {
  const all = long.words.map(({ text }) => text)
  const compare = (count: number) => () => {
    const said = all.slice(0, count)
    return compareTexts(said.join(" "), misheard(said).join(" "), { language: null })
  }
  const align = (count: number) => () => alignUnits(all.slice(0, count), misheard(all.slice(0, count)))
  const short = all.slice(0, 10_000)
  const heard = misheard(short)
  const times = race({ ours: align(10_000), fullTable: () => fullTable(short, heard) }, 3)
  return [
    {
      bench: "wer, 10,000 words, ms",
      ours: times.ours,
      rival: times.fullTable,
      rivalName: "full table without alignment",
      ratio: times.fullTable / times.ours,
      bar: ">= 10x",
      pass: times.fullTable / times.ours >= 10,
    },
    atMost("wer, 30,000 words, ms", best(align(30_000), 3), 2100, " ms"),
    atMost("wer, 90,000 words, ms", best(align(90_000), 2), 10_000, " ms"),
    atMost("wer and cer, 10,000 words, ms", best(compare(10_000), 3), 2100, " ms"),
  ]
}

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const { transcript, words, voice } = long
  const turns = transcript.segments.map(({ start, end, speaker }) => ({ start, end, speaker: speaker ?? "" }))
  console.error(`${words.length} words, ${hours.toFixed(1)} h, ${transcript.segments.length} sentences`)
  const { duration, segments } = transcript
  const text = textOf(segments)
  const edits = fiveHundredEdits(segments)
  const minute = { ...transcript, segments: segments.slice(0, 600) }
  const judging = race(
    {
      ours: () => integrityOf({ duration, segments, voice }),
      stringify: () => JSON.stringify(segments),
    },
    9,
  )
  // 50 ms on a quiet machine; against a yardstick, because few machines are quiet.
  const integrityRow: Outcome = {
    bench: "integrity of 10 h, ms",
    ours: judging.ours,
    rival: judging.stringify,
    rivalName: "JSON.stringify of the same",
    ratio: judging.ours / judging.stringify,
    bar: "<= 2x",
    pass: judging.ours / judging.stringify <= 2,
  }
  return [
    atMost(
      "assemble 10 h from words and turns, ms",
      best(() => assemble({ language: "en", duration, words, turns })),
      400,
      " ms",
    ),
    atMost(
      "text of 10 h, ms",
      best(() => textOf(segments)),
      50,
      " ms",
    ),
    integrityRow,
    atMost(
      "chapters of 10 h, ms",
      best(() => chaptersOf(transcript), 3),
      2000,
      " ms",
    ),
    atMost(
      "summary of 600 sentences, ms",
      best(() => summarize(minute), 3),
      310,
      " ms",
    ),
    atMost(
      "summary of 10 h, ms",
      best(() => summarize(transcript), 3),
      4000,
      " ms",
    ),
    atMost(
      "language of 10 h of text, ms",
      best(() => identifyLanguage(text)),
      20,
      " ms",
    ),
    atMost(
      "500 edits of 10 h, ms",
      best(() => Either.getOrThrow(applyEdits(transcript, edits))),
      50,
      " ms",
    ),
    ...chapterQuality(),
    ...publicTexts(),
    ...searching(),
    ...comparing(),
    ...(await asking()),
  ]
}

await main({ run })
