import { counted } from "@earmark/core/text"
import {
  decodeRequest,
  SearchAllQuery,
  type SearchAnswer,
  type SearchHit,
  SearchQuery,
} from "@earmark/core/wire"
import { Effect, Schema } from "effect"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import * as fields from "./fields.js"
import { clipped, fitting, jsonLength } from "./fitting.js"
import { clock, marked, quoted } from "./foreignText.js"
import { presetTo } from "./jsonSchema.js"
import { asQuery, reread, tool } from "./Tool.js"
import { ToolRefused } from "./ToolRefused.js"

const { optional } = fields

const CONTEXT_LINES = 1
const LIMIT = 10
/** With five lines before and after, still one answer. */
const LONGEST_LINE = 2500

const Input = Schema.Struct({
  query: fields.text('Words to find. "double quotes" find an exact phrase, muse* all that begins so.', {
    from: 1,
    to: 500,
  }),
  id: optional(fields.text("Only this transcription.", { from: 1, to: 64 })),
  speaker: optional(fields.text('Only lines of this speaker: a name, or e.g. "Speaker 2".')),
  feed: optional(fields.text("Without id: only episodes of this feed.", { to: 2048 })),
  created_after: optional(fields.moment("Without id: only transcriptions later than this, RFC 3339.")),
  created_before: optional(fields.moment("Without id: only transcriptions earlier than this, RFC 3339.")),
  start_seconds: optional(fields.number("From this time.", { from: 0 })),
  end_seconds: optional(fields.number("Before this time.", { from: 0 })),
  context_lines: optional(
    presetTo(fields.integer("Lines before and after each hit.", { from: 0, to: 5 }), CONTEXT_LINES),
  ),
  limit: optional(presetTo(fields.integer("Hits per page.", { from: 1, to: 50 }), LIMIT)),
  cursor: optional(fields.cursor),
})

const Match = Schema.Struct({
  id: fields.transcriptionId,
  title: optional(fields.text("Media title.")),
  source: optional(fields.text("Address or media_ref.")),
  start: fields.number("Seconds."),
  end: fields.number("Seconds."),
  timestamp: fields.text("HH:MM:SS."),
  speaker: optional(fields.text("Speaker.")),
  text: fields.text("The line."),
  before: optional(fields.list("Lines before.", fields.text("Line."))),
  after: optional(fields.list("Lines after.", fields.text("Line."))),
  resource_uri: optional(fields.text("The passage as a resource.")),
})

const Output = Schema.Struct({
  query: fields.text("What was searched."),
  total: fields.integer("Hits.", { from: 0 }),
  matches: fields.list("Hits, best first.", Match),
  next_cursor: optional(fields.nextCursor),
  next_step: fields.nextStep,
})

const decodeOne = decodeRequest(SearchQuery)
const decodeAll = decodeRequest(SearchAllQuery)

type Line = Pick<SearchHit, "start" | "speaker" | "text">

const spoken = ({ speaker, text }: Pick<Line, "speaker" | "text">): string => {
  const shown = clipped(text, LONGEST_LINE)
  return speaker === null ? shown : `${speaker}: ${shown}`
}

const matchOf = (hit: SearchHit): typeof Match.Type => {
  const from = Math.min(hit.start, ...hit.before.map(({ start }) => start)) / 1000
  const to = Math.max(hit.end, ...hit.after.map(({ end }) => end)) / 1000
  return {
    id: hit.id,
    ...(hit.title !== null && { title: hit.title }),
    ...(hit.sourceLabel !== undefined && { source: hit.sourceLabel }),
    start: hit.start / 1000,
    end: hit.end / 1000,
    timestamp: clock(hit.start),
    ...(hit.speaker !== null && { speaker: hit.speaker }),
    text: clipped(hit.text, LONGEST_LINE),
    ...(hit.before.length > 0 && { before: hit.before.map(spoken) }),
    ...(hit.after.length > 0 && { after: hit.after.map(spoken) }),
    resource_uri: `transcription://${hit.id}/text?start=${from}&end=${to}`,
  }
}

const lineOf = (line: Line): string => `[${clock(line.start)}] ${spoken(line)}`

const blockOf = (hit: SearchHit): string =>
  marked(hit.id, [...hit.before.map(lineOf), `> ${lineOf(hit)}`, ...hit.after.map(lineOf)].join("\n"))

const nextOf = ({ data, nextCursor }: SearchAnswer): string => {
  const [first] = data
  if (nextCursor !== null) return "Repeat the call with next_cursor for more hits."
  if (first === undefined) return "Try fewer or other words; all of them have to stand in one line."
  const from = Math.max(0, Math.floor(first.start / 1000) - 60)
  return `Call get_transcription with id ${first.id}, view segments and start_seconds ${from} to read around a hit.`
}

/** Which arguments go with an id, and which only without. */
const misplaced = (input: typeof Input.Type) => {
  const { id, feed, created_after, created_before, start_seconds, end_seconds } = input
  const without = [
    feed === undefined ? [] : ["feed"],
    created_after === undefined ? [] : ["created_after"],
    created_before === undefined ? [] : ["created_before"],
  ].flat()
  const withId = [
    start_seconds === undefined ? [] : ["start_seconds"],
    end_seconds === undefined ? [] : ["end_seconds"],
  ].flat()
  return id === undefined
    ? withId.map((name) => `${name} needs an id`)
    : without.map((name) => `${name} goes without an id`)
}

export const searchTranscript = tool({
  name: "search_transcript",
  title: "Search transcripts",
  description:
    "Find passages with their times. With id: inside one transcription; without: in all finished transcriptions of the account. Far cheaper than reading a whole transcript.",
  annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
  scope: "transcriptions:read",
  input: Input,
  output: Output,
  run: Effect.fnUntraced(function* (input) {
    const backend = yield* TranscriptionBackend
    const [wrong] = misplaced(input)
    if (wrong !== undefined) return yield* new ToolRefused({ code: "invalid_request", detail: wrong })
    const { query: q, id, speaker, feed, start_seconds: from, end_seconds: to, cursor } = input
    const { created_after, created_before, context_lines: context = CONTEXT_LINES, limit = LIMIT } = input
    const same = { q, speaker, context, cursor }
    const answer = yield* fitting(
      limit,
      (items) =>
        id === undefined
          ? Effect.flatMap(
              reread(decodeAll(asQuery({ ...same, limit: items, feed, created_after, created_before }))),
              (query) => backend.ask("transcriptions.searchAll", { query }),
            )
          : Effect.flatMap(reread(decodeOne(asQuery({ ...same, limit: items, from, to }))), (query) =>
              backend.ask("transcriptions.search", { path: { id }, query }),
            ),
      ({ data }) => Math.max(jsonLength(data.map(matchOf)), jsonLength(data.map(blockOf))),
    )
    const next = nextOf(answer)
    return {
      structured: {
        query: answer.query,
        total: answer.total,
        matches: answer.data.map(matchOf),
        ...(answer.nextCursor !== null && { next_cursor: answer.nextCursor }),
        next_step: next,
      },
      lines: [
        `${answer.totalIsExact ? "" : "At least "}${counted(answer.total, "hit")} for ${quoted(answer.query)}, ${answer.data.length} of them here.`,
        ...(answer.nextCursor === null ? [] : [`next_cursor: ${answer.nextCursor}`]),
        next,
      ],
      foreign: answer.data.map(blockOf),
    }
  }),
})
