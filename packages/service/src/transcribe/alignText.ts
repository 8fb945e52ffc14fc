/** A text that is there already, and the recording in which it is said: when each of its words is said. */
import { makeTextAligner, type TextWord } from "@earmark/core/alignment"
import { readCaptions, transcriptFromCues } from "@earmark/core/captions"
import type { WordTiming } from "@earmark/core/jobs"
import { assemble, type Segment, spreadWords, type Transcript, type Word } from "@earmark/core/transcripts"
import { Effect, Either, type Scope, Stream } from "effect"
import { type AudioWindow, MediaDecoder, WorkFailed } from "../ports/Speech.js"
import { MOST_ESTIMATED } from "../useCases/mostEstimated.js"
import { inSlices } from "./inSlices.js"

/** What is said in a recording: a text, or lines with the times at which they are shown. */
export type GivenText =
  | { readonly type: "plain"; readonly text: string; readonly language: string | null }
  | { readonly type: "captions"; readonly transcript: Transcript }

/** The text with the times of its words. */
export interface AlignedText {
  readonly transcript: Transcript
  readonly wordTiming: Exclude<WordTiming, "engine">
  readonly wordCount: number
  /** How many could not be found in the sound. */
  readonly estimatedWords: number
}

/** How speech is cut for it. */
export const ALIGNED_WINDOWS = { longest: 28_000, joinUpTo: 25_000 }

const untimed = (text: string): Segment => ({ start: 0, end: 0, speaker: null, text, words: [] })

const linesOf = (given: GivenText): ReadonlyArray<Segment> =>
  given.type === "plain" ? [untimed(given.text)] : given.transcript.segments

/** The words of every line; those of captions know when theirs is shown. */
const wordsOf = (lines: ReadonlyArray<Segment>, hasTimes: boolean) =>
  lines.map((line) => {
    const caption = { start: line.start, end: line.end }
    return spreadWords(line).map(({ text }): TextWord => (hasTimes ? { text, caption } : { text }))
  })

const lineWith = (line: Segment, words: ReadonlyArray<Word>): Segment => ({
  ...line,
  start: words[0]?.start ?? line.start,
  end: words.at(-1)?.end ?? line.end,
  words,
})

/** A text as it was given: captions where it is a caption file, else plain. */
export const givenTextOf = (bytes: Uint8Array, language: string | null): GivenText => {
  const read = readCaptions(bytes)
  if (Either.isLeft(read) || read.right.cues.length === 0)
    return { type: "plain", text: new TextDecoder().decode(bytes), language }
  const { cues } = read.right
  return {
    type: "captions",
    transcript: transcriptFromCues(cues, { language: language ?? read.right.language }),
  }
}

const UNSPELLABLE =
  "The words of the text cannot be spelled out: Latin, Cyrillic and Greek letters can. Give a caption file with times instead."

/** The lines of a text with the times of their words, and how many of those are estimated. */
interface FoundLines {
  readonly language: string | null
  readonly lines: ReadonlyArray<Segment>
  readonly wordTiming: AlignedText["wordTiming"]
  readonly wordCount: number
  readonly estimatedWords: number
}

/** Finds the words of a text in windows of sound, given one by one in their order. */
export const makeFindText = (given: GivenText) => {
  const lines = linesOf(given)
  const words = wordsOf(lines, given.type === "captions")
  const aligner = makeTextAligner(words.flat())

  const hear = (window: AudioWindow) => inSlices(aligner.push(window))

  const finish = Effect.gen(function* () {
    const found = yield* inSlices(aligner.finish())
    if (found === null)
      return yield* new WorkFailed({ code: "language_unsupported", isTransient: false, detail: UNSPELLABLE })
    let at = 0
    const timed = lines.map((line, index) => {
      const own = words[index] ?? []
      const from = at
      at += own.length
      return lineWith(
        line,
        own.map(({ text }, word): Word => {
          const { start, end } = found[from + word] ?? { start: line.start, end: line.end }
          return { text, start, end, confidence: null, speaker: line.speaker }
        }),
      )
    })
    const estimatedWords = found.filter(({ timing }) => timing === "estimated").length
    const result: FoundLines = {
      language: given.type === "plain" ? given.language : given.transcript.language,
      lines: timed,
      wordTiming: estimatedWords > found.length * MOST_ESTIMATED ? "estimated" : "aligned",
      wordCount: found.length,
      estimatedWords,
    }
    return result
  })

  return { hear, finish }
}

/**
 * Finds every word of a text in a media file of this machine. Lines of captions stay lines, with the times of their words; a plain text
 * is put into lines as what an engine hears is.
 */
export const alignText = Effect.fn("alignText")(function* (
  path: string,
  given: GivenText,
): Effect.fn.Return<AlignedText, WorkFailed, MediaDecoder | Scope.Scope> {
  const decoder = yield* MediaDecoder
  const { hear, finish } = makeFindText(given)
  const media = yield* decoder.openFile(path, {
    startAt: null,
    endAt: null,
    language: given.type === "plain" ? given.language : given.transcript.language,
    windows: ALIGNED_WINDOWS,
    maxSeconds: null,
  })
  yield* Stream.runForEach(media.windows, (window) =>
    Effect.zipRight(
      hear(window),
      Effect.sync(() => media.release?.(window)),
    ),
  )
  const { language, lines, ...found } = yield* finish
  const { durationSeconds } = yield* media.summary
  const duration = Math.round(durationSeconds * 1000)
  return {
    ...found,
    transcript:
      given.type === "plain"
        ? assemble({ language, duration, words: lines.flatMap((line) => line.words) })
        : { language, duration, segments: lines },
  }
})
