import type { Word } from "./Transcript.js"

interface Span {
  readonly start: number
  readonly end: number
}

/** A word without length gets this much time for each letter, if its neighbours can spare it. */
const MILLISECONDS_PER_LETTER = 25

/** What a correction added where nobody paused: it was never heard, so it has no time of its own. */
const lacksLength = ({ start, end, confidence }: Word): boolean => end <= start && confidence === null

const lettersOf = (words: ReadonlyArray<Word>): number =>
  words.reduce((sum, { text }) => sum + text.length, 0)

/** Words over a span, each for as long as its letters. */
const sharing = (words: ReadonlyArray<Word>, { start, end }: Span): ReadonlyArray<Word> => {
  const letters = lettersOf(words)
  let passed = 0
  const moment = () => Math.round(start + ((end - start) * passed) / letters)
  return words.map((word) => {
    const from = moment()
    passed += word.text.length
    return { ...word, start: from, end: moment() }
  })
}

/**
 * The words of a line, for readers who see each at its time: those without length take a part of the time of the words beside them, at most
 * until all share it by letters. The times in which words were heard stay as they are in the transcript.
 */
export const lengthenWords = (words: ReadonlyArray<Word>, line: Span): ReadonlyArray<Word> => {
  if (!words.some(lacksLength)) return words
  const longer: Array<Word> = []
  for (let at = 0; at < words.length; ) {
    const word = words[at]
    if (word === undefined) break
    if (!lacksLength(word)) {
      longer.push(word)
      at += 1
      continue
    }
    let to = at + 1
    for (let next = words[to]; next !== undefined && lacksLength(next); next = words[to]) to += 1
    const added = words.slice(at, to)
    const [before, after] = [longer.at(-1), words[to]]
    const from = Math.min(before?.start ?? line.start, word.start)
    const end = after === undefined ? line.end : Math.min(after.end, words[to + 1]?.start ?? after.end)
    const until = Math.max(end, word.start)
    const letters = lettersOf(added)
    const beside = (before?.text.length ?? 0) + (after?.text.length ?? 0)
    const share = Math.min(
      letters / (letters + beside),
      (letters * MILLISECONDS_PER_LETTER) / Math.max(1, until - from),
    )
    const room = {
      start: Math.round(word.start - (word.start - from) * share),
      end: Math.round(word.start + (until - word.start) * share),
    }
    if (before !== undefined) longer.splice(-1, 1, { ...before, end: Math.min(before.end, room.start) })
    longer.push(...sharing(added, room))
    at = to
    if (after === undefined) break
    longer.push({ ...after, start: Math.max(after.start, room.end) })
    at += 1
  }
  return longer
}
