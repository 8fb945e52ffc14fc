// @effect-diagnostics strictEffectProvide:off -- a host of its own, bundled apart: this is the one place that composes it
import { join } from "node:path"
import {
  type Asked,
  type Destination,
  formatsFor,
  isFolder,
  isSameFile,
  makeLocalWorkplace,
  prepareBatch,
  readDestination,
  readSources,
  type Workplace,
} from "@earmark/batch"
import type { ExportFormat } from "@earmark/core/captions"
import { DecoderConfig, measureWith } from "@earmark/media"
import { decoderConfig, logging, readSettings, type Settings, unknownSettings } from "@earmark/runtime"
import { engineNames, logs as logSettings } from "@earmark/runtime/settings"
import { stateFolder } from "@earmark/runtime/user"
import { Effect, Layer, Logger, LogLevel, Schema } from "effect"
import { type CommandFailed, usage } from "../CommandFailed.js"
import { isOpml, readAll, STANDARD_INPUT } from "../input.js"
import { isColoured } from "../isColoured.js"
import { note, print } from "../output.js"
import { askTarget } from "../remote/ask.js"
import { checkFeatures } from "../remote/checkFeatures.js"
import type { Target as Service } from "../remote/target.js"
import { isResume } from "../resume.js"
import { makeHints } from "./hints.js"
import { runHere } from "./lastRun.js"
import { observerOf } from "./notices.js"
import { plainLogs } from "./plainLogs.js"
import { explainProblem } from "./problems.js"
import { readAsked } from "./readAsked.js"
import { nameOption, notForTerminal, refused } from "./readOptions.js"
import { makeTeller, type Teller } from "./Teller.js"
import type { TranscribeRequest } from "./TranscribeRequest.js"
import { endOf, makeTell, tellEnd } from "./tell.js"

const isEngine = Schema.is(Schema.Literal(...engineNames, "scripted"))

/** A command is quiet by itself; a level that somebody sets is for those who look for a fault. */
const logs = (settings: Settings, verbose: boolean, teller: Teller) =>
  Layer.unwrapEffect(
    Effect.map(logSettings.logLevel.isSet, (isSet) => {
      if (isSet) return logging(settings, process.stderr.isTTY)
      if (!verbose) return Logger.minimumLogLevel(LogLevel.None)
      return settings.logFormat === null
        ? plainLogs(teller)
        : logging({ ...settings, logLevel: "debug" }, process.stderr.isTTY)
    }),
  )

/** Everything that the run is made of, but who does the work. */
const prepare = Effect.fnUntraced(function* (request: TranscribeRequest, destination: Destination) {
  const showsWords = (destination.type !== "output" || !process.stdout.isTTY) && request.jobs === 1
  const teller = makeTeller({
    quiet: request.quiet,
    verbose: request.verbose,
    colour: yield* isColoured(request.colour),
    showsWords,
  })
  const state = yield* stateFolder
  const hint = makeHints(state, teller.note, request.verbose)
  return { teller, state, hint }
})

type Prepared = Effect.Effect.Success<ReturnType<typeof prepare>>

/** The formats that have a place for more than what was said. */
const ROOMY: ReadonlyArray<ExportFormat> = ["md", "json", "html", "docx"]

/** What would be made and then stand nowhere. The index page of a feed shows summaries too. */
const tellUnshown = (request: TranscribeRequest, { formats, options }: Asked, { teller }: Prepared) => {
  const written = formatsFor(formats, request.output)
  const isIndexed = request.episodes !== null || request.feedWatch !== null
  const unshown = [
    ...(options.summary === true && !isIndexed ? ["--summary"] : []),
    ...(options.chapters === true && !written.includes("chapters") ? ["--chapters"] : []),
  ]
  // Who tries something again has been told before.
  return unshown.length === 0 ||
    request.again !== null ||
    request.json ||
    written.some((format) => ROOMY.includes(format))
    ? Effect.void
    : teller.note(
        `${unshown.join(" and ")}: ${written.join(" and ")} ${written.length === 1 ? "has" : "have"} no place for it. Add --format md, json or html.`,
      )
}

