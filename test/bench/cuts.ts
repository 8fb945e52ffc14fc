// What cuts cost: words wrong, doubled and lost in long recordings beside the same utterances heard one by one.
// `npm run bench -- cuts [FOLDER] [--minutes N] [--model ID]`: FOLDER has an index.json with `file`, `text` and `lang` of recordings.
import { compareTexts, markedAlignment, normalizedWords } from "@earmark/core/text"
import { Either } from "effect"
import { type HeardRecording, withEar } from "../e2e/ear.js"
import { hearingModels } from "../servers/hearingModels.js"
import { joined, readUtterances, type Utterance } from "./cuts/utterances.js"
import { atMost, main, type Outcome, published, sized } from "./harness.js"

const MOST_EXTRA = 0.1

const setting = (option: string): string | undefined => {
  const at = process.argv.indexOf(option)
  return at < 0 ? undefined : process.argv[at + 1]
}

const minutes = Number(setting("--minutes") ?? sized(15, 0.2))
const model = setting("--model") ?? "moonshine-base"
const folder = process.argv
  .slice(2)
  .find((text, at, all) => !text.startsWith("--") && !/^--(minutes|model)$/.test(all[at - 1] ?? ""))

interface Errors {
  readonly wrong: number
  readonly doubled: number
  readonly lost: number
  readonly words: number
}

const none: Errors = { wrong: 0, doubled: 0, lost: 0, words: 0 }

const plus = (left: Errors, right: Errors): Errors => ({
  wrong: left.wrong + right.wrong,
  doubled: left.doubled + right.doubled,
  lost: left.lost + right.lost,
  words: left.words + right.words,
})

const comparison = (said: string, heard: string) => Either.getOrThrow(compareTexts(said, heard))

const errorsOf = (said: string, heard: string): Errors => {
  const { words } = comparison(said, heard)
  return {
    wrong: words.substitutions,
    doubled: words.insertions,
    lost: words.deletions,
    words: words.reference,
  }
}

/** A cut concerns so many words before and after it. */
const NEAR = 4

/** How many words of a recording were heard before each of its cuts. */
const wordsBeforeCuts = ({ spans, words }: HeardRecording): ReadonlySet<number> => {
  const ordered = [...spans].sort((left, right) => left.start - right.start)
  return new Set(
    ordered.slice(1).map(({ start }, at) => {
      const cut = (start + (ordered[at]?.end ?? start)) / 2
      const before = words.filter((word) => (word.start + word.end) / 2 < cut)
      return normalizedWords(before.map(({ text }) => text).join(" "), "en").length
    }),
  )
}

/** Errors for each word that was said; a word too many is one of the word after it. */
const errorsByWord = (said: string, heard: string, cuts: ReadonlySet<number> = new Set()) => {
  const counts: Array<number> = [0]
  const near: Array<number> = []
  let at = 0
  let place = 0
  for (const { kind } of comparison(said, heard).alignment) {
    if (kind !== "hit") counts[at] = (counts[at] ?? 0) + 1
    if (kind !== "insertion") counts[++at] = 0
    if (kind !== "deletion" && cuts.has(++place)) near.push(at)
  }
  return { counts, near }
}

const errorsNear = (counts: ReadonlyArray<number>, cuts: ReadonlyArray<number>): number => {
  const places = new Set(
    cuts.flatMap((cut) => Array.from({ length: 2 * NEAR + 1 }, (_, at) => cut - NEAR + at)),
  )
  return [...places].reduce((sum, place) => sum + (counts[place] ?? 0), 0)
}

/** What was heard around a word that was said, with every error marked. */
const markedAround = (alignment: ReturnType<typeof comparison>["alignment"], word: number): string => {
  let at = 0
  const around = alignment.filter(({ kind }) => {
    const isNear = Math.abs(at - word) <= NEAR
    if (kind !== "insertion") at += 1
    return isNear
  })
  return markedAlignment(around)
}

const compare = (
  name: string,
  {
    utterances,
    parts,
    alone,
    long,
  }: {
    readonly utterances: ReadonlyArray<Utterance>
    readonly parts: ReadonlyArray<number>
    readonly alone: ReadonlyArray<string>
    readonly long: HeardRecording
  },
): ReadonlyArray<Outcome> => {
  const said = parts.map((part) => utterances[part]?.said ?? "")
  const single = parts.map((part) => alone[part] ?? "")
  const before = said.map((text, at) => errorsOf(text, single[at] ?? "")).reduce(plus, none)
  const after = errorsOf(said.join(" "), long.text)
  const extra = after.wrong + after.doubled + after.lost - before.wrong - before.doubled - before.lost
  const share = (100 * extra) / after.words
  const { counts, near } = errorsByWord(said.join(" "), long.text, wordsBeforeCuts(long))
  const atCuts = errorsNear(counts, near)
  const elsewhere = errorsNear(errorsByWord(said.join(" "), single.join(" ")).counts, near)
  const overlaps = long.spans.filter(({ start }) =>
    long.spans.some((other) => other.start < start && other.end > start),
  ).length
  const { alignment } = comparison(said.join(" "), long.text)
  for (const cut of near)
    if (errorsNear(counts, [cut]) > 0) console.error(`${name}: ${markedAround(alignment, cut)}`)
  return [
    atMost(
      `${name}: extra errors of ${after.words} words in ${long.spans.length} windows, ${overlaps} with overlap, %`,
      share,
      MOST_EXTRA,
    ),
    published(`${name}: extra errors within ${NEAR} words of a cut`, atCuts - elsewhere),
    published(
      `${name}: errors of the utterances alone, %`,
      (100 * (before.wrong + before.doubled + before.lost)) / after.words,
    ),
    published(`${name}: extra words wrong`, after.wrong - before.wrong),
    published(`${name}: extra words doubled or invented`, after.doubled - before.doubled),
    published(`${name}: extra words lost`, after.lost - before.lost),
    published(`${name}: windows reported as lost`, long.lost),
  ]
}

const run = async (): Promise<ReadonlyArray<Outcome>> => {
  const models = process.env.EARMARK_MODELS_DIR ?? (await hearingModels())
  if (models === null) throw new Error("There are no models to hear with.")
  const all = readUtterances(folder ?? null)
  const utterances = all.slice(0, sized(all.length, 2))
  return withEar(models, model, async (hear) => {
    const alone: Array<string> = []
    for (const { samples } of utterances) alone.push((await hear(samples)).text)
    const outcomes: Array<Outcome> = []
    for (const [name, hasPauses] of [
      ["with pauses", true],
      ["without a pause", false],
    ] as const) {
      const { samples, parts } = joined(utterances, { minutes, hasPauses, seed: 15 })
      const long = await hear(samples)
      outcomes.push(...compare(name, { utterances, parts, alone, long }))
    }
    return outcomes
  })
}

await main({ run })
