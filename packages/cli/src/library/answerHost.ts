// @effect-diagnostics strictEffectProvide:off -- a host of its own, loaded apart: this is the one place that composes it
import type { Asking } from "@earmark/batch"
import type { Answer } from "@earmark/core/wire"
import { answering, makingExtras, readSettings } from "@earmark/runtime"
import { Answerer, answerQuestion, type ExtraStaff, Translator, Writer } from "@earmark/service"
import { Duration, Effect, Layer, Logger, LogLevel } from "effect"
import { type CommandFailed, usage } from "../CommandFailed.js"

/** Whoever types a question can stop it. */
const PATIENCE = Duration.minutes(10)

/** Works with what the settings of this machine name. What a log would say is said with the answer. */
const composed = <A, E, R, E2>(
  layerOf: (settings: Effect.Effect.Success<typeof readSettings>) => Layer.Layer<R, E2>,
  work: Effect.Effect<A, E, R>,
) =>
  Effect.gen(function* () {
    const settings = yield* Effect.mapError(readSettings, ({ message }) => usage(message))
    const layer = Layer.mapError(layerOf(settings), (error) =>
      usage(`The settings cannot be read: ${String(error)}`),
    )
    return yield* work.pipe(Effect.provide(layer), Logger.withMinimumLogLevel(LogLevel.None))
  })

/** An answer by the language model of this machine's settings. */
export const answerWithModel = (asking: Asking): Effect.Effect<Answer, CommandFailed> =>
  composed(
    answering,
    Effect.flatMap(Answerer, ({ answer }) => answerQuestion({ ...asking, answer, patience: PATIENCE })),
  )

/** Those who make extras by this machine's settings. */
export const withStaff = <A, E>(work: (staff: ExtraStaff) => Effect.Effect<A, E>) =>
  composed(makingExtras, Effect.flatMap(Effect.all({ writer: Writer, translator: Translator }), work))
