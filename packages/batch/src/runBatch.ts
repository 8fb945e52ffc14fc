/** Runs from a program: what a run needs, with a value for everything that is left out. */
import { join } from "node:path"
import { Fetcher, MediaDecoder, makeTranscribeAlone, SourceResolver } from "@earmark/service"
import { Effect } from "effect"
import type { Asked, Layout } from "./Asked.js"
import type { BatchOptions, BatchSource, RunOptions, SourceOptions } from "./BatchOptions.js"
import { type OnEvent, observerOf } from "./events.js"
import type { Retried } from "./library/Library.js"
import { openLibrary } from "./library/openLibrary.js"
import { retryOf } from "./library/retry.js"
import { explainPlainly } from "./Problem.js"
import { requireGiven } from "./reading/requireGiven.js"
import type { Destination } from "./results/destination.js"
import { templateOf } from "./results/naming.js"
import { type Counts, countOf, type Result } from "./results/results.js"
import { type BatchParts, type BatchRequest, prepareBatch } from "./run/prepareBatch.js"
import type { AskedSource } from "./run/tasks.js"
import { STANDARD_INPUT } from "./sources/named.js"
import { makeLocalWorkplace } from "./work/localWorkplace.js"
import { makeServerWorkplace, type ServerWorkplaceOptions } from "./work/serverWorkplace.js"
import type { Transcribers } from "./work/Transcribers.js"
import type { Workplace } from "./work/Workplace.js"

export interface BatchSummary {
  /** In the order of the sources. */
  readonly results: ReadonlyArray<Result>
  readonly counts: Counts
  /** Pages that list the episodes of shows. */
  readonly pages: ReadonlyArray<string>
}

const NO_LAYOUT: Layout = { profile: undefined, maxCharsPerLine: undefined, maxLines: undefined }

const askedOf = Effect.fnUntraced(function* (given: SourceOptions) {
  const { options = {}, formats = [], wordLevel = false, layout = {}, names = {}, episode = null } = given
  const chapters = options.chapters === true || formats.includes("chapters")
  const asked: Asked = {
    options: { ...options, chapters },
    formats,
    wordLevel,
    layout: { ...NO_LAYOUT, ...layout },
    names,
    episode,
    name: given.name === undefined ? null : yield* templateOf(given.name),
  }
  return asked
})

const sourceOf = Effect.fnUntraced(function* (all: BatchOptions, given: string | BatchSource) {
  const { source, ...own } = typeof given === "string" ? { source: given } : given
  const asked = yield* askedOf({ ...all, ...own, options: { ...all.options, ...own.options } })
  const named: AskedSource = { source: source === "-" ? STANDARD_INPUT : source, asked }
  return named
})

const requestOf = Effect.fnUntraced(function* (given: BatchOptions) {
  yield* requireGiven(given)
  const asked = yield* askedOf(given)
  const { episodes, watch, feedWatch } = given
  const destination: Destination = { type: "folder", path: given.output ?? null }
  const request: BatchRequest = {
    sources: yield* Effect.forEach(given.sources, (source) => sourceOf(given, source)),
    destination,
    episodes:
      episodes === undefined
        ? null
        : {
            latest: episodes.latest ?? null,
            since: episodes.since ?? null,
            match: episodes.match ?? null,
          },
    feedWatch: feedWatch === undefined ? null : { ...feedWatch, asked },
    watch: watch === undefined ? null : { folder: watch, asked },
    format: "txt",
    engine: null,
    jobs: given.jobs ?? 1,
    force: given.force ?? false,
    skipExisting: given.skipExisting ?? false,
    retryFailed: given.retryFailed ?? false,
    dryRun: given.dryRun ?? false,
    maxMinutes: given.maxMinutes ?? null,
    maxCredits: given.maxCredits ?? null,
    manifest: given.manifest ?? null,
    keep: given.keep ?? true,
  }
  return request
})

const silent: OnEvent = () => Effect.void

const partsOf = (
  { state, onEvent = silent, explain = explainPlainly }: RunOptions,
  workplace: Workplace,
): BatchParts<never> => ({
  workplace,
  state,
  explain,
  observer: observerOf(onEvent),
  write: () => Effect.void,
  onResult: (result) => onEvent({ type: "result", result }),
})

const runIn = Effect.fnUntraced(function* (request: BatchRequest, parts: BatchParts<never>) {
  const { run, pages, goOn } = yield* prepareBatch(request, parts)
  const results = yield* run
  yield* goOn
  const summary: BatchSummary = { results, counts: countOf(results), pages: pages() }
  return summary
})

/** What transcribes here is what the context has, whatever the language. */
const workplaceHere = Effect.fnUntraced(function* ({ state, explain = explainPlainly }: RunOptions) {
  const { measure } = yield* MediaDecoder
  const transcriber = {
    alone: yield* makeTranscribeAlone,
    resolver: yield* SourceResolver,
    isCurrent: () => true,
  }
  const transcribers: Transcribers = {
    forLanguage: () => Effect.succeed(transcriber),
    renew: Effect.void,
    getModels: () => Effect.succeed(false),
    listening: () => Effect.void,
    fetcher: yield* Fetcher,
  }
  return yield* makeLocalWorkplace({
    folder: join(state, "unfinished"),
    transcribers: Effect.succeed(transcribers),
    measure,
    language: null,
    explain,
  })
})

/**
 * Transcribes many sources here: each once, under the caps, with results that a later run knows. The same options after a stop go on
 * where it was. What is wrong with one source is a result; only what is wrong with the whole run fails.
 */
export const runBatch = Effect.fn("runBatch")(function* (options: BatchOptions) {
  const workplace = yield* workplaceHere(options)
  return yield* runIn(yield* requestOf(options), partsOf(options, workplace))
})

/** The same, with the work done by a server. */
export const runBatchOnServer = Effect.fn("runBatchOnServer")(function* (
  options: BatchOptions,
  server: Pick<ServerWorkplaceOptions, "client" | "baseUrl" | "fileLength">,
) {
  const { state, explain = explainPlainly } = options
  const workplace = makeServerWorkplace({ ...server, folder: join(state, "servers"), explain })
  return yield* runIn(yield* requestOf(options), partsOf(options, workplace))
})

/** Transcribes again an entry of the library that failed, or lacks an extra: the same source and options, to the same places. */
export const retryEntry = Effect.fn("retryEntry")(function* (id: string, options: RunOptions) {
  const library = openLibrary({ ...options, folder: join(options.state, "library") })
  const workplace = yield* workplaceHere(options)
  const retried: Retried = yield* library.retry(id, (head) =>
    Effect.gen(function* () {
      const again = retryOf(head)
      if (again === null) return
      const request = yield* requestOf({ ...options, sources: [], retryFailed: true })
      yield* runIn(
        { ...request, sources: [again.source], destination: again.destination, engine: head.again.engine },
        partsOf(options, workplace),
      )
    }),
  )
  return retried
})
