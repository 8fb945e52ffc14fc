// @effect-diagnostics strictEffectProvide:off -- engines are made when a source first needs them, and anew when models have come
/** What transcribes, for the language of a source. Loaded when a source first needs it: a plan of files does without. */
import type { Transcriber, Transcribers } from "@earmark/batch"
import { chooseEngine } from "@earmark/engines"
import { FetcherNode } from "@earmark/media"
import { engineSettings, hearing, type Settings, withSettingNames } from "@earmark/runtime"
import { logs as logSettings } from "@earmark/runtime/settings"
import { Fetcher, makeTranscribeAlone, ObjectStoreMemory, SourceResolver, WorkFailed } from "@earmark/service"
import { Effect, Layer, type Scope } from "effect"
import { makeGetModels } from "./getModels.js"
import type { makeHints } from "./hints.js"
import type { Teller } from "./Teller.js"

export interface TranscribersOptions {
  readonly settings: Settings
  /** The state folder of this machine. */
  readonly state: string
  readonly hint: ReturnType<typeof makeHints>
  readonly note: Teller["note"]
  readonly quiet: boolean
  readonly verbose: boolean
}

/** Whether there is an engine for a language, and which: told when it is needed for the first time. */
const listeningWith = ({ settings, verbose, hint, note }: TranscribersOptions) => {
  const toldFaults = new Set<string>()
  const { engine } = settings
  return Effect.fnUntraced(function* (language: string | null) {
    if (engine === "scripted") return
    const choice = yield* withSettingNames(chooseEngine(engineSettings(settings), engine, language))
    const { why, faults } = choice
    if (choice.engine === null) {
      const isOther =
        language !== null && (yield* chooseEngine(engineSettings(settings), engine)).engine !== null
      const code = isOther ? "language_unsupported" : "engine_unavailable"
      return yield* new WorkFailed({ code, isTransient: false, detail: why })
    }
    for (const fault of faults) {
      if (!toldFaults.has(fault)) yield* note(fault)
      toldFaults.add(fault)
    }
    const told = `Engine ${choice.engine}: ${why}`
    // Who sees the log of every step has read it there.
    const isLogged = verbose && engine === "auto" && !(yield* logSettings.logLevel.isSet)
    if (!isLogged) yield* hint(told, told)
  })
}

/**
 * Makes what transcribes a language when it is first needed: which engine it is depends on the language, and on the models that are there
 * by then. What it opens lives as long as the scope.
 */
export const makeTranscribers = Effect.fnUntraced(function* (
  options: TranscribersOptions,
  scope: Scope.Scope,
) {
  const { settings } = options
  const around = yield* Layer.buildWithScope(
    Layer.merge(ObjectStoreMemory.layer, FetcherNode.layer({ allow: settings.egressAllow })),
    scope,
  )
  const turn = yield* Effect.makeSemaphore(1)
  const known = new Map<string | null, Transcriber>()
  let generation = 0

  const make = Effect.fnUntraced(function* (language: string | null) {
    const context = yield* Layer.buildWithScope(hearing(settings, language), scope).pipe(
      Effect.provide(around),
      Effect.catchAll((error) => (error._tag === "WorkFailed" ? Effect.fail(error) : Effect.die(error))),
    )
    const born = generation
    const { alone, resolver } = yield* Effect.provide(
      Effect.all({ alone: makeTranscribeAlone, resolver: SourceResolver }),
      context,
    )
    return { alone, resolver, isCurrent: () => born === generation }
  })

  const forLanguage = (language: string | null) =>
    turn.withPermits(1)(
      Effect.gen(function* () {
        const there = known.get(language)
        if (there !== undefined) return there
        const transcriber = yield* make(language)
        known.set(language, transcriber)
        return transcriber
      }),
    )

  /** Models have come: what is made from now on uses them. */
  const renew = turn.withPermits(1)(
    Effect.sync(() => {
      generation += 1
      known.clear()
    }),
  )

  const transcribers: Transcribers = {
    ...{ forLanguage, renew },
    getModels: yield* Effect.provide(makeGetModels(options), around),
    listening: listeningWith(options),
    fetcher: yield* Effect.provide(Fetcher, around),
  }
  return transcribers
})
