import type { EditOperation } from "@earmark/core/edits"
import { counted } from "@earmark/core/text"
import { decodeRequest, EditRequest } from "@earmark/core/wire"
import { Effect, Schema } from "effect"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import * as fields from "./fields.js"
import { clock } from "./foreignText.js"
import { reread, tool } from "./Tool.js"
import { ToolRefused } from "./ToolRefused.js"

const { optional } = fields

const MOST_CHANGES = 500

const decodeEdit = decodeRequest(EditRequest)

const Change = Schema.Struct({
  start: fields.number("start of the line, from view segments."),
  find: optional(fields.text("Its words.", { from: 1, to: 10_000 })),
  replace: optional(fields.text("Words instead.", { to: 10_000 })),
  speaker: optional(fields.text("Who says it.", { from: 1, to: 100 })),
  remove: optional(fields.flag("Remove it.")),
})

const Input = Schema.Struct({
  id: fields.text("Id.", { from: 1, to: 64 }),
  changes: fields.someOf("All or none.", Change, MOST_CHANGES),
})

const Output = Schema.Struct({
  revision: fields.integer("Its number."),
  next_step: fields.nextStep,
})

interface Line {
  readonly start: number
  readonly text: string
}

const refuse = (detail: string) =>
  new ToolRefused({
    code: "invalid_request",
    detail,
    action: "Read view segments of get_transcription, and take start and find from there.",
  })

/** The operations for the changes, on lines that were just read; each change sees what those before it have made. */
const operationsFor = (
  segments: ReadonlyArray<Line>,
  changes: ReadonlyArray<typeof Change.Type>,
): ReadonlyArray<EditOperation> | ToolRefused => {
  const texts = segments.map(({ text }) => text)
  const places = new Map<number, ReadonlyArray<number>>()
  for (const [at, { start }] of segments.entries()) places.set(start, [...(places.get(start) ?? []), at])
  /** A text of them shows whole seconds. */
  const linesAt = (start: number): ReadonlyArray<number> => {
    const exact = places.get(Math.round(start * 1000)) ?? []
    if (exact.length > 0 || !Number.isInteger(start)) return exact
    return [...segments.keys()].filter((each) => Math.floor((segments[each]?.start ?? 0) / 1000) === start)
  }
  const operations: Array<EditOperation> = []
  const removed = new Set<number>()
  for (const [number, { start, find, replace, speaker, remove = false }] of changes.entries()) {
    const at = `changes/${number}`
    if ((find === undefined) !== (replace === undefined))
      return refuse(`${at}: Give find and replace together`)
    if (find !== undefined && find === replace)
      return refuse(`${at}: replace is the same as find: nothing would change`)
    const isChanged = find !== undefined || speaker !== undefined
    if (isChanged === remove) return refuse(`${at}: Give find and replace, speaker, or remove alone`)
    const started = linesAt(start).filter((each) => !removed.has(each))
    if (started.length === 0) return refuse(`${at}: No line starts at ${start} seconds`)
    const [line, other] = started.filter((each) => find === undefined || (texts[each] ?? "").includes(find))
    if (line === undefined)
      return refuse(`${at}: The line at ${clock(start * 1000)} does not hold these words`)
    if (other !== undefined && segments[line]?.start !== Math.round(start * 1000))
      return refuse(`${at}: Several lines that start in second ${start} fit; give start with its decimals`)
    if (find !== undefined && replace !== undefined) {
      const parts = (texts[line] ?? "").split(find)
      if (parts.length !== 2)
        return refuse(`${at}: The line holds these words more than once; give more of it`)
      const text = parts.join(replace)
      if (text.trim() === "")
        return new ToolRefused({
          code: "invalid_edit",
          detail: `${at}: The line would have no words`,
          action: "Give remove instead to remove the line.",
        })
      texts[line] = text
      operations.push({ type: "text", line, text })
    }
    if (speaker !== undefined) operations.push({ type: "speaker", line, speaker })
    if (remove) removed.add(line)
  }
  // The last ones first and after all others: so every line has the number that was read.
  const last = [...removed].sort((first, second) => second - first)
  return [...operations, ...last.map((line): EditOperation => ({ type: "remove", line }))]
}

export const editTranscript = tool({
  name: "edit_transcript",
  title: "Correct a transcript",
  description:
    "Correct or remove lines of a finished transcription. Exports, searches and public pages show it; what was heard is kept.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  scope: "transcriptions:write",
  input: Input,
  output: Output,
  run: Effect.fnUntraced(function* ({ id, changes }) {
    const backend = yield* TranscriptionBackend
    const job = yield* backend.get(id, 0)
    if (job.status !== "done")
      return yield* new ToolRefused({ code: "not_ready", detail: `The transcription is ${job.status}` })
    const operations = operationsFor(job.segments, changes)
    if (operations instanceof ToolRefused) return yield* operations
    const body = yield* reread(decodeEdit({ base_revision: job.revision ?? 0, operations }))
    const { revision } = yield* backend.ask("transcriptions.edit", { path: { id }, body })
    const next = `Call get_transcription with id ${id} and view segments to read the corrected lines.`
    return {
      structured: { revision, next_step: next },
      lines: [`${counted(changes.length, "change")} made: revision ${revision}.`, next],
    }
  }),
})
