import type { EpisodesWanted } from "@earmark/batch"
import { Effect } from "effect"
import { usage } from "../CommandFailed.js"
import { withDefaults } from "../defaults.js"
import type { Given } from "../grammar/Grammar.js"
import type { feed as feedSpec, transcribe as transcribeSpec } from "../grammar/transcribing.js"
import { isStandardInput, STANDARD_INPUT } from "../input.js"
import { isResume } from "../resume.js"
import { readInterval, readSince } from "../transcribe/since.js"
import { requestOf, runTranscribe } from "./runTranscribe.js"

const RESUME_WITH =
  "--resume stands alone: it goes on with the sources and options of the run that was stopped. Leave it out; what is done already is skipped."

const NOTHING_TO_RESUME =
  "There is nothing to go on with in this folder: no run was stopped here. Name what to transcribe; what is done already is skipped."

export const transcribe = (typed: Given<typeof transcribeSpec>) =>
  Effect.gen(function* () {
    const given = yield* withDefaults(typed)
    const watch = given.watch ?? null
    const list = given.from ?? null
    const from = list !== null && isStandardInput(list) ? STANDARD_INPUT : list
    if (given.resume) return yield* usage(isResume(process.argv.slice(2)) ? NOTHING_TO_RESUME : RESUME_WITH)
    if (given.sources.length === 0 && watch === null && from === null) {
      return yield* usage(
        "earmark transcribe needs <source>: a file, a folder, an address, or -. See earmark transcribe --help.",
      )
    }
    const wanted: EpisodesWanted = {
      latest: given.latest ?? null,
      since: yield* readSince(given.since),
      match: given.match ?? null,
    }
    const isWhole = given.all || Object.values(wanted).some((each) => each !== null)
    if (isWhole && given.episode !== undefined) {
      return yield* usage(
        "--episode names one episode, and --all, --latest, --since and --match several: give one kind.",
      )
    }
    if (from === STANDARD_INPUT && given.sources.some(isStandardInput))
      return yield* usage("Standard input is named twice: it can be a recording (-) or a list (--from -).")
    const request = {
      ...requestOf(given, given.sources),
      from,
      watch,
      episodes: isWhole ? wanted : null,
      jobs: given.jobs,
      skipExisting: given.skipExisting,
      retryFailed: given.retryFailed,
      dryRun: given.dryRun,
      words: process.argv.slice(2),
    }
    return yield* runTranscribe(request, typed)
  })

export const feedWatch = (given: Given<typeof feedSpec.commands.watch>) =>
  Effect.gen(function* () {
    if (given.backlog < 0) return yield* usage(`--backlog must be 0 or more, and got ${given.backlog}.`)
    const everySeconds = yield* readInterval(given.interval)
    const feedWatch = { everySeconds, once: given.once, backlog: given.backlog }
    return yield* runTranscribe({ ...requestOf(given, given.feeds), feedWatch }, given)
  })
