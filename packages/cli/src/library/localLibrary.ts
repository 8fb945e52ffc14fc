/** What this machine has transcribed: the library of files, in the words of the command. */
import {
  type Explain,
  explainPlainly,
  type LibraryRefused,
  listedRevisions,
  openLibrary,
} from "@earmark/batch"
import type { ProblemCode } from "@earmark/core/wire"
import { engines, storage } from "@earmark/runtime/settings"
import { libraryFolder } from "@earmark/runtime/user"
import type { AdministrationRefused } from "@earmark/service"
import { Effect } from "effect"
import { type CommandFailed, failed, usage, withCode } from "../CommandFailed.js"
import { note } from "../output.js"
import { sentence } from "../remote/explainError.js"
import { settingOf } from "../settingOf.js"
import { counted } from "../transcribe/figures.js"
import { STOPPED } from "../transcribe/sentences.js"
import type { Library } from "./Library.js"

const MISTAKES: ReadonlyArray<ProblemCode> = ["invalid_request", "unknown_field"]

const MOST_NAMED = 10

const loadHost = Effect.promise(() => import("./answerHost.js"))

const loadRetry = Effect.promise(() => import("./retryHere.js"))

const KEPT_OFF = "EARMARK_LIBRARY is off: nothing that this machine transcribes is kept."

/** With the options and commands that help, and the code of a service. */
const explained = (refused: LibraryRefused): CommandFailed => {
  const { reason, subject, message, code = "internal_error", path, ids = [], pid = 0, detail = "" } = refused
  switch (reason) {
    case "not_found":
      return failed(
        `There is nothing with the id ${subject} in the library of this machine (${path}). earmark jobs list tells what is there; --server or --profile names a server to look at. [not_found]`,
      )
    case "ambiguous_id": {
      const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : ""
      return failed(
        `${subject} is the beginning of ${ids.length} ids: ${ids.slice(0, MOST_NAMED).join(", ")}${more}. Give more of the one that is meant. [ambiguous_id]`,
      )
    }
    case "id_too_short":
      return failed(`${message} [ambiguous_id]`)
    case "damaged":
      return failed(
        `What is kept of ${subject} is damaged (${path}). earmark jobs delete ${subject} takes it away; transcribe it again then. [damaged]`,
      )
    case "under_way":
      return failed(
        `${subject} is under way in a run of this machine (process ${pid}): Ctrl-C in its terminal stops the run, or kill -INT ${pid}. What it has heard is kept. [runs_here]`,
      )
    case "stopped_already":
      return failed(
        `${subject} was stopped already; earmark jobs retry ${subject} goes on with it. [invalid_state]`,
      )
    case "edit_refused":
    case "being_edited":
    case "revision_conflict":
      return withCode(failed(message), reason)
    case "source_gone":
      return failed(
        `${subject} came through a pipe, and is not there any more. Pipe it in again: earmark transcribe - < FILE. [source_not_found]`,
      )
    case "pattern_invalid":
      return usage(`--regex cannot use "${subject}": ${detail}`)
    case "pattern_too_slow":
      return failed(`--regex ${detail}`)
    case "refused":
      return (MISTAKES.includes(code) ? usage : failed)(`${sentence(message)} [${code}]`)
    case "library_unreadable":
    case "library_unwritable":
      return failed(`${message} [${reason}]`)
  }
}

const told = <Answer, R>(
  work: Effect.Effect<Answer, AdministrationRefused | CommandFailed | LibraryRefused, R>,
): Effect.Effect<Answer, CommandFailed, R> =>
  Effect.mapError(work, (failure) => {
    if (failure._tag === "LibraryRefused") return explained(failure)
    // The settings cannot be.
    return failure._tag === "AdministrationRefused" ? usage(failure.message) : failure
  })

/** Entries that cannot be read are left out; the others are there all the same. */
const onUnreadable = (ids: ReadonlyArray<string>) => {
  const [are, which] = ids.length === 1 ? ["is", "it"] : ["are", "the first one"]
  return note(
    `${counted(ids.length, "entry", "entries")} of the library cannot be read and ${are} left out: earmark jobs delete ${ids[0]} takes ${which} away.`,
  )
}

const onTorn = (id: string) =>
  note(`The last edit of ${id} was interrupted before it was complete, and does not count.`)

/** What is wrong with an entry, as the command says it. */
export const explain: Explain = (problem) =>
  problem.reason === "stopped" ? STOPPED : explainPlainly(problem)

export const openLocalLibrary = (folder: string): Library => {
  const library = openLibrary({ folder, onUnreadable, onTorn, explain })

  const list: Library["list"] = Effect.fnUntraced(function* (query) {
    if (query.batch_id !== undefined)
      return yield* usage("--batch is for a server: runs on this machine have no batches. Leave it out.")
    const page = yield* told(library.list(query))
    if (!(yield* settingOf(storage.library))) yield* note(KEPT_OFF)
    return page
  })

  const retry: Library["retry"] = Effect.fnUntraced(function* (id) {
    const { retryHere } = yield* loadRetry
    const { job, lacked } = yield* told(library.retry(id, retryHere))
    if (lacked.length > 0)
      yield* note(
        `What could not be made (${lacked.join(", ")}) was tried again. Files that were written stay as they are: earmark export ${id} writes them anew.`,
      )
    return job
  })

  const removeAll: Library["removeAll"] = Effect.fnUntraced(function* (consent) {
    const there = yield* told(library.count)
    if (there > 0) yield* consent(there)
    const count = yield* told(library.removeAll)
    return `The library of this machine is empty: ${counted(count, "entry", "entries")} deleted. Files that were written stay where they are.`
  })

  const ask: Library["ask"] = Effect.fnUntraced(function* (id, question) {
    // What speaks to a model is large.
    const answering = (yield* engines.llmUrl.isSet) ? (yield* loadHost).answerWithModel : undefined
    return yield* told(library.ask(id, question, answering))
  })

  const addExtras: Library["addExtras"] = Effect.fnUntraced(function* (id, request) {
    const { withStaff } = yield* loadHost
    return yield* told(withStaff((staff) => library.addExtras(id, request, staff)))
  })

  return {
    idOf: (given) => told(library.idOf(given)),
    list,
    superseded: told(library.superseded ?? Effect.succeed(new Set<string>())),
    show: (id, wait) => told(library.show(id, wait)),
    cancel: (id) => told(library.cancel(id)),
    retry,
    name: (id, names) => told(library.name(id, names)),
    remove: (id) =>
      Effect.as(
        told(library.remove(id)),
        `${id} is deleted from the library of this machine. Files that were written stay where they are.`,
      ),
    removeAll,
    export: (id, wanted) => told(library.export(id, wanted)),
    exportLink: () =>
      Effect.fail(
        usage(
          "--link needs a server: others cannot open an address of this machine. Write a file with -o FILE, or name a server with --server.",
        ),
      ),
    search: (id, query) => told(library.search(id, query)),
    ask,
    addExtras,
    searchPattern: (id, query) => told(library.searchPattern(id, query)),
    editable: (id, revision) => told(library.editable(id, revision)),
    edit: (id, base, operations) => told(library.edit(id, base, operations)),
    undoEdit: (id, revision) => told(library.undoEdit(id, revision)),
    edits: (id) => Effect.map(told(library.edits(id)), listedRevisions),
    rewrite: (id) => told(library.rewrite(id)),
  }
}

export const localLibrary = Effect.map(libraryFolder, openLocalLibrary)
