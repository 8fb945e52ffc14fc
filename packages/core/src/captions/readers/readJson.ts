import type { InTurns } from "../../text/inTurns.js"
import { languageCodeOf } from "../../text/languageCode.js"
import { type Doubt, doubtReasons } from "../../transcripts/doubts.js"
import type { Cue, Word } from "../../transcripts/Transcript.js"
import { BLOCKS_IN_A_TURN, type Problems, type Reading } from "../CaptionFile.js"
import type { CaptionFormat } from "../captionFormats.js"
import { NO_TIME } from "../timestamps.js"
import {
  confidenceOf,
  isRecord,
  type JsonRecord,
  labelOf,
  listOf,
  recordOf,
  textOf,
  timeOf,
} from "./jsonValues.js"
import { alignWords, joinWords } from "./jsonWords.js"
import { readYoutubeJson } from "./readYoutubeJson.js"
import { tidyLines } from "./tidyLines.js"

/** One shape of JSON transcript: how to know it and how to read it. */
interface JsonKind {
  readonly format: CaptionFormat
  readonly matches: (root: JsonRecord) => boolean
  readonly read: (root: JsonRecord, problems: Problems) => InTurns<Reading>
}

/** Names of the fields of an entry; the first that is there counts. */
interface Fields {
  readonly unit: "seconds" | "milliseconds"
  readonly start: ReadonlyArray<string>
  readonly end: ReadonlyArray<string>
  readonly text: ReadonlyArray<string>
}

const first = (record: JsonRecord, names: ReadonlyArray<string>): unknown =>
  record[names.find((name) => record[name] !== undefined) ?? ""]

const wordFields: Fields = {
  unit: "seconds",
  start: ["start"],
  end: ["end"],
  text: ["punctuated_word", "text", "word"],
}

const readWords = (values: unknown, fields: Fields, speaker: string | null): Array<Word> => {
  const words: Array<Word> = []
  for (const value of listOf(values)) {
    const record = recordOf(value)
    const start = timeOf(first(record, fields.start), fields.unit)
    const text = textOf(first(record, fields.text)).replace(/\s+/g, " ").trim()
    if (start === NO_TIME || text === "") continue
    const end = Math.max(start, timeOf(first(record, fields.end), fields.unit))
    const confidence = confidenceOf(record.confidence ?? record.probability ?? record.score)
    words.push({ text, start, end, confidence, speaker: labelOf(record.speaker) ?? speaker })
  }
  return words
}

const readEntry = (value: unknown, fields: Fields, words: Fields): Cue | null => {
  const record = recordOf(value)
  const start = timeOf(first(record, fields.start), fields.unit)
  const length = timeOf(record.duration, fields.unit)
  const end = timeOf(first(record, fields.end), fields.unit)
  if (start === NO_TIME) return null
  const speaker = labelOf(record.speaker)
  return {
    start,
    end: end !== NO_TIME ? end : start + Math.max(0, length),
    speaker,
    lines: tidyLines(textOf(first(record, fields.text))),
    words: readWords(record.words, words, speaker),
  }
}

function* readEntries(
  values: unknown,
  fields: Fields,
  words: Fields,
  problems: Problems,
): InTurns<Array<Cue>> {
  const cues: Array<Cue> = []
  for (const [index, value] of listOf(values).entries()) {
    if (index % BLOCKS_IN_A_TURN === BLOCKS_IN_A_TURN - 1) yield
    const cue = readEntry(value, fields, words)
    if (cue === null) problems.add("bad_entry")
    else {
      if (cue.end < cue.start) problems.add("end_before_start")
      cues.push(cue)
    }
  }
  return cues
}

const plainFields: Fields = {
  unit: "seconds",
  start: ["start", "startTime"],
  end: ["end", "endTime"],
  text: ["text", "body", "transcript"],
}
const podcastFields: Fields = { unit: "seconds", start: ["startTime"], end: ["endTime"], text: ["body"] }
const assemblyFields: Fields = { ...wordFields, unit: "milliseconds" }

const languageOf = (value: unknown): string | null => languageCodeOf(textOf(value))

/** One cue of a run of words that nobody cut into segments. */
const cueOfWords = (words: ReadonlyArray<Word>, text: string): Array<Cue> => {
  const [head] = words
  if (head === undefined) return []
  const lines = tidyLines(text === "" ? words.map((word) => word.text).join(" ") : text)
  const end = words.reduce((latest, word) => Math.max(latest, word.end), head.end)
  return [{ start: head.start, end, speaker: head.speaker, lines, words }]
}

function* readDeepgram(root: JsonRecord, problems: Problems): InTurns<Reading> {
  const results = recordOf(root.results)
  const channel = recordOf(listOf(results.channels)[0])
  const alternative = recordOf(listOf(channel.alternatives)[0])
  const language = languageOf(channel.detected_language)
  const utterances = listOf(results.utterances)
  if (utterances.length > 0)
    return { cues: yield* readEntries(utterances, plainFields, wordFields, problems), language }
  const words = readWords(alternative.words, wordFields, null)
  return { cues: cueOfWords(words, textOf(alternative.transcript)), language }
}

