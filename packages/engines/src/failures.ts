import { WorkFailed } from "@earmark/service"
import { Data } from "effect"

/** What happened to an engine, in a sentence; the cause of a `WorkFailed`. */
export class EngineTrouble extends Data.TaggedError("EngineTrouble")<{ readonly message: string }> {}

const failing =
  (code: WorkFailed["code"], isTransient: boolean) =>
  (message: string): WorkFailed =>
    new WorkFailed({ code, isTransient, cause: new EngineTrouble({ message }) })

/** The engine cannot be started at the moment. */
export const unavailable = failing("engine_unavailable", true)

/** The engine will not start before somebody mends it. */
export const broken = failing("engine_unavailable", false)

/** The engine died, or answered what it never should. */
export const crashed = failing("engine_error", true)

/** The engine will not do what was asked of it, however often it is asked. */
export const rejected = failing("engine_error", false)

/** The engine took too long. */
export const tooSlow = failing("engine_timeout", true)

const speechless = failing("language_unsupported", false)

export const languageRefused = (engine: string, language: string): WorkFailed =>
  speechless(`${engine} does not know the language "${language}".`)

/** The sentence inside a failure, for logs and for people who run the engine themselves. */
export const troubleOf = (failure: WorkFailed): string =>
  failure.cause instanceof Error ? failure.cause.message : failure.code

/** The same failure with a sentence for those who asked for the work, who see neither causes nor hosts. */
export const explained = (failure: WorkFailed, detail: string): WorkFailed => {
  const { code, isTransient, cause } = failure
  return failure.detail === undefined ? new WorkFailed({ code, isTransient, detail, cause }) : failure
}
