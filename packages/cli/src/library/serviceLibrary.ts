/** What a service keeps. */
import type { ExportWanted } from "@earmark/batch"
import { ExportFormat } from "@earmark/core/wire"
import { Effect } from "effect"
import { usage } from "../CommandFailed.js"
import { askTarget, type Work } from "../remote/ask.js"
import type { Target } from "../remote/target.js"
import type { Library } from "./Library.js"

const notYet = usage("Edits are for the library of this machine: add --local.")

/** What the wire takes: a service writes fewer formats than this machine. */
const served = ({ names, revision, ...wanted }: ExportWanted) => {
  if (revision !== undefined) return Effect.fail(notYet)
  if (names !== undefined)
    return Effect.fail(
      usage(
        "--speakers is for the library of this machine. Name speakers at a service with: earmark jobs name ID NAMES",
      ),
    )
  const format = ExportFormat.literals.find((each) => each === wanted.format)
  return format === undefined
    ? Effect.fail(
        usage(
          `A service does not write ${wanted.format}; it writes ${ExportFormat.literals.join(", ")}. Convert one of them with earmark captions.`,
        ),
      )
    : Effect.succeed({ ...wanted, format })
}

export const serviceLibrary = (target: Target): Library => {
  const ask = <Answer>(work: Work<Answer>) => askTarget(target, work)
  return {
    idOf: Effect.succeed,
    list: ({ status, ...query }) =>
      status === "canceled"
        ? Effect.fail(
            usage(
              "--status canceled is for this machine: a service lists what was canceled among the failed. Use --status failed.",
            ),
          )
        : ask((client, { signal }) => client.transcriptions.list({ ...query, status }, { signal })),
    show: (id, wait) =>
      ask((client, { signal }) =>
        wait ? client.waitFor(id, { signal }) : client.transcriptions.get(id, {}, { signal }),
      ),
    cancel: (id) => ask((client, { signal }) => client.transcriptions.cancel(id, { signal })),
    retry: (id) => ask((client, { signal }) => client.transcriptions.retry(id, { signal })),
    name: (id, names) =>
      ask((client, { signal }) => client.transcriptions.update(id, { speakers: names }, { signal })),
    remove: (id) =>
      Effect.as(
        ask((client, { signal }) => client.transcriptions.delete(id, { signal })),
        `${id} is deleted: its text and its media are gone.`,
      ),
    removeAll: () =>
      Effect.fail(
        usage(
          `--all empties the library of this machine, and ${target.baseUrl} is a service: name the ids, or add --local.`,
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
          "--regex is for the library of this machine: a service looks for words and phrases. Leave it out, or add --local.",
        ),
      ),
    sourceOf: () => Effect.succeed(null),
    editable: () => Effect.fail(notYet),
    edit: () => Effect.fail(notYet),
    undoEdit: () => Effect.fail(notYet),
    edits: () => Effect.fail(notYet),
    // The files are of whoever has exported them.
    rewrite: () => Effect.succeed({ written: [], left: [] }),
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
