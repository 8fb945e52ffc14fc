import type { Word } from "@earmark/core/transcripts"
import { seededRandom } from "./random.js"
import { sentences } from "./sentences.js"

export interface WordStreamOptions {
  /** 90,000 words are about ten hours. */
  readonly words?: number
  readonly seed?: number
  /** 1 is ordinary talk of 15 characters a second, 1.25 is hurried. */
  readonly rate?: number
  readonly speakers?: number
  /** Share of sentences that come without punctuation and capitals, 0 to 1. */
  readonly unpunctuated?: number
  /** Share of turns that begin before the last one is over. */
  readonly crosstalk?: number
  /** Share of words of no length, and of words that run into the next one. */
  readonly faults?: number
}

const REPLIES = [
  "Yeah.",
  "Right.",
  "Mm-hmm.",
  "Okay.",
  "I see.",
  "Sure, that makes sense.",
  "Absolutely.",
  "Wow.",
  "No, not really.",
  "So what happened next?",
]
const FILLERS = ["um,", "you know,", "I mean,", "well,", "like,"]
const DISTINCT_SENTENCES = 6_000
const PACES = [1, 1.08, 0.94]

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const uncapitalised = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const pauseAfter = (word: string, random: () => number): number => {
  if (/[,;:]$/.test(word)) return random() < 0.65 ? 0.08 + 0.3 * random() : 0.02
  if (/[.!?]$/.test(word)) {
    return 0.18 + 0.9 * random() * random() + (random() < 0.04 ? 2 + 3 * random() : 0)
  }
  return random() < 0.04 ? 0.1 + 0.6 * random() : 0.012 * random()
}

/**
 * Words as an engine hears a conversation: turns of several speakers with replies, fillers and pauses, and the faults
 * real engines have. The same options give the same words.
 */
export const wordStream = (options: WordStreamOptions = {}): ReadonlyArray<Word> => {
  const { words: count = 90_000, seed = 7, rate = 1, speakers = 3 } = options
  const { unpunctuated = 0.06, crosstalk = 0.05, faults = 0.01 } = options
  const random = seededRandom(seed)
  const said = sentences(DISTINCT_SENTENCES, seededRandom(11))
  const stream: Array<Word> = []
  let seconds = 0.4
  let speaker = 1
  let nextSentence = Math.floor(random() * said.length)
  let sentencesLeft = 3

  const changeSpeaker = () => {
    const previous = speaker
    speaker = 1 + Math.floor(random() * speakers)
    if (speaker !== previous && random() < crosstalk) seconds -= 0.3
    sentencesLeft = random() < 0.25 ? 0 : 1 + Math.floor(random() * 7)
  }

  const nextText = (): string => {
    const isReply = sentencesLeft === 0 && random() < 0.5
    let text = isReply
      ? (REPLIES[Math.floor(random() * REPLIES.length)] ?? "")
      : (said[nextSentence++ % said.length] ?? "")
    if (random() < 0.25) {
      text = `${FILLERS[Math.floor(random() * FILLERS.length)] ?? ""} ${uncapitalised(text)}`
    }
    return random() < unpunctuated ? text.replace(/[,;:.]/g, "").toLowerCase() : capitalised(text)
  }

  const say = (text: string, pace: number) => {
    const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
    const isInstant = random() < faults
    const length = isInstant ? 0 : ((0.075 + 0.052 * letters) * (0.75 + 0.5 * random())) / pace
    const overrun = random() < faults ? 0.25 : 0
    stream.push({
      text,
      start: Math.round(seconds * 1000),
      end: Math.round((seconds + length + overrun) * 1000),
      confidence: Math.round(1000 - 300 * random() * random()) / 1000,
      speaker: `Speaker ${speaker}`,
    })
    seconds += length + pauseAfter(text, random)
  }

  while (stream.length < count) {
    if (sentencesLeft-- <= 0) changeSpeaker()
    const text = nextText()
    const pace = rate * (0.88 + 0.24 * random()) * (PACES[(speaker - 1) % PACES.length] ?? 1)
    for (const word of text.split(" ")) say(word, pace)
    seconds += 0.05 * random()
  }
  return stream.slice(0, count)
}
