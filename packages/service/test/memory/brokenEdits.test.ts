import { editCases } from "@earmark/testkit/contracts"
import { Effect } from "effect"
import { EditStore } from "../../src/index.js"
import { breaksOf, breaksOfTables, keeping, suiteCatches } from "./breaking.js"

const edits = breaksOf(EditStore, editCases)
const editTables = breaksOfTables(editCases)

suiteCatches("EditStore", [
  edits(
    "takes every change, whatever it was made on",
    ({ append, latest }) => ({
      append: (made, options) =>
        Effect.flatMap(latest(made.account, made.job, { before: null, limit: 1 }), ([newest]) =>
          append({ ...made, base: newest?.revision ?? 0 }, options),
        ),
    }),
    "of racing changes",
  ),
  edits(
    "appends a repeat again",
    ({ append }) => ({ append: (made) => append(made, { guard: null }) }),
    "a change with a key",
  ),
  edits(
    "is searched by what was heard",
    ({ append }) => ({
      append: (made, options) =>
        append({ ...made, lines: [{ start: 0, end: 1, speaker: null, text: "goes", words: [] }] }, options),
    }),
    "a search finds",
  ),
  editTables(
    "keeps what its job has left behind",
    ({ revisions: table }) => ({ revisions: { ...table, delete: () => undefined } }),
    "revisions go with the content",
  ),
  editTables(
    "writes the correction over what was heard",
    ({ jobs, contents }) => ({
      jobs: {
        ...jobs,
        set: (id, job) => {
          const content = contents.get(id)
          if (job.revision > 0 && content !== undefined) contents.set(id, { ...content, text: "corrected" })
          jobs.set(id, job)
        },
      },
    }),
    "what was heard stays",
  ),
  editTables(
    "forgets who made a revision",
    ({ revisions: table }) => ({
      revisions: keeping(table, (rows) => rows.map((row) => ({ ...row, madeBy: null }))),
    }),
    "revisions are read back",
  ),
])
