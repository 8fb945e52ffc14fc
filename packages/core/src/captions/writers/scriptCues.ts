import { spreadWords } from "../../transcripts/spreadWords.js"
import type { Cue, Segment, Word } from "../../transcripts/Transcript.js"
import { namedCuesByTurn } from "../buildCues.js"
import type { CaptionProfile } from "../CaptionProfile.js"
import { relaxTimes } from "../relaxTimes.js"
import { captionNames } from "./captionNames.js"
import type { Script } from "./Script.js"

/** From this many words on a batch ends as soon as it can without changing a cue. */
const BATCH = 4096
const LONG_SILENCE = 10_000

/** The words of a segment; spread over its time when it has none of its own. */
const wordsOf = (segment: Segment): ReadonlyArray<Word> =>
  segment.words.length > 0 ? segment.words : spreadWords(segment)

interface Batch {
  readonly words: ReadonlyArray<Word>
  /** When the next batch starts. Nothing is shown after the recording. */
  readonly until: number
}

/**
 * The words in batches that can be cut into cues on their own: what is shown before a batch ends is over when the next
 * begins, and the last turn was long enough not to hold up the next one.
 */
function* batches(script: Script, profile: CaptionProfile): Generator<Batch> {
  const silence = Math.max(LONG_SILENCE, 2 * profile.maxDuration)
  let words: Array<Word> = []
  let speaker: string | null = null
  let turnStart = 0
  let latest = 0
  for (const segment of script.segments) {
    for (const word of wordsOf(segment)) {
      const isTurn = word.speaker !== speaker
      const isApart = isTurn
        ? word.start >= latest && word.start - turnStart >= 2 * profile.minDuration
        : word.start - latest >= silence
      if (words.length >= BATCH && isApart) {
        yield { words, until: word.start }
        words = []
      }
      if (isTurn) turnStart = word.start
      speaker = word.speaker
      latest = Math.max(latest, word.start, word.end)
      words.push(word)
    }
  }
  // The gap before what follows is none before the end.
  yield { words, until: script.duration + profile.gap }
}

/** The cues of a script, cut batch by batch. */
function* cutCues(script: Script, profile: CaptionProfile, namesInText: boolean): Generator<Cue> {
  const shown = captionNames(namesInText ? script.speakers : [], profile)
  let before: string | null = null
  for (const { words, until } of batches(script, profile)) {
    const options = { profile, language: script.language, until }
    for (const turn of namedCuesByTurn(words, options, namesInText ? { shown, before } : null)) yield* turn
    before = words.at(-1)?.speaker ?? null
  }
}

/** The cues of a script. Where each word shows its time, cues keep exactly to the words. */
export const scriptCues = (
  script: Script,
  profile: CaptionProfile,
  { namesInText }: { readonly namesInText: boolean },
): Iterable<Cue> => {
  const cues = cutCues(script, profile, namesInText)
  return script.wordLevel ? cues : relaxTimes(cues, profile)
}

/** One cue for each word, without a builder between. */
export function* scriptWordCues(script: Script): Generator<Cue> {
  for (const segment of script.segments)
    for (const word of wordsOf(segment))
      yield { start: word.start, end: word.end, speaker: word.speaker, lines: [word.text], words: [word] }
}
