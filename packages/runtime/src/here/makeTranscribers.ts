// @effect-diagnostics strictEffectProvide:off -- engines are made when a source first needs them, and anew when models have come
/** What transcribes on this machine, for the language of a source: the `Transcribers` of a batch. */
import { type Asked, chooseEngine, type EngineChoice } from "@earmark/engines"
import { FetcherNode } from "@earmark/media"
import { Fetcher, makeTranscribeAlone, ObjectStoreMemory, SourceResolver, WorkFailed } from "@earmark/service"
import { Effect, Layer, type Scope } from "effect"
import { engineSettings } from "../parts/engineSettings.js"
import { hearing } from "../parts/surroundings.js"
import type { Settings } from "../settings/Settings.js"
import { withSettingNames } from "../settings/settingNames.js"
import { type AllowModels, type DownloadObserver, makeGetModels } from "./getModels.js"

/** An engine that was chosen. */
export interface ChosenEngine {
  readonly engine: NonNullable<EngineChoice["engine"]>
  readonly why: string
  /** What is wrong with better ones, which were passed over. */
  readonly faults: ReadonlyArray<string>
}

export interface TranscribersOptions {
  readonly settings: Settings
  /** Whether missing models may be downloaded, where EARMARK_MODELS_DOWNLOAD leaves it open. */
  readonly mayDownload: AllowModels
  /** Told each time that an engine is chosen; each fault is told once. */
  readonly onEngine: (choice: ChosenEngine) => Effect.Effect<void>
}

/** Whether there is an engine for a language, and which. */
const listeningWith = ({ settings, onEngine }: TranscribersOptions) => {
  const toldFaults = new Set<string>()
  const { engine } = settings
  return Effect.fnUntraced(function* (language: string | null) {
    if (engine === "scripted") return
    const choice = yield* withSettingNames(chooseEngine(engineSettings(settings), engine, language))
    if (choice.engine === null) {
      const isOther =
        language !== null && (yield* chooseEngine(engineSettings(settings), engine)).engine !== null
      const code = isOther ? "language_unsupported" : "engine_unavailable"
      return yield* new WorkFailed({ code, isTransient: false, detail: choice.why })
    }
    const faults = choice.faults.filter((fault) => !toldFaults.has(fault))
    for (const fault of faults) toldFaults.add(fault)
    yield* onEngine({ engine: choice.engine, why: choice.why, faults })
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

  const known = new Map<string | null, Effect.Effect.Success<ReturnType<typeof make>>>()

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

  const getModels: (asked: Asked, observer: DownloadObserver) => Effect.Effect<boolean> =
    yield* Effect.provide(makeGetModels(settings, options.mayDownload), around)

  return {
    forLanguage,
    renew,
    getModels,
    listening: listeningWith(options),
    fetcher: yield* Effect.provide(Fetcher, around),
  }
})
