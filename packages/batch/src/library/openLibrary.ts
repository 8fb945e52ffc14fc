/** What this machine has transcribed. A list reads heads alone: what reads the transcripts is loaded when one is asked for. */

import { JobId } from "@earmark/core/jobs"
import { Effect } from "effect"
import { type LibraryOptions, makeHeads } from "./heads.js"
import type { Library } from "./Library.js"

const LOOK_EVERY = "500 millis"

/** Opens a library of files. Nothing is made before something is kept in it: see `makeKeeper`. */
export const openLibrary = (options: LibraryOptions): Library => {
  const heads = makeHeads(options)
  const { folder, tellDamaged, oneOfEach, find, finished, jobOf } = heads

  const contents = Effect.promise(async () => {
    const { makeContents } = await import("./contents.js")
    return makeContents(heads)
  })

  const searching = Effect.flatMap(contents, (read) =>
    Effect.promise(async () => {
      const { makeSearching } = await import("./searching.js")
      return makeSearching(heads, read)
    }),
  )

  const changing = Effect.flatMap(contents, (read) =>
    Effect.promise(async () => {
      const { makeChanging } = await import("./changing.js")
      return makeChanging(heads, read)
    }),
  )

  const show: Library["show"] = Effect.fnUntraced(function* (id, wait, parts) {
    let head = yield* find(id)
    let job = jobOf(head)
    while (wait && job.status === "queued") {
      yield* Effect.sleep(LOOK_EVERY)
      head = yield* find(id)
      job = jobOf(head)
    }
    return job.status === "done" ? yield* (yield* contents).whole(job, head, parts) : job
  })

  const ask: Library["ask"] = (id, question, answering) =>
    Effect.gen(function* () {
      const { answerFrom, askEntries, byPassages } = yield* Effect.promise(() => import("./askEntries.js"))
      const by = answering ?? byPassages
      if (id === null) {
        const { answer, unreadable } = yield* askEntries(folder, yield* oneOfEach, question, by)
        yield* tellDamaged(unreadable)
        return answer
      }
      const { job: found, speakerNames } = yield* finished(id)
      const job = { id: JobId.make(id), title: found.title, speakerNames }
      return yield* answerFrom(question, [{ job, content: yield* (yield* contents).contentOf(id) }], 1, by)
    })

  const exportFile: Library["exportFile"] = (id, wanted) =>
    Effect.flatMap(contents, (read) => read.exportFile(id, wanted))

  return {
    ...heads.operations,
    show,
    ask,
    name: (id, names) => Effect.flatMap(contents, (read) => read.name(id, names)),
    words: (id) => Effect.flatMap(contents, (read) => read.words(id)),
    exportFile,
    export: (id, wanted) => Effect.map(exportFile(id, wanted), ({ chunks }) => chunks),
    search: (id, query) => Effect.flatMap(searching, (look) => look.search(id, query)),
    searchPattern: (id, query) => Effect.flatMap(searching, (look) => look.searchPattern(id, query)),
    addExtras: (id, request, staff) =>
      Effect.flatMap(changing, (change) => change.addExtras(id, request, staff)),
    editable: (id, revision) => Effect.flatMap(changing, (change) => change.editable(id, revision)),
    edit: (id, base, operations) => Effect.flatMap(changing, (change) => change.edit(id, base, operations)),
    undoEdit: (id, revision) => Effect.flatMap(changing, (change) => change.undoEdit(id, revision)),
    edits: (id) => Effect.flatMap(changing, (change) => change.edits(id)),
    rewrite: (id) => Effect.flatMap(changing, (change) => change.rewrite(id)),
  }
}
