/** The models of the default engine, downloaded when a recording first needs them. */
import { join } from "node:path"
import { readRecord, type SourceObserver, writeRecord } from "@earmark/batch"
import { type Asked, describeDownload, missingDefaults, pullAll } from "@earmark/engines"
import { engineSettings, type Settings } from "@earmark/runtime"
import { Fetcher } from "@earmark/service"
import { Clock, Effect, Schema } from "effect"
import { agrees, canAsk } from "../consent.js"
import type { makeHints } from "./hints.js"

const Declined = Schema.Struct({ at: Schema.Finite })

/** A no is remembered for so long. */
const FORGOTTEN = 30 * 86_400_000

interface GetModelsOptions {
  readonly settings: Settings
  /** The state folder of this machine. */
  readonly state: string
  readonly hint: ReturnType<typeof makeHints>
  /** Nobody sees what is told. */
  readonly quiet: boolean
}

const say = (line: SourceObserver, text: string) => line.notice({ type: "message", text })

/** Whether models have come that were missing. Sources that are under way at once wait for one download. */
type GetModels = (asked: Asked, line: SourceObserver) => Effect.Effect<boolean>

export const makeGetModels = Effect.fnUntraced(function* ({
  settings,
  state,
  hint,
  quiet,
}: GetModelsOptions) {
  const fetcher = yield* Fetcher
  const turn = yield* Effect.makeSemaphore(1)
  const path = join(state, "models-declined.json")
  const givenUp = new Set<string>()

  /** Whether they may be downloaded: by the setting, or by somebody at the terminal. */
  const isAllowed = Effect.fnUntraced(function* (
    what: string,
    ids: string,
    isFast: boolean,
    line: SourceObserver,
  ) {
    if (settings.modelsDownload !== "ask") return settings.modelsDownload === "always"
    const now = yield* Clock.currentTimeMillis
    const declined = yield* readRecord(path, Declined)
    const isAsked = canAsk() && !quiet && now - (declined?.at ?? 0) >= FORGOTTEN
    if (isAsked) {
      yield* line.end
      if (yield* agrees(`Download ${what} to hear English ${isFast ? "fast" : "well"}?`)) return true
      yield* writeRecord(path, { at: now })
    }
    yield* hint(
      `models ${ids}`,
      `English is heard ${isFast ? "faster" : "better"} with ${what}. Get it with \`earmark models pull ${ids}\`, or set EARMARK_MODELS_DOWNLOAD=always.`,
    )
    return false
  })

  const download = Effect.fnUntraced(function* (models: Parameters<typeof pullAll>[1], line: SourceObserver) {
    yield* say(line, `Downloading ${describeDownload(models)}. This happens once.`)
    return yield* pullAll(settings.modelsDir, models, {
      onProgress: (bytes, total) => Effect.runSync(line.download(bytes, total)),
      onWait: say(line, "Another process is downloading the models. Waiting for it."),
    }).pipe(
      Effect.provideService(Fetcher, fetcher),
      Effect.as(true),
      Effect.ensuring(line.end),
      Effect.catchAll(({ message }) =>
        Effect.as(say(line, `The models cannot be downloaded. ${message}`), false),
      ),
    )
  })

  const getModels: GetModels = (asked, line) => {
    const { engine } = settings
    if (engine === "scripted") return Effect.succeed(false)
    return turn.withPermits(1)(
      Effect.gen(function* () {
        const missing = yield* missingDefaults(engineSettings(settings), engine, asked)
        const ids = missing.map(({ id }) => id).join(" ")
        if (missing.length === 0 || givenUp.has(ids)) return false
        const came =
          (yield* isAllowed(describeDownload(missing), ids, asked.quality === "fast", line)) &&
          (yield* download(missing, line))
        if (!came) givenUp.add(ids)
        return came
      }),
    )
  }
  return getModels
})
