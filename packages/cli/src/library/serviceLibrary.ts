/** What a service keeps, in the words of the command. */
import { openServerLibrary, type ServerRefusal } from "@earmark/batch"
import { ExportFormat } from "@earmark/core/wire"
import { Effect } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import { askTarget } from "../remote/ask.js"
import type { Target } from "../remote/target.js"
import type { Library } from "./Library.js"

const MOST_NAMED = 3

/** With the options and commands that help. */
const refuse = ({ reason, subject, ids = [], status }: ServerRefusal): CommandFailed => {
  switch (reason) {
    case "id_too_short":
      return failed(
        `${subject} is too little of an id: give at least four characters behind tr_. [ambiguous_id]`,
      )
    case "ambiguous_id":
      return failed(
        `${subject} is the beginning of ${ids.length} ids: ${ids.slice(0, MOST_NAMED).join(", ")}${ids.length > MOST_NAMED ? ", ..." : ""}. Give more of the one that is meant. [ambiguous_id]`,
      )
    case "too_many_ids":
      return usage(
        `Too many transcriptions of this server were made when ids began with ${subject}. Give more of the id.`,
      )
    case "canceled_not_listed":
      return usage(
        "--status canceled is for this machine: a server lists what was canceled among the failed. Use --status failed.",
      )
    case "names_not_taken":
      return usage(
        "--speakers is for the library of this machine. Name speakers at a server with: earmark jobs name ID NAMES",
      )
    case "format_not_written":
      return usage(
        `A server does not write ${subject}; it writes ${ExportFormat.literals.join(", ")}. Convert one of them with earmark captions.`,
      )
    case "patterns_not_searched":
      return usage(
        "--regex is for the library of this machine: a server looks for words and phrases. Leave it out, or add --local.",
      )
    case "no_transcript":
      return failed(`${subject} has no transcript yet: it is ${status}. [invalid_state]`)
  }
}

export const serviceLibrary = (target: Target): Library => {
  const library = openServerLibrary({ ask: (work) => askTarget(target, work), refuse })
  return {
    ...library,
    remove: (id) => Effect.as(library.remove(id), `${id} is deleted: its text and its media are gone.`),
    removeAll: () =>
      Effect.fail(
        usage(
          `--all empties the library of this machine, and ${target.baseUrl} is a server: name the ids, or add --local.`,
        ),
      ),
    // The files are of whoever has exported them.
    rewrite: () => Effect.succeed({ written: [], left: [] }),
  }
}
