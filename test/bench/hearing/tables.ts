// The figures as tables of the docs.
import { shareWithin } from "@earmark/testkit"
import { type Measured, type Score, together } from "./scores.js"

export const PAGE = "docs/reference/hearing.md"

const BEGIN = "<!-- figures: npm run bench -- hearing --write -->"
const END = "<!-- end of figures -->"

const table = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | number>>,
): ReadonlyArray<string> => [
  `| ${head.join(" | ")} |`,
  `|${head.map((_, at) => (at === 0 ? "---" : "---:")).join("|")}|`,
  ...rows.map((cells) => `| ${cells.join(" | ")} |`),
  "",
]

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

const kindsOf = (scores: ReadonlyArray<Score>) => [
  ...new Set(scores.flatMap(({ kind, words }) => (words === null ? [] : [kind]))),
]

const wrongWords = (engines: ReadonlyArray<Measured>) => {
  const [first] = engines
  const rows = kindsOf(first?.scores ?? []).map((kind) => {
    const all = engines.map(({ scores }) => together(scores.filter((score) => score.kind === kind)))
    return [kind, all[0]?.said ?? 0, ...all.map(({ wrong, said }) => percent(wrong / said))]
  })
  return table(["kind", "words", ...engines.map(({ name }) => name)], rows)
}

const eachRecording = (engines: ReadonlyArray<Measured>) => {
  const rows = (engines[0]?.scores ?? []).flatMap(({ id, kind, words }, at) => {
    if (words === null) return []
    const wrong = engines.map(({ scores }) => scores[at]?.words?.wrong ?? "")
    return [[id, kind, words.said, ...wrong]]
  })
  return table(["recording", "kind", "words", ...engines.map(({ name }) => name)], rows)
}

const median = (values: ReadonlyArray<number>) =>
  [...values].sort((left, right) => left - right)[values.length >> 1] ?? 0

const wordStarts = (engines: ReadonlyArray<Measured>) => {
  const kinds = [
    ...new Set(engines[0]?.scores.flatMap(({ kind, starts }) => (starts.length === 0 ? [] : [kind]))),
  ]
  const rows = engines.flatMap(({ name, scores }) =>
    kinds.flatMap((kind) => {
      const errors = scores.filter((score) => score.kind === kind).flatMap(({ starts }) => starts)
      if (errors.length === 0) return []
      const mean = errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length)
      const shares = [50, 100, 200].map((limit) => percent(shareWithin(errors, limit)))
      return [[`${name}, ${kind}`, errors.length, Math.round(mean), Math.round(median(errors)), ...shares]]
    }),
  )
  return table(["engine", "right words", "mean, ms", "median, ms", "within 50 ms", "100 ms", "200 ms"], rows)
}

const speakers = (engines: ReadonlyArray<Measured>) => {
  const rows = (engines[0]?.scores ?? []).flatMap(({ id, speakers: there }) =>
    there === null ? [] : [[id, there.there, there.found, percent(there.rate)]],
  )
  return rows.length === 0 ? [] : table(["recording", "speakers", "found", "error"], rows)
}

const speed = (engines: ReadonlyArray<Measured>) =>
  table(
    [
      "engine",
      "times real time per core",
      "over the bare engine",
      "memory of the engine",
      "of everything else",
      "99 of 100 pauses under",
      "longest pause",
    ],
    engines.map(({ name, speed: { seconds, cpu, bare, engineMb, othersMb, pause } }) => [
      name,
      (seconds / cpu).toFixed(1),
      bare === null ? "not measured here" : percent(cpu / bare - 1),
      `${Math.round(engineMb)} MB`,
      `${Math.round(othersMb)} MB`,
      `${Math.round(pause.p99)} ms`,
      `${Math.round(pause.longest)} ms`,
    ]),
  )

const section = (title: string, lines: ReadonlyArray<string>) =>
  lines.length === 0 ? [] : [`### ${title}`, "", ...lines]

/** The page with the figures of today in place of those before. */
export const pageWith = (page: string, engines: ReadonlyArray<Measured>, day: string): string => {
  const [before = "", rest = ""] = page.split(BEGIN)
  const [, after = ""] = rest.split(END)
  const minutes = ((engines[0]?.speed.seconds ?? 0) / 60).toFixed(1)
  const lines = [
    BEGIN,
    "",
    `Measured on ${day} on two shared cores, one engine process.`,
    "",
    ...section("Words wrong", wrongWords(engines)),
    ...section("Word starts", wordStarts(engines)),
    ...section("Speakers", speakers(engines)),
    ...section(`Speed and memory, on ${minutes} minutes in one file`, speed(engines)),
    ...section("Words wrong in each recording", eachRecording(engines)),
    END,
  ]
  return `${before}${lines.join("\n")}${after}`
}
