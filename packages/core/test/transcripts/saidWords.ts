/** Words that are said one after the other, and the lines that are made of them. */
import { assemble, type Turn, type Word } from "@earmark/core/transcripts"

/** Words of `each` milliseconds, one after the other; a number is a pause. */
export const said = (
  text: string,
  start = 0,
  each = 400,
  speaker: string | null = null,
): ReadonlyArray<Word> => {
  let time = start
  return text.split(" ").flatMap((part) => {
    if (/^\d+$/.test(part)) {
      time += Number(part)
      return []
    }
    const word = { text: part, start: time, end: time + each, confidence: null, speaker }
    time += each
    return [word]
  })
}

export const assembled = (words: ReadonlyArray<Word>, turns: ReadonlyArray<Turn> = []) =>
  assemble({ language: "en", duration: 600_000, words, turns }).segments

export const lines = (words: ReadonlyArray<Word>, turns: ReadonlyArray<Turn> = []) =>
  assembled(words, turns).map(({ speaker, text }) => (speaker === null ? text : `${speaker}: ${text}`))