/** Whether all that is asked for can be had where the work is done. */
type Check = (all: ReadonlyArray<Asked>) => Effect.Effect<void, CommandFailed>

/** Told before anything is heard. */
const checkTranslator =
  ({ translateUrl, llmUrl }: Settings): Check =>
  (all) =>
    translateUrl !== null ||
    llmUrl !== null ||
    all.every(({ options }) => (options.translateTo ?? null) === null)
      ? Effect.void
      : usage(
          "No translator is set up. Set EARMARK_TRANSLATE_URL or EARMARK_LLM_URL to the address of one, or leave out --translate.",
        )

/** Told before anything is moved to a service, and paid for there. */
const checkServed =
  ({ dryRun }: TranscribeRequest, server: Service): Check =>
  (all) =>
    Effect.gen(function* () {
      yield* checkFeatures(server, [
        ...(all.some(({ options }) => options.diarize) ? (["diarize"] as const) : []),
        ...(all.some(({ wordLevel }) => wordLevel) ? (["word_level_export"] as const) : []),
      ])
      // A plan of files asks nothing else of the server, and it has to be one that could be followed.
      if (dryRun) yield* askTarget(server, (client, call) => client.transcriptions.list({ limit: 1 }, call))
    })

/** What the command line names. A list that came through a pipe is kept, once it is known to be good. */
const sourcesOf = Effect.fnUntraced(function* ({ sources, from, raw }: TranscribeRequest) {
  let list = ""
  const read = (path: string) =>
    Effect.map(readAll(path, Number.MAX_SAFE_INTEGER), (bytes) => {
      list = bytes.toString("utf8")
      return list
    })
  const named = yield* readSources({ sources, from, written: raw, read, nameOption })
  if (from === STANDARD_INPUT) yield* (yield* runHere).keepList(list)
  return named
})

/** Keeps the words of a run, and answers what is done when it has come to its end. A run that goes on with another one is that one. */
const keepRun = Effect.fnUntraced(function* (words: ReadonlyArray<string>, isOnly: boolean) {
  const here = yield* runHere
  return isResume(words) ? here.forget : yield* here.keep(words, isOnly)
})

/** Decides from the command line alone, so that a mistake in it costs no work. */
const destinationOf = Effect.fnUntraced(function* (request: TranscribeRequest, { formats }: Asked) {
  const { again, output, json, sources, watch } = request
  if (watch !== null && isOpml(watch))
    return yield* usage(`${watch} is a list of feeds, not a folder. Use: earmark feed watch ${watch}`)
  if (watch !== null && !(yield* isFolder(watch)))
    return yield* usage(`Cannot watch ${watch}: it is not a folder. Create it first.`)
  if (again !== null) return again.destination
  const named = [watch, request.from, request.episodes, request.feedWatch, request.raw.name]
  const isSeveral = named.some((one) => one !== null && one !== undefined)
  const destination = yield* readDestination(
    { output, formats, sources, isSeveral, isOutputTaken: json },
    nameOption,
  )
  if (destination.type !== "output") return destination
  if (json)
    return yield* usage("--json writes to standard output itself: give -o FILE or -o DIR/ for the results.")
  const [format = "txt"] = formatsFor(formats, output)
  const refusal = notForTerminal(format)
  return refusal === null ? destination : yield* usage(refusal)
})

