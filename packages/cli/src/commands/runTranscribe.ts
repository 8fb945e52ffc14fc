import { Effect } from "effect"
import { usage } from "../CommandFailed.js"
import type { Given } from "../grammar/Grammar.js"
import type { Shared } from "../grammar/transcribing.js"
import { namedTarget, type Where } from "../remote/target.js"
import { readAsked } from "../transcribe/readAsked.js"
import { NOTHING_ASKED, type TranscribeRequest } from "../transcribe/TranscribeRequest.js"

/** The part of a request that both commands say; the rest is as when nothing is said. */
export const requestOf = (given: Given<Shared>, sources: ReadonlyArray<string>): TranscribeRequest => ({
  ...NOTHING_ASKED,
  sources,
  raw: given,
  output: given.output ?? null,
  engine: given.engine ?? null,
  keep: !given.noKeep,
  force: given.force,
  maxMinutes: given.maxMinutes ?? null,
  maxCredits: given.maxCredits ?? null,
  manifest: given.manifest ?? null,
  json: given.json,
  quiet: given.quiet,
  verbose: given.verbose,
  colour: given.color,
})

/** What transcribes is bundled apart, since it is as large as all the rest. */
export const transcribe = (request: TranscribeRequest) =>
  Effect.flatMap(
    Effect.promise(() => import("../transcribe/host.js")),
    (host) => host.transcribe(request),
  )

const least = (option: string, value: number | null, smallest: number) =>
  value === null || value >= smallest
    ? Effect.void
    : usage(`${option} must be ${smallest} or more, and got ${value}.`)

/** As it was typed: where the work is done, and what only this machine does. */
interface Typed extends Where {
  readonly local: boolean
  readonly engine: string | undefined
}

/** Which server does the work; null: this machine. */
const serverOf = Effect.fnUntraced(function* (request: TranscribeRequest, given: Typed) {
  const server = yield* namedTarget(given)
  if (server !== null && given.engine !== undefined)
    return yield* usage("--engine is for this machine: a server has an engine of its own. Add --local.")
  if (server !== null && !request.keep)
    return yield* usage("--no-keep is for this machine: a server keeps what it makes. Add --local.")
  return server
})

/** Does what a command line asks for. A mistake in it is told before anything heavy is loaded. */
export const runTranscribe = Effect.fnUntraced(function* (asked: TranscribeRequest, given: Typed) {
  const request = { ...asked, server: yield* serverOf(asked, given) }
  yield* readAsked(request.raw)
  if (request.quiet && request.verbose)
    return yield* usage("--quiet tells nothing and --verbose everything: give one of them.")
  yield* least("--jobs", request.jobs, 1)
  yield* least("--max-minutes", request.maxMinutes, 0)
  yield* least("--max-credits", request.maxCredits, 0)
  yield* least("--latest", request.episodes?.latest ?? null, 1)
  yield* transcribe(request)
})
