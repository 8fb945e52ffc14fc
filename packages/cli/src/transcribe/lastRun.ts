/** The last run in this folder that was stopped: so that `--resume` alone goes on with it. */
import { lastRunIn } from "@earmark/batch"
import { stateFolder } from "@earmark/runtime/user"
import { Effect } from "effect"

export const runHere = Effect.map(stateFolder, (state) => lastRunIn(state, process.cwd()))

/** The words of the last run in this folder, with its list in place of the pipe; null when there is none to go on with. */
export const lastRun = Effect.gen(function* () {
  const { words, list } = yield* runHere
  const found = yield* words
  if (found === null) return null
  return found.map((word, at) => {
    if (word === "--from=-") return `--from=${list}`
    return found[at - 1] === "--from" && word === "-" ? list : word
  })
})
