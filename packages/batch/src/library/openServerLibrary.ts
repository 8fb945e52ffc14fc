/** The transcripts of a server, asked for as those in a library of files are. */
import { setTimeout } from "node:timers/promises"
import type { EarmarkClient, Transcription, TranscriptionSummary } from "@earmark/api/client"
import { distinctNames, type EditOperation } from "@earmark/core/edits"
import { namesByLabel, renameSpeakers, type Segment } from "@earmark/core/transcripts"
import { ExportFormat, type ExtrasRequest } from "@earmark/core/wire"
import { Effect } from "effect"
import type { EditableTranscript } from "./editEntry.js"
import type { ExportWanted } from "./exportEntry.js"
import type { Editing, Readable } from "./Library.js"
import type { ListedRevision } from "./revisions.js"
import type { AskServer, ServerRefusal } from "./ServerRefusal.js"
import { idAtServer } from "./serverIds.js"

export interface ServerLibraryOptions<E> {
  readonly ask: AskServer<E>
  /** A refusal as an error of the host. */
  readonly refuse: (refusal: ServerRefusal) => E
}

export interface ServerLibrary<E> extends Readable<E>, Editing<E, ListedRevision> {
  readonly retry: (id: string) => Effect.Effect<TranscriptionSummary, E>
  readonly remove: (id: string) => Effect.Effect<void, E>
  /** An address that gives the file to whoever has it, for a while. */
  readonly exportLink: (
    id: string,
    wanted: ExportWanted,
  ) => Effect.Effect<{ readonly url: string; readonly expires_at: string }, E>
  /** Has extras made of the newest text, waits until they are, and answers how all of them fare. */
  readonly addExtras: (
    id: string,
    request: ExtrasRequest,
  ) => Effect.Effect<Pick<Transcription, "enrichment">, E>
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
  const list = client.transcriptions.edits(id, { limit: 100 }, { signal })
  for await (const { revision, made_at, made_by, operations, undoes } of list)
    found.push({
      revision,
      made_at,
      made_by: made_by === null ? null : (made_by.name ?? made_by.key_id),
      operations: undoes === null ? operations : null,
      undo: undoes,
    })
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

export const openServerLibrary = <E>({ ask, refuse }: ServerLibraryOptions<E>): ServerLibrary<E> => {
  const refused = (refusal: ServerRefusal) => Effect.fail(refuse(refusal))

  /** What the wire takes. */
  const exported = <Answer>(
    { names, ...wanted }: ExportWanted,
    work: (
      query: Omit<ExportWanted, "names" | "format"> & { readonly format: ExportFormat },
    ) => Effect.Effect<Answer, E>,
  ): Effect.Effect<Answer, E> => {
    if (names !== undefined) return refused({ reason: "names_not_taken", subject: "" })
    const format = ExportFormat.literals.find((each) => each === wanted.format)
    return format === undefined
      ? refused({ reason: "format_not_written", subject: wanted.format })
      : work({ ...wanted, format })
  }

  return {
    idOf: (given) => idAtServer(ask, refuse, given),
    list: ({ status, ...query }) =>
      status === "canceled"
        ? refused({ reason: "canceled_not_listed", subject: "" })
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
    remove: (id) => Effect.asVoid(ask((client, { signal }) => client.transcriptions.delete(id, { signal }))),
    export: (id, wanted) =>
      exported(wanted, (query) =>
        Effect.map(
          ask((client, { signal }) => client.transcriptions.export(id, query, { signal }).bytes()),
          (bytes) => [bytes],
        ),
      ),
    exportLink: (id, wanted) =>
      exported(wanted, (query) =>
        ask((client, { signal }) => client.transcriptions.exportLink(id, query, { signal })),
      ),
    searchPattern: () => refused({ reason: "patterns_not_searched", subject: "" }),
    editable: (id, revision) =>
      Effect.flatMap(
        ask((client, { signal }) =>
          client.transcriptions.get(id, { include: "words", revision }, { signal }),
        ),
        (job) =>
          job.status === "done"
            ? Effect.succeed(editableOf(job))
            : refused({ reason: "no_transcript", subject: id, status: job.status }),
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
