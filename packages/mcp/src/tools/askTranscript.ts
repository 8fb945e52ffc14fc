import { counted } from "@earmark/core/text"
import { type Answer, AskAllRequest, AskRequest, decodeRequest, MOST_ASKED } from "@earmark/core/wire"
import { Effect, Schema } from "effect"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import * as fields from "./fields.js"
import { CONTENT_CHARACTERS, firstFitting } from "./fitting.js"
import { clock, marked, quoted } from "./foreignText.js"
import { reread, tool } from "./Tool.js"
import { ToolRefused } from "./ToolRefused.js"

const { optional } = fields

const Input = Schema.Struct({
  question: fields.text("In plain words.", { from: 1, to: 1000 }),
  id: optional(fields.text("Only this transcription.", { from: 1, to: 64 })),
  ids: optional(fields.list("Only these.", fields.text("Id.", { from: 1, to: 64 }), MOST_ASKED)),
  batch_id: optional(fields.text("Only this batch.", { from: 1, to: 64 })),
})

const Citation = Schema.Struct({
  transcription_id: fields.text("Id."),
  segment_id: fields.integer("Line, from 0."),
  start: fields.number("Seconds."),
  end: fields.number("Seconds."),
  speaker: optional(fields.text("Speaker.")),
  excerpt: fields.text("Word for word."),
})

const Output = Schema.Struct({
  status: fields.choice("supported: quotes bear out all of it.", ["supported", "partial", "not_found"]),
  claims: fields.list(
    "The answer.",
    Schema.Struct({ text: fields.text("Claim."), citations: fields.list("Where it is said.", Citation) }),
  ),
  transcripts: fields.integer("Asked about."),
  transcripts_read: fields.integer("Read."),
  dropped_claims: fields.integer("Without a quote that holds."),
  note: optional(fields.text("Why no language model answered.")),
  next_step: fields.nextStep,
})

type Claim = Answer["claims"][number]

const decodeOne = decodeRequest(AskRequest)
const decodeAll = decodeRequest(AskAllRequest)

const claimOf = ({ text, citations }: Claim): (typeof Output.Type)["claims"][number] => ({
  text,
  citations: citations.map(({ transcriptionId, segmentId, start, end, speaker, excerpt }) => ({
    transcription_id: transcriptionId,
    segment_id: segmentId,
    start: start / 1000,
    end: end / 1000,
    ...(speaker !== null && { speaker }),
    excerpt,
  })),
})

/** A claim may repeat what a recording says: it is as foreign as its quotes. */
const blockOf = ({ text, citations }: Claim): string => {
  const isPassage = citations.length > 0 && text.startsWith(citations[0]?.excerpt ?? "")
  const lines = citations.map(({ transcriptionId, start, speaker, excerpt }) => {
    const said = speaker === null ? excerpt : `${speaker}: ${excerpt}`
    return `[${transcriptionId} ${clock(start)}] ${said}`
  })
  return marked(citations[0]?.transcriptionId ?? "", [...(isPassage ? [] : [text]), ...lines].join("\n"))
}

const STATES: Readonly<Record<Answer["status"], string>> = {
  supported: "The transcripts answer this.",
  partial: "The transcripts answer a part of this.",
  not_found: "Nothing in the transcripts fits this question.",
}

/** Without a language model nobody judges whether the passages answer anything. */
const PASSAGES = "These passages fit the question best, word for word. Judge whether they answer it."

const stateOf = ({ status, coverage: { transcripts, transcriptsRead, linesShown } }: Answer): string => {
  const all = counted(transcripts, "transcript")
  if (status === "not_found") return `${STATES.not_found} ${all} looked through.`
  const found = linesShown === 0 ? PASSAGES : STATES[status]
  return `${found} ${transcriptsRead} of ${all} had lines that fit.`
}

const nextOf = ({ claims, status }: Answer): string => {
  const [first] = claims[0]?.citations ?? []
  if (status === "not_found" || first === undefined)
    return "Ask in other words and in the language of the recordings, or look for a word with search_transcript."
  const from = Math.max(0, Math.floor(first.start / 1000) - 60)
  return `Call get_transcription with id ${first.transcriptionId}, view segments and start_seconds ${from} to read around the first quote.`
}

export const askTranscript = tool({
  name: "ask_transcript",
  aliases: ["ask"],
  title: "Ask transcripts a question",
  description:
    "Answer a question with quotes and their times, each compared with its transcript. Without id, ids and batch_id: from all finished transcriptions. Without a language model on the server: the passages that fit best.",
  annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
  scope: "transcriptions:read",
  input: Input,
  output: Output,
  run: Effect.fnUntraced(function* ({ question, id, ids, batch_id }) {
    const backend = yield* TranscriptionBackend
    if ([id, ids, batch_id].filter((each) => each !== undefined).length > 1)
      return yield* new ToolRefused({
        code: "invalid_request",
        detail: "Give only one of id, ids and batch_id",
      })
    const all = ids === undefined && batch_id === undefined ? { all: true } : { ids, batch_id }
    const answer = yield* id === undefined
      ? Effect.flatMap(reread(decodeAll({ question, ...all })), (body) =>
          backend.ask("transcriptions.askAll", { body }),
        )
      : Effect.flatMap(reread(decodeOne({ question })), (body) =>
          backend.ask("transcriptions.ask", { path: { id }, body }),
        )
    const { coverage, status } = answer
    const claims = firstFitting(answer.claims, answer.claims.length, CONTENT_CHARACTERS / 2)
    const next = nextOf(answer)
    const { note } = coverage
    return {
      structured: {
        status,
        claims: claims.map(claimOf),
        transcripts: coverage.transcripts,
        transcripts_read: coverage.transcriptsRead,
        dropped_claims: coverage.droppedClaims,
        ...(note !== null && { note }),
        next_step: next,
      },
      lines: [
        `Question: ${quoted(question)}. ${stateOf(answer)}`,
        ...(note === null ? [] : [note]),
        ...(coverage.droppedClaims === 0
          ? []
          : [`${counted(coverage.droppedClaims, "claim")} left out: no transcript has the quotes.`]),
        next,
      ],
      foreign: claims.map(blockOf),
    }
  }),
})
