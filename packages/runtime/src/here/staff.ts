// @effect-diagnostics strictEffectProvide:off -- what the settings name is made for one piece of work, and let go of after it
/** Those who answer questions and make extras by the settings of this machine, for transcripts that are there already. */
import { Answerer, answerQuestion, type ExtraStaff, Translator, Writer } from "@earmark/service"
import { type ConfigError, Duration, Effect, Layer, Logger, LogLevel } from "effect"
import { answering, makingExtras } from "../parts/surroundings.js"
import { readSettings, type Settings } from "../settings/Settings.js"
import { explainStart } from "../startFailure.js"

/** Whoever asks a question can stop it. */
const PATIENCE = Duration.minutes(10)

const using = <A, E, R>(
  layerOf: (settings: Settings) => Layer.Layer<R, ConfigError.ConfigError>,
  work: Effect.Effect<A, E, R>,
) =>
  Effect.gen(function* () {
    const settings = yield* Effect.mapError(readSettings, explainStart)
    return yield* Effect.provide(work, Layer.mapError(layerOf(settings), explainStart))
    // What a log would say is said with the answer.
  }).pipe(Logger.withMinimumLogLevel(LogLevel.None))

/** An answer by the language model of the settings. */
export const answerWithModel = (asking: Omit<Parameters<typeof answerQuestion>[0], "answer" | "patience">) =>
  using(
    answering,
    Effect.flatMap(Answerer, ({ answer }) => answerQuestion({ ...asking, answer, patience: PATIENCE })),
  )

/** Gives those who make extras to some work. */
export const withStaff = <A, E>(work: (staff: ExtraStaff) => Effect.Effect<A, E>) =>
  using(makingExtras, Effect.flatMap(Effect.all({ writer: Writer, translator: Translator }), work))
