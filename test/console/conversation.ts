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

const WORD = 380

const sentenceAt = (index: number): string => SENTENCES[index % SENTENCES.length] ?? ""

/** Every window begins with another sentence, and ends where its time does. */
export const spokenIn = ({ start, end }: Pick<AudioWindow, "start" | "end">): EngineAnswer["words"] => {
  const words: Array<{ text: string; start: number; end: number; confidence: number }> = []
  let at = start
  for (let index = Math.floor(start / 28_000) * 5; at < end - WORD; index++) {
    for (const text of sentenceAt(index).split(" ")) {
      if (at + WORD > end) return words
      const isDoubtful = text === "eighty-two," || text === "fish"
      words.push({ text, start: at, end: at + WORD, confidence: isDoubtful ? 0.34 : 0.95 })
      at += WORD
    }
    at += 400
  }
  return words
}
