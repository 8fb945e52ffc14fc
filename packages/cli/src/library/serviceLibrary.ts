/** What a service keeps. */
import { setTimeout } from "node:timers/promises"
import type { EarmarkClient, Transcription } from "@earmark/api/client"
import type { EditableTranscript, ExportWanted } from "@earmark/batch"
import { distinctNames, type EditOperation } from "@earmark/core/edits"
import { namesByLabel, renameSpeakers, type Segment } from "@earmark/core/transcripts"
import { ExportFormat } from "@earmark/core/wire"
import { Effect } from "effect"
import { failed, usage } from "../CommandFailed.js"
import type { ListedRevision } from "../editing/revisions.js"
import { askTarget, type Work } from "../remote/ask.js"
import type { Target } from "../remote/keys.js"
import type { Library } from "./Library.js"
import { wholeId } from "./wholeId.js"

/** What the wire takes: a service writes fewer formats than this machine. */
const served = ({ names, ...wanted }: ExportWanted) => {
  if (names !== undefined)
    return Effect.fail(
      usage(
        "--speakers is for the library of this machine. Name speakers at a server with: earmark jobs name ID NAMES",
      ),
    )
  const format = ExportFormat.literals.find((each) => each === wanted.format)
  return format === undefined
    ? Effect.fail(
        usage(
          `A server does not write ${wanted.format}; it writes ${ExportFormat.literals.join(", ")}. Convert one of them with earmark captions.`,
        ),
      )
    : Effect.succeed({ ...wanted, format })
}

const milliseconds = (seconds: number): number => Math.round(seconds * 1000)

const editableOf = (job: Extract<Transcription, { readonly status: "done" }>): EditableTranscript => {
  const { id, title, language, duration_seconds, revision = 0, speakers } = job
  const segments = job.segments.map(
    ({ start, end, speaker, text, words = [] }): Segment => ({
      start: milliseconds(start),
      end: milliseconds(end),
      speaker,
      text,
      words: words.map((word) => ({
        ...word,
        speaker: word.speaker ?? null,
        start: milliseconds(word.start),
        end: milliseconds(word.end),
      })),
    }),
  )
  const transcript = { language, duration: milliseconds(duration_seconds), segments }
  return { id, title, revision, transcript: renameSpeakers(transcript, distinctNames(speakers, segments)) }
}

const inSeconds = (operation: EditOperation): EditOperation =>
  operation.type === "times"
    ? { ...operation, start: operation.start / 1000, end: operation.end / 1000 }
    : operation

const allEdits = async (client: EarmarkClient, id: string, signal: AbortSignal) => {
  const found: Array<ListedRevision> = []
  let cursor: string | undefined
  do {
    const page = await client.transcriptions.edits(id, { limit: 100, cursor }, { signal })
    for (const { revision, made_at, made_by, operations, undoes } of page.data)
      found.push({
        revision,
        made_at,
        made_by: made_by === null ? null : (made_by.name ?? made_by.key_id),
        operations: undoes === null ? operations : null,
        undo: undoes,
      })
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return found
}

const LOOK_EVERY = 1000

const isPending = ({
  summary,
  chapters,
  translation,
  translations = {},
}: Transcription["enrichment"]): boolean =>
  [summary, chapters, translation, ...Object.values(translations)].some(
    (extra) => extra?.status === "pending",
  )

export const serviceLibrary = (target: Target): Library => {
  const ask = <Answer>(work: Work<Answer>) => askTarget(target, work)
  return {
    idOf: wholeId(ask),
    list: ({ status, ...query }) =>
      status === "canceled"
        ? Effect.fail(
            usage(
              "--status canceled is for this machine: a server lists what was canceled among the failed. Use --status failed.",
            ),
          )
        : ask((client, { signal }) => client.transcriptions.list({ ...query, status }, { signal })),
    show: (id, wait) =>
      ask((client, { signal }) =>
        wait ? client.waitFor(id, { signal }) : client.transcriptions.get(id, {}, { signal }),
      ),
    cancel: (id) => ask((client, { signal }) => client.transcriptions.cancel(id, { signal })),
    retry: (id) => ask((client, { signal }) => client.transcriptions.retry(id, { signal })),
    name: (id, asked) =>
      ask(async (client, { signal }) => {
        const job = await client.transcriptions.get(id, {}, { signal })
        const speakers = job.status === "done" ? namesByLabel(asked, job.segments, job.speakers) : asked
        return client.transcriptions.update(id, { speakers }, { signal })
      }),
    remove: (id) =>
      Effect.as(
        ask((client, { signal }) => client.transcriptions.delete(id, { signal })),
        `${id} is deleted: its text and its media are gone.`,
      ),
    removeAll: () =>
      Effect.fail(
        usage(
          `--all empties the library of this machine, and ${target.baseUrl} is a server: name the ids, or add --local.`,
        ),
      ),
    export: (id, wanted) =>
      Effect.flatMap(served(wanted), (query) =>
        Effect.map(
          ask((client, { signal }) => client.transcriptions.export(id, query, { signal }).bytes()),
          (bytes) => [bytes],
        ),
      ),
    exportLink: (id, wanted) =>
      Effect.flatMap(served(wanted), (query) =>
        ask((client, { signal }) => client.transcriptions.exportLink(id, query, { signal })),
      ),
    searchPattern: () =>
      Effect.fail(
        usage(
          "--regex is for the library of this machine: a server looks for words and phrases. Leave it out, or add --local.",
        ),
      ),
    editable: (id, revision) =>
      Effect.flatMap(
        ask((client, { signal }) =>
          client.transcriptions.get(id, { include: "words", revision }, { signal }),
        ),
        (job) =>
          job.status === "done"
            ? Effect.succeed(editableOf(job))
            : Effect.fail(failed(`${id} has no transcript yet: it is ${job.status}. [invalid_state]`)),
      ),
    edit: (id, base, operations) =>
      ask((client, { signal }) =>
        client.transcriptions.edit(
          id,
          { base_revision: base, operations: operations.map(inSeconds) },
          { signal },
        ),
      ),
    undoEdit: (id, revision) =>
      ask((client, { signal }) => client.transcriptions.undoEdit(id, revision, { signal })),
    edits: (id) => ask((client, { signal }) => allEdits(client, id, signal)),
    // The files are of whoever has exported them.
    rewrite: () => Effect.succeed({ written: [], left: [] }),
    addExtras: (id, { summary, chapters, translateTo }) =>
      ask(async (client, { signal }) => {
        const options = { summary, chapters, translate_to: translateTo }
        let { enrichment } = await client.transcriptions.extras(id, options, { signal })
        while (isPending(enrichment)) {
          await setTimeout(LOOK_EVERY, undefined, { signal })
          enrichment = (await client.transcriptions.get(id, {}, { signal })).enrichment
        }
        return { enrichment }
      }),
    ask: (id, question) =>
      ask((client, { signal }) =>
        id === null
          ? client.transcriptions.askAll({ question, all: true }, { signal })
          : client.transcriptions.ask(id, { question }, { signal }),
      ),
    search: (id, query) =>
      ask((client, { signal }) => {
        if (id === null) return client.transcriptions.searchAll(query, { signal })
        const { feed: _, ...inOne } = query
        return client.transcriptions.search(id, inOne, { signal })
      }),
  }
}