/** A run over what was named, from the first source to the last. */
const runOver = Effect.fnUntraced(function* (
  request: TranscribeRequest,
  destination: Destination,
  all: Asked,
  { teller, state, hint }: Prepared,
  workplace: Workplace,
  check: Check,
) {
  const sources = request.again === null ? yield* sourcesOf(request) : [request.again.source]
  const asked = sources.map(({ asked }) => asked)
  yield* check([all, ...asked])
  const { count, isOnly, isRepeatable, run, pages, goOn } = yield* prepareBatch(
    {
      ...request,
      sources,
      destination,
      format: formatsFor([], request.output)[0] ?? "txt",
      feedWatch: request.feedWatch === null ? null : { ...request.feedWatch, asked: all },
      watch: request.watch === null ? null : { folder: request.watch, asked: all },
    },
    {
      workplace,
      state,
      observer: observerOf(teller, destination),
      explain: explainProblem,
      write: print,
      onResult: makeTell(request, teller, hint),
    },
  )
  if (request.feedWatch !== null) return yield* endOf(yield* run)
  const canGoOn = !request.dryRun && request.watch === null && isRepeatable
  const forget = canGoOn ? yield* keepRun(request.words, isOnly) : Effect.void
  const results = yield* run
  if (count > 0) yield* tellEnd(request, teller, results, isOnly)
  else if (request.episodes?.since != null)
    yield* teller.note("Nothing new: no feed has an episode since then.")
  for (const page of pages()) yield* teller.note(`Index page: ${page}`)
  // What another run does may still be stopped: then this one can be gone on with.
  if (isOnly || !results.some(({ status }) => status === "under_way")) yield* forget
  yield* goOn
  yield* endOf(results, isOnly)
})

const program = Effect.fnUntraced(function* (given: TranscribeRequest) {
  for (const { message } of yield* unknownSettings) yield* note(`earmark: ${message}`)
  const read = yield* Effect.mapError(readSettings, ({ message }) => usage(message))
  const engine = given.engine ?? read.engine
  if (!isEngine(engine)) return yield* usage(`There is no engine "${engine}": ${engineNames.join(", ")}.`)
  const settings: Settings = { ...read, engine }
  const asked = given.again?.source.asked ?? (yield* readAsked(given.raw))
  // What is tried again is in the library, and has its end there.
  const keep = given.keep && (settings.library || given.again !== null)
  const request = { ...given, keep }
  const destination = yield* destinationOf(request, asked)
  const { from, manifest, server } = request
  // A list that becomes the manifest of its own run is lost when the run is stopped.
  if (from !== null && manifest !== null && (yield* isSameFile(from, manifest)))
    return yield* usage(
      `--from and --manifest name the same file, ${from}. Name another file for the manifest.`,
    )
  const prepared = yield* prepare(request, destination)
  yield* tellUnshown(request, asked, prepared)
  const logged = Effect.provide(logs(settings, request.verbose, prepared.teller))
  if (server !== null) {
    yield* prepared.teller.note(`${server.baseUrl} does the work.`)
    const { serverWork } = yield* Effect.promise(() => import("./serverWork.js"))
    const workplace = serverWork(server, prepared.state)
    const check = checkServed(request, server)
    return yield* runOver(request, destination, asked, prepared, workplace, check).pipe(logged)
  }
  const { state, hint, teller } = prepared
  const { quiet, verbose } = request
  yield* Effect.gen(function* () {
    const scope = yield* Effect.scope
    const workplace = yield* makeLocalWorkplace({
      folder: join(state, "unfinished"),
      transcribers: Effect.flatMap(
        Effect.promise(() => import("./transcribers.js")),
        ({ transcribersOf }) =>
          transcribersOf({ settings, state, hint, note: teller.note, quiet, verbose }, scope),
      ),
      measure: measureWith(yield* Effect.provide(DecoderConfig, decoderConfig(settings))),
      language: asked.options.language ?? null,
      explain: explainProblem,
    })
    yield* runOver(request, destination, asked, prepared, workplace, checkTranslator(settings))
  }).pipe(Effect.scoped, logged)
})

/** Transcribes what the request names. Interrupted, it leaves nothing running and a state to go on from. */
export const transcribe = (request: TranscribeRequest) =>
  Effect.catchTag(program(request), "BatchRefused", refused)
