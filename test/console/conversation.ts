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

/** When sentences begin, and which they are: windows of 28 seconds, each begun with another sentence. */
const WINDOW = 28_000

/** Who speaks when: questions and answers take turns. */
export const turnsUntil = (length: number) => {
  const turns: Array<{ start: number; end: number; speaker: string }> = []
  for (let from = 0; from < length; from += WINDOW) {
    let at = from
    for (let index = Math.floor(from / WINDOW) * 5; at < Math.min(from + WINDOW, length); index++) {
      const end = at + sentenceAt(index).split(" ").length * WORD + 400
      turns.push({
        start: at,
        end: Math.min(end, from + WINDOW, length),
        speaker: SPEAKERS[index % SENTENCES.length] ?? "A",
      })
      at = end
    }
  }
  return turns
}

/** Every window begins with another sentence, and ends where its time does. */
export const spokenIn = ({ start, end }: Pick<AudioWindow, "start" | "end">): EngineAnswer["words"] => {
  const words: Array<{ text: string; start: number; end: number; confidence: number }> = []
  let at = start
  for (let index = Math.floor(start / WINDOW) * 5; at < end - WORD; index++) {
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
