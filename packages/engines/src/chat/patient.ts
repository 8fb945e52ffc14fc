import { TimeLimit, type WorkFailed } from "@earmark/service"
import { Duration, Effect } from "effect"
import { explained, tooSlow } from "../failures.js"
import type { ChatEndpoint, ChatOptions } from "./ChatEndpoint.js"

const PATIENCE = Duration.minutes(30)

const LATE = "The text model took too long; create the job again later, or set up a faster model."
const AWAY = "The text model cannot be reached or is busy; create the job again later."

const sentenceFor = ({ code, isTransient }: WorkFailed, { names }: Pick<ChatEndpoint, "names">): string => {
  if (code === "engine_timeout") return LATE
  return isTransient ? AWAY : `The text model cannot be reached; check ${names.llmUrl}.`
}

/** Work on one transcript within its time, every failure with a sentence for those who asked. */
export const patient = <A>(
  work: Effect.Effect<A, WorkFailed>,
  { patience = PATIENCE }: ChatOptions,
  chat: Pick<ChatEndpoint, "names">,
): Effect.Effect<A, WorkFailed> =>
  work.pipe(
    TimeLimit.fail({
      duration: patience,
      onTimeout: () => tooSlow("The whole transcript took too long."),
    }),
    Effect.mapError((failure) => explained(failure, sentenceFor(failure, chat))),
  )