function* readAssembly(root: JsonRecord, problems: Problems): InTurns<Reading> {
  const language = languageOf(root.language_code)
  const utterances = listOf(root.utterances)
  if (utterances.length > 0)
    return { cues: yield* readEntries(utterances, assemblyFields, assemblyFields, problems), language }
  return { cues: cueOfWords(readWords(root.words, assemblyFields, null), textOf(root.text)), language }
}

function* readWhisperCpp(root: JsonRecord, problems: Problems): InTurns<Reading> {
  const entries = listOf(root.transcription).map((value) => {
    const entry = recordOf(value)
    const offsets = recordOf(entry.offsets)
    return { start: offsets.from, end: offsets.to, text: entry.text }
  })
  const fields: Fields = { ...plainFields, unit: "milliseconds" }
  const language = languageOf(recordOf(root.result).language)
  return { cues: yield* readEntries(entries, fields, fields, problems), language }
}

const readDoubts = (values: unknown): ReadonlyArray<Doubt> =>
  listOf(values).flatMap((value) => {
    const { start, end, reason } = recordOf(value)
    const [from, to] = [timeOf(start, "seconds"), timeOf(end, "seconds")]
    const known = doubtReasons.find((each) => each === reason)
    return from === NO_TIME || to <= from || known === undefined
      ? []
      : [{ start: from, end: to, reason: known }]
  })

/** Our own export: segments carry labels, a list beside them the names. */
function* readOwn(root: JsonRecord, problems: Problems): InTurns<Reading> {
  const names = new Map(
    listOf(root.speakers).map((value) => [labelOf(recordOf(value).label), labelOf(recordOf(value).name)]),
  )
  const named = (label: string | null) => (label === null ? null : (names.get(label) ?? label))
  const read = yield* readEntries(root.segments, plainFields, wordFields, problems)
  const cues = read.map((cue) => ({
    ...cue,
    speaker: named(cue.speaker),
    words: cue.words.map((word) => ({ ...word, speaker: named(word.speaker) })),
  }))
  const doubts = readDoubts(root.doubts)
  return { cues, language: languageOf(root.language), ...(doubts.length > 0 && { doubts }) }
}

/** OpenAI's verbose form: words, when asked for, stand beside the segments and have no punctuation. */
function* readOpenAi(root: JsonRecord, problems: Problems): InTurns<Reading> {
  const cues = yield* readEntries(root.segments, plainFields, wordFields, problems)
  const words = readWords(root.words, wordFields, null)
  const language = languageOf(root.language)
  if (cues.length === 0) return { cues: cueOfWords(words, textOf(root.text)), language }
  return { cues: words.length === 0 ? cues : alignWords(cues, words), language }
}

const hasList = (root: JsonRecord, name: string): boolean => Array.isArray(root[name])

const firstOf = (root: JsonRecord, name: string): JsonRecord => recordOf(listOf(root[name])[0])

const kinds: ReadonlyArray<JsonKind> = [
  { format: "youtube_json3", matches: (root) => hasList(root, "events"), read: readYoutubeJson },
  {
    format: "deepgram_json",
    matches: (root) => hasList(recordOf(root.results), "channels"),
    read: readDeepgram,
  },
  { format: "whisper_cpp_json", matches: (root) => hasList(root, "transcription"), read: readWhisperCpp },
  {
    format: "podcast_json",
    matches: (root) =>
      hasList(root, "segments") &&
      (firstOf(root, "segments").startTime !== undefined || root.version === "1.0.0"),
    *read(root, problems) {
      const cues = yield* readEntries(root.segments, podcastFields, wordFields, problems)
      return { cues: joinWords(cues), language: languageOf(root.language) }
    },
  },
  { format: "json", matches: (root) => hasList(root, "segments") && root.version === 1, read: readOwn },
  { format: "openai_json", matches: (root) => hasList(root, "segments"), read: readOpenAi },
  {
    format: "assemblyai_json",
    matches: (root) =>
      (hasList(root, "words") || hasList(root, "utterances")) &&
      (root.audio_duration !== undefined || root.language_code !== undefined),
    read: readAssembly,
  },
  { format: "openai_json", matches: (root) => hasList(root, "words"), read: readOpenAi },
]

/** A transcript in one of the JSON shapes in use; null when the text is no JSON or of no such shape. */
export function* readJson(
  text: string,
  problems: Problems,
): InTurns<(Reading & { readonly format: CaptionFormat }) | null> {
  const root = parsed(text)
  yield
  if (Array.isArray(root)) {
    const cues = yield* readEntries(root, plainFields, wordFields, problems)
    return cues.length === 0 ? null : { format: "json", cues, language: null }
  }
  if (!isRecord(root)) return null
  const kind = kinds.find(({ matches }) => matches(root))
  return kind === undefined ? null : { format: kind.format, ...(yield* kind.read(root, problems)) }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
