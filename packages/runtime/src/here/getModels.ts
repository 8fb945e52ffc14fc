/** The models of the default engine, downloaded when a recording first needs them. */
import { type Asked, describeDownload, missingDefaults, pullAll } from "@earmark/engines"
import { Fetcher } from "@earmark/service"
import { Effect } from "effect"
import { engineSettings } from "../parts/engineSettings.js"
import type { Settings } from "../settings/Settings.js"

/** Told of a download that a source waits for. */
export interface DownloadObserver {
  readonly notice: (notice: { readonly type: "message"; readonly text: string }) => Effect.Effect<void>
  /** How much of it is there. */
  readonly download: (bytes: number, total: number) => Effect.Effect<void>
  readonly end: Effect.Effect<void>
}

/** Models that are missing for what a recording asks for. */
export interface WantedModels {
  readonly ids: ReadonlyArray<string>
  /** Their names and how large they are, for people. */
  readonly what: string
  readonly quality: Asked["quality"]
}

/** Whether they may be downloaded now. */
export type AllowModels = (wanted: WantedModels, observer: DownloadObserver) => Effect.Effect<boolean>

/** Gets what is missing for a recording; answers whether any came. Sources that are under way at once wait for one download. */
export const makeGetModels = Effect.fnUntraced(function* (settings: Settings, mayDownload: AllowModels) {
  const { engine, modelsDownload, modelsDir } = settings
  const fetcher = yield* Fetcher
  const turn = yield* Effect.makeSemaphore(1)
  const givenUp = new Set<string>()

  const download = Effect.fnUntraced(function* (
    models: Parameters<typeof pullAll>[1],
    what: string,
    observer: DownloadObserver,
  ) {
    const say = (text: string) => observer.notice({ type: "message", text })
    yield* say(`Downloading ${what}. This happens once.`)
    return yield* pullAll(modelsDir, models, {
      onProgress: (bytes, total) => Effect.runSync(observer.download(bytes, total)),
      onWait: say("Another process is downloading the models. Waiting for it."),
    }).pipe(
      Effect.provideService(Fetcher, fetcher),
      Effect.as(true),
      Effect.ensuring(observer.end),
      Effect.catchAll(({ message }) => Effect.as(say(`The models cannot be downloaded. ${message}`), false)),
    )
  })

  return (asked: Asked, observer: DownloadObserver): Effect.Effect<boolean> => {
    if (engine === "scripted") return Effect.succeed(false)
    return turn.withPermits(1)(
      Effect.gen(function* () {
        const missing = yield* missingDefaults(engineSettings(settings), engine, asked)
        const ids = missing.map(({ id }) => id)
        if (missing.length === 0 || givenUp.has(ids.join(" "))) return false
        const what = describeDownload(missing)
        const isAllowed =
          modelsDownload === "ask"
            ? yield* mayDownload({ ids, what, quality: asked.quality }, observer)
            : modelsDownload === "always"
        const came = isAllowed && (yield* download(missing, what, observer))
        if (!came) givenUp.add(ids.join(" "))
        return came
      }),
    )
  }
})
