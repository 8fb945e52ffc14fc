// @effect-diagnostics strictEffectProvide:off -- a host of its own, loaded apart: this is the one place that composes it
import type { Asking } from "@earmark/batch"
import type { Answer } from "@earmark/core/wire"
import { answering, readSettings } from "@earmark/runtime"
import { Answerer, answerQuestion } from "@earmark/service"
import { ConfigError, Duration, Effect, Logger, LogLevel } from "effect"
import { type CommandFailed, usage } from "../CommandFailed.js"

/** Whoever types a question can stop it. */
const PATIENCE = Duration.minutes(10)

/** An answer by the language model of this machine's settings. */
export const answerWithModel = (asking: Asking): Effect.Effect<Answer, CommandFailed> =>
  Effect.gen(function* () {
    const settings = yield* Effect.mapError(readSettings, ({ message }) => usage(message))
    return yield* Effect.flatMap(Answerer, ({ answer }) =>
      answerQuestion({ ...asking, answer, patience: PATIENCE }),
    ).pipe(
      Effect.provide(answering(settings)),
      Effect.mapError((error) =>
        ConfigError.isConfigError(error) ? usage(`The settings cannot be read: ${String(error)}`) : error,
      ),
      // What a log would say is said with the answer.
      Logger.withMinimumLogLevel(LogLevel.None),
    )
  })
