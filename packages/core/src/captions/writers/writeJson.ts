import { isSpaced } from "../../text/units.js"
import type { Segment, Word } from "../../transcripts/Transcript.js"
import { seconds } from "../timestamps.js"
import type { ExportDocument } from "./ExportDocument.js"
import { jsonText } from "./jsonText.js"
import { labelsOf, nameOf } from "./makeScript.js"

export interface JsonOptions {
  readonly wordLevel: boolean
  readonly speakers: boolean
}

const wordJson = (word: Word, segment: Segment, speakers: boolean) => ({
  start: seconds(word.start),
  end: seconds(word.end),
  text: word.text,
  ...(word.confidence === null ? {} : { confidence: word.confidence }),
  ...(speakers && word.speaker !== null && word.speaker !== segment.speaker ? { speaker: word.speaker } : {}),
})

const segmentJson = (segment: Segment, { wordLevel, speakers }: JsonOptions) => ({
  start: seconds(segment.start),
  end: seconds(segment.end),
  speaker: speakers ? segment.speaker : null,
  text: segment.text,
  ...(wordLevel ? { words: segment.words.map((word) => wordJson(word, segment, speakers)) } : {}),
})

/** The inside of a JSON string. */
const inner = (text: string): string => jsonText(text).slice(1, -1)

/** The texts of all segments as the inside of one JSON string, without ever being one string. */
function* wholeText(segments: ReadonlyArray<Segment>): Generator<string> {
  let before = ""
  for (const { text } of segments) {
    if (text === "") continue
    yield (before !== "" && isSpaced(before, text.slice(0, 2)) ? " " : "") + inner(text)
    before = text.slice(-2)
  }
}

function* segmentList(segments: ReadonlyArray<Segment>, options: JsonOptions): Generator<string> {
  let separator = "\n"
  for (const segment of segments) {
    yield separator + jsonText(segmentJson(segment, options))
    separator = ",\n"
  }
  if (segments.length > 0) yield "\n"
}

function* translationJson(document: ExportDocument, options: JsonOptions): Generator<string> {
  const translation = document.translation ?? null
  if (translation === null) yield "null"
  else {
    yield `{"language":${jsonText(translation.language)},"text":"`
    yield* wholeText(translation.segments)
    yield '","segments":['
    yield* segmentList(translation.segments, { ...options, wordLevel: false })
    yield "]}"
  }
}

/** All that is known of the transcript, nothing cleaned away: labels stay labels, the names stand beside them. */
export function* writeJson(document: ExportDocument, options: JsonOptions): Generator<string> {
  const { segments } = document
  const labels = options.speakers ? labelsOf(segments) : []
  const head = {
    version: 1,
    id: document.id ?? null,
    title: document.title ?? null,
    language: document.language,
    duration_seconds: seconds(document.duration),
    word_timing: document.wordTiming ?? null,
    doubts: (document.doubts ?? []).map(({ start, end, reason }) => ({
      start: seconds(start),
      end: seconds(end),
      reason,
    })),
  }
  yield `${jsonText(head).slice(0, -1)},"text":"`
  yield* wholeText(segments)
  const chapters = document.chapters?.map(({ start, end, title }) => ({
    start: seconds(start),
    end: seconds(end),
    title,
  }))
  const facts = {
    summary: document.summary ?? null,
    chapters: chapters ?? [],
    speakers: labels.map((label) => ({ label, name: nameOf(document, label) })),
  }
  yield `",${jsonText(facts).slice(1, -1)},"segments":[`
  yield* segmentList(segments, options)
  yield '],"translation":'
  yield* translationJson(document, options)
  yield "}\n"
}
