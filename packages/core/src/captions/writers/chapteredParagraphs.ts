import { cleanText } from "../../text/cleanText.js"
import { type Paragraph, paragraphsOf } from "../../transcripts/paragraphs.js"
import type { Script } from "./Script.js"

/** What an exported document is made of: paragraphs, each with the titles of the chapters that begin at it. */
export interface ChapteredParagraph extends Paragraph {
  readonly chapters: ReadonlyArray<string>
}

/** The paragraphs of a script, one by one; all chapters come out, also those where nothing is said. */
export function* chapteredParagraphs(script: Script): Generator<ChapteredParagraph> {
  const chapters = [...script.chapters].sort((left, right) => left.start - right.start)
  const starts = chapters.map(({ start }) => start)
  const titles = chapters.map(({ title }) => title)
  let next = 0
  const titlesUntil = (time: number): ReadonlyArray<string> => {
    const first = next
    while (next < starts.length && (starts[next] ?? 0) <= time) next++
    return titles.slice(first, next)
  }
  for (const paragraph of paragraphsOf(script.segments, starts, { byWord: script.wordLevel })) {
    yield { ...paragraph, chapters: titlesUntil(paragraph.start) }
  }
  const rest = titlesUntil(Number.POSITIVE_INFINITY)
  const end = script.duration
  if (rest.length > 0)
    yield { start: end, end, speaker: null, text: "", pieces: [], isTurn: false, chapters: rest }
}

/** The paragraphs of a summary, each on one line. */
export const summaryLines = (script: Script): ReadonlyArray<string> =>
  (script.summary ?? "")
    .split(/\n+/)
    .map(cleanText)
    .filter((line) => line !== "")
