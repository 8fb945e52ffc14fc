import type { Segment, Transcript, Word } from "@earmark/core/transcripts"
import { seededRandom } from "./random.js"

/** A generated recording whose topics are known. */
export interface Recording {
  readonly transcript: Transcript
  readonly words: ReadonlyArray<Word>
  /** Where each topic but the first begins, in milliseconds. */
  readonly topicStarts: ReadonlyArray<number>
  /** Where anyone speaks. */
  readonly voice: ReadonlyArray<{ readonly start: number; readonly end: number }>
}

export interface RecordingOptions {
  readonly seed?: number
  readonly topics?: number
  /** Sentences of one topic, at least and at most. */
  readonly sentences?: readonly [number, number]
  /** Share of the content words that belong to the topic: less is harder. */
  readonly focus?: number
}

const FUNCTION_WORDS =
  "the a of and to in that it is was for on with as at by this from or but we you they what when where there".split(
    " ",
  )
const SYLLABLES = "ka lo mi ren tas vor del pun gar sil bo che fu nol rim zet wan dro ple sti".split(" ")
const SPEAKERS = 3
/** How steeply the common words of a vocabulary are more common than the rare ones. */
const STEEPNESS = 2.2

const vocabularyOf = (random: () => number, size: number): ReadonlyArray<string> =>
  Array.from({ length: size }, () =>
    Array.from(
      { length: 2 + Math.floor(random() * 2) },
      () => SYLLABLES[Math.floor(random() * SYLLABLES.length)],
    ).join(""),
  )

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A conversation about one topic after another, in invented words between English function words. The same for the same seed. */
export const generatedRecording = ({
  seed = 1,
  topics = 8,
  sentences: [least, most] = [25, 90],
  focus = 0.3,
}: RecordingOptions = {}): Recording => {
  const random = seededRandom(seed)
  const pick = (words: ReadonlyArray<string>, steepness = 1) =>
    words[Math.floor(words.length * random() ** steepness)] ?? ""
  const everyday = vocabularyOf(random, 1500)
  const segments: Array<Segment> = []
  const voice: Array<{ start: number; end: number }> = []
  const topicStarts: Array<number> = []
  let time = 400
  let speaker = 1
  for (let topic = 0; topic < topics; topic++) {
    const own = vocabularyOf(random, 50)
    const count = least + Math.floor(random() * (most - least + 1))
    for (let sentence = 0; sentence < count; sentence++) {
      if (random() < 0.3) speaker = 1 + Math.floor(random() * SPEAKERS)
      const length = 5 + Math.floor(random() * 18)
      const words: Array<Word> = []
      for (let at = 0; at < length; at++) {
        const content = random() < focus ? pick(own, 1.5) : pick(everyday, STEEPNESS)
        const plain = random() < 0.5 ? pick(FUNCTION_WORDS, STEEPNESS) : content
        const marked = at === length - 1 ? `${plain}.` : random() < 0.08 ? `${plain},` : plain
        const duration = 90 + Math.round(45 * plain.length * (0.75 + random() / 2))
        const text = at === 0 ? upperFirst(marked) : marked
        words.push({
          text,
          start: time,
          end: time + duration,
          confidence: 0.9,
          speaker: `Speaker ${speaker}`,
        })
        time += duration + (random() < 0.05 ? 300 : 10)
      }
      const start = words[0]?.start ?? time
      const end = words.at(-1)?.end ?? time
      if (topic > 0 && sentence === 0) topicStarts.push(start)
      segments.push({
        start,
        end,
        speaker: `Speaker ${speaker}`,
        text: words.map(({ text }) => text).join(" "),
        words,
      })
      voice.push({ start, end })
      time += 150 + Math.round(900 * random() ** 2)
    }
  }
  return {
    transcript: { language: "en", duration: time + 500, segments },
    words: segments.flatMap(({ words }) => words),
    topicStarts,
    voice,
  }
}
