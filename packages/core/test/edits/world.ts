import { applyEdits, type EditOperation } from "@earmark/core/edits"
import type { Segment, Transcript, Word } from "@earmark/core/transcripts"
import { Either, FastCheck as fc } from "effect"

export const line = (start: number, text: string, speaker: string | null = "Speaker 1"): Segment => ({
  start,
  end: start + 1000,
  speaker,
  text,
  words: text.split(" ").map((word, at): Word => {
    const each = Math.floor(1000 / text.split(" ").length)
    return { text: word, start: start + at * each, end: start + (at + 1) * each, confidence: 0.9, speaker }
  }),
})

export const transcriptOf = (...segments: ReadonlyArray<Segment>): Transcript => ({
  language: "en",
  duration: 1000 * (segments.length + 1),
  segments,
})

export const edited = (transcript: Transcript, ...operations: ReadonlyArray<EditOperation>) =>
  Either.getOrThrow(applyEdits(transcript, operations))

const anyWord = fc.constantFrom("berlin", "we", "met", "Ann,", "left.", "東京", "then", "-", "<b>")
const anyText = fc.array(anyWord, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "))
export const anyTranscript = fc
  .array(
    fc.tuple(
      anyText,
      fc.constantFrom("Speaker 1", "Speaker 2", null),
      fc.integer({ min: 0, max: 900 }),
      fc.boolean(),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((lines) =>
    transcriptOf(
      ...lines.map(([text, speaker, late, timed], at) => {
        const made = line(at * 1000 + late, text, speaker)
        return timed ? made : { ...made, words: [] }
      }),
    ),
  )
export const anyLine = fc.nat(6)
export const anyOperation: fc.Arbitrary<EditOperation> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), line: anyLine, text: anyText }),
  fc.record({ type: fc.constant("split" as const), line: anyLine, at: fc.nat(20) }),
  fc.record({ type: fc.constant("merge" as const), line: anyLine }),
  fc.record({ type: fc.constant("remove" as const), line: anyLine }),
  fc.record({
    type: fc.constant("speaker" as const),
    line: anyLine,
    speaker: fc.constantFrom("Speaker 1", "Ann", null),
  }),
  fc.record({
    type: fc.constant("merge_speakers" as const),
    from: fc.constant("Speaker 1"),
    into: fc.constant("Speaker 2"),
  }),
  fc.record({ type: fc.constant("times" as const), line: anyLine, start: fc.nat(7000), end: fc.nat(7000) }),
)
