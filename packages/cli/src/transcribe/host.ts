// @effect-diagnostics strictEffectProvide:off -- a host of its own, bundled apart: this is the one place that composes it
import { join } from "node:path"
import { effectiveOptions } from "@earmark/core/jobs"
import { chooseEngine } from "@earmark/engines"
import {
  engineSettings,
  hearing,
  logging,
  readSettings,
  type Settings,
  unknownSettings,
} from "@earmark/runtime"
import { makeTranscribeAlone, ObjectStoreMemory, WorkFailed } from "@earmark/service"
import { NodeContext } from "@effect/platform-node"
import { Config, Effect, Either, Layer, Logger, LogLevel, Option, Schema } from "effect"
import { note } from "../output.js"
import { decideDestination, formatsOf } from "./destination.js"
import { explainFailure } from "./explain.js"
import { rememberMade } from "./made.js"
import { runAll } from "./runAll.js"
import { stateFolder } from "./stateFolder.js"
import { makeTeller } from "./Teller.js"
import type { Ended, TranscribeRequest } from "./TranscribeRequest.js"

export type { Ended, TranscribeRequest }

const ended = (exitCode: Ended["exitCode"], problem: string | null): Ended => ({ exitCode, problem })

const ENGINES = ["auto", "sherpa", "whisper", "openai", "pocketsphinx", "scripted"] as const
const isEngine = Schema.is(Schema.Literal(...ENGINES))

/** Whether there is an ear, and which: told the first time it is needed. */
const listeningWith = (settings: Settings, tell: (text: string) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    if (settings.engine === "scripted") return Effect.void
    const choice = yield* chooseEngine(engineSettings(settings), settings.engine)
    const { why } = choice
    if (choice.engine === null) {
      return Effect.fail(new WorkFailed({ code: "engine_unavailable", isTransient: false, detail: why }))
    }
    const told = tell(`Engine ${choice.engine}: ${why}`)
    return yield* Effect.once(told)
  })

/** A command is quiet by itself; a level that somebody sets is for those who look for a fault. */
const logs = (settings: Settings) =>
  Layer.unwrapEffect(
    Effect.map(Effect.option(Config.nonEmptyString("EARMARK_LOG_LEVEL")), (level) =>
      Option.isSome(level) ? logging(settings, process.stderr.isTTY) : Logger.minimumLogLevel(LogLevel.None),
    ),
  )

const isSet = (name: string) => Effect.map(Effect.option(Config.nonEmptyString(name)), Option.isSome)

const program = Effect.fnUntraced(function* (request: TranscribeRequest) {
  for (const { message } of yield* unknownSettings) yield* note(`earmark: ${message}`)
  const read = yield* Effect.either(readSettings)
  if (Either.isLeft(read)) return ended(2, read.left.message)
  const engine = request.engine ?? read.right.engine
  if (!isEngine(engine))
    return ended(2, `There is no engine "${engine}": ${ENGINES.slice(0, -1).join(", ")}.`)
  const settings: Settings = { ...read.right, engine }
  const destination = yield* decideDestination(request)
  if (Either.isLeft(destination)) return ended(2, destination.left)
  const formats = formatsOf(request)
  const showsWords = destination.right.type !== "output" || !process.stdout.isTTY
  const teller = makeTeller({ quiet: request.quiet, colour: !(yield* isSet("NO_COLOR")), showsWords })
  const state = yield* stateFolder
  const listening = yield* listeningWith(settings, teller.note)
  const chapters = request.options.chapters === true || formats.includes("chapters")
  const run = Effect.gen(function* () {
    const transcribe = yield* makeTranscribeAlone
    return yield* runAll({
      request,
      formats,
      options: effectiveOptions({ ...request.options, chapters }),
      destination: destination.right,
      transcribe,
      listening,
      made: rememberMade(join(state, "made")),
      state,
      teller,
    })
  })
  const parts = Layer.mergeAll(
    hearing(settings).pipe(Layer.provideMerge(ObjectStoreMemory.layer)),
    NodeContext.layer,
  ).pipe(Layer.provideMerge(logs(settings)))
  return yield* run.pipe(
    Effect.provide(parts),
    Effect.catchTag("WorkFailed", (failure) => Effect.succeed(ended(1, explainFailure(failure)))),
  )
})

/** Transcribes what the request names. Stopped by the signal, it leaves nothing running and a state to go on from. */
export const transcribe = (request: TranscribeRequest, signal: AbortSignal): Promise<Ended> =>
  Effect.runPromise(program(request), { signal })
