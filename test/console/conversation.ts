/** What is said in the recordings of these tests: a text that reads like one, with times and a few doubts. */
import type { AudioWindow, EngineAnswer } from "@earmark/service"

const SENTENCES = [
  "Good morning, and welcome to the museum of everyday things.",
  "We open at ten, and the reading room stays open until six.",
  "Then I would like to see the old account books, if they are in this building.",
  "They are. All of the bound volumes are in the area behind the glass doors.",
  "How far back do they go?",
  "The earliest one is from sixteen eighty-two, and it is mostly about the price of salt.",
  "Salt was the thing that everybody needed and nobody could make at home.",
  "A single barrel could pay a carpenter for most of a month.",
  "So the books of a salt merchant are really the books of a whole town.",
  "You can follow one family through four generations without leaving the shelf.",
  "And who wrote them? The handwriting changes every few pages.",
  "Apprentices, mostly. You see them get better at sums as they grow up.",
  "There is one who draws a small fish whenever he makes a mistake.",
  "We counted the fish once. There are two hundred and eleven of them.",
  "That may be the most honest bookkeeping I have ever heard of.",
  "Let us walk over, and I will show you his last page.",
] as const

/** Who says each sentence. */
const SPEAKERS = "AABABAAAAABAABBA"

const WORD = 380

const sentenceAt = (index: number): string => SENTENCES[index % SENTENCES.length] ?? ""

/** Windows of 28 seconds, each begun with the fifth sentence after the one that began the window before. */
const WINDOW = 28_000
const PAUSE = 400

/** The sentences of a window. One that does not fit is left out, unless nothing else was said. */
const sentencesIn = (start: number, end: number) => {
  const sentences: Array<{ start: number; words: ReadonlyArray<string>; speaker: string }> = []
  let at = start
  for (let index = Math.floor(start / WINDOW) * 5; ; index++) {
    const words = sentenceAt(index).split(" ")
    const fits = at + words.length * WORD <= end
    if (!fits && (sentences.length > 0 || at + WORD > end)) return sentences
    const spoken = words.slice(0, Math.floor((end - at) / WORD))
    sentences.push({ start: at, words: spoken, speaker: SPEAKERS[index % SENTENCES.length] ?? "A" })
    at += words.length * WORD + PAUSE
  }
}

/** Who speaks when: questions and answers take turns. */
export const turnsUntil = (length: number) => {
  const turns: Array<{ start: number; end: number; speaker: string }> = []
  for (let from = 0; from < length; from += WINDOW)
    for (const { start, words, speaker } of sentencesIn(from, Math.min(from + WINDOW, length)))
      turns.push({ start, end: start + words.length * WORD + PAUSE, speaker })
  return turns
}

/** What is said in a window. */
export const spokenIn = ({ start, end }: Pick<AudioWindow, "start" | "end">): EngineAnswer["words"] =>
  sentencesIn(start, end).flatMap((sentence) =>
    sentence.words.map((text, index) => {
      const at = sentence.start + index * WORD
      const isDoubtful = text === "eighty-two," || text === "fish"
      return { text, start: at, end: at + WORD, confidence: isDoubtful ? 0.34 : 0.95 }
    }),
  )
