/** Names of speakers as people type them: `Speaker 1=Ann,Speaker 2=Bob`. */
import { Effect } from "effect"
import type { NewNames } from "../Asked.js"
import type { BatchRefused } from "../BatchRefused.js"
import { refusedOption } from "./Written.js"

/** A comma that a label and `=` follow: others belong to the name. */
const BETWEEN = /,(?=[^,=]*=)/

const NUMBER = /^\d{1,3}$/

const LONGEST_NAME = 100

export const readNames = (given: string): Effect.Effect<NewNames, BatchRefused> =>
  Effect.gen(function* () {
    const names = new Map<string, string | null>()
    for (const part of given.split(BETWEEN)) {
      const at = part.indexOf("=")
      const typed = part.slice(0, Math.max(0, at)).trim()
      const name = part.slice(at + 1).trim()
      if (typed === "" || name.length > LONGEST_NAME)
        return yield* refusedOption(
          "speakers",
          `"${part}" names no speaker. Write "Speaker 1=Ann", with a name of at most ${LONGEST_NAME} characters.`,
        )
      const label = NUMBER.test(typed) ? `Speaker ${typed}` : typed
      if (names.has(label))
        return yield* refusedOption("speakers", `${label} is named twice. Give it one name.`)
      names.set(label, name === "" ? null : name)
    }
    return Object.fromEntries(names)
  })
