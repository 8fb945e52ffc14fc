import { Fetcher } from "@earmark/service"
import { Clock, Effect, Logger, LogLevel } from "effect"
import { makeChosen } from "../auto/Auto.js"
import { chooseEngine } from "../auto/chooseEngine.js"
import type { EngineSettings } from "../auto/EngineSettings.js"
import { troubleOf } from "../failures.js"
import { SettingNames } from "../SettingNames.js"
import { humming } from "../sherpa/humming.js"
import type { WantedEngine } from "./examine.js"
import { examineEndpoint } from "./examineEndpoint.js"
import type { Finding } from "./Finding.js"

const name = "hearing"

/** A request with sound is one that somebody pays for: an endpoint is asked for its models. */
const examineServer = Effect.fnUntraced(function* (
  url: string,
  { httpKey }: EngineSettings,
): Effect.fn.Return<Finding, never, Fetcher> {
  const { fetch } = yield* Fetcher
  const names = yield* SettingNames
  const host = URL.canParse(url) ? new URL(url).host : url
  return yield* examineEndpoint(fetch, {
    name,
    url,
    key: httpKey ?? null,
    names: { url: names.httpUrl, key: names.httpKey },
    detail: `${host} answers; no sound was sent, since that may cost money`,
  })
})

/** Lets the engine that would be used hear two seconds, if that costs nothing: what is there may still not run. */
export const examineHearing = (
  settings: EngineSettings,
  wanted: WantedEngine = "auto",
): Effect.Effect<ReadonlyArray<Finding>, never, Fetcher> =>
  Effect.gen(function* () {
    if (wanted === "scripted") return []
    const choice = yield* chooseEngine(settings, wanted, "en")
    if (choice.engine === null) return []
    if (choice.engine === "openai") return [yield* examineServer(choice.url, settings)]
    const started = yield* Clock.currentTimeMillis
    const trial = Effect.gen(function* () {
      const engine = yield* makeChosen(choice, { ...settings, workers: 1 })
      yield* engine.recognize(humming(), { language: null, quality: "accurate", vocabulary: [] })
      return engine.capabilities.model
    }).pipe(Effect.scoped, Logger.withMinimumLogLevel(LogLevel.None), Effect.either)
    const heard = yield* trial
    if (heard._tag === "Left") {
      const detail = `${choice.engine} is here and cannot be used: ${troubleOf(heard.left)}`
      return [{ name, status: "missing", detail, fix: "what this line says, or another engine" }]
    }
    const seconds = ((yield* Clock.currentTimeMillis) - started) / 1000
    const detail = `${heard.right} was started and has heard two seconds of sound, in ${seconds.toFixed(1)} s`
    return [{ name, status: "ok", detail, fix: null }]
  })
