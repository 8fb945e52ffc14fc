/** What this user wants of every `earmark transcribe`, unless the command line says otherwise. */
import { formatOfName } from "@earmark/core/captions"
import { engines } from "@earmark/runtime/settings"
import { defaultsPath, readDefaults as readSaved } from "@earmark/runtime/user"
import { Effect } from "effect"
import { failed, usage } from "./CommandFailed.js"
import type { Given } from "./grammar/Grammar.js"
import type { transcribe } from "./grammar/transcribing.js"
import { readAsked } from "./transcribe/readAsked.js"

export const readDefaults = Effect.mapError(readSaved, ({ reason, message }) =>
  (reason === "unreadable" ? failed : usage)(message),
)

interface Written {
  readonly format?: string | undefined
  readonly language?: string | undefined
}

/** Fails where the file asks for what there is not. */
export const requireKnown = ({ format, language }: Written) =>
  Effect.flatMap(defaultsPath, (path) =>
    Effect.mapError(readAsked({ format, language }), ({ message }) => usage(`${path}: ${message}`)),
  )

/** What was asked of `earmark transcribe`, with the defaults of the user for options that were left out. */
export const withDefaults = Effect.fnUntraced(function* (given: Given<typeof transcribe>) {
  const defaults = yield* readDefaults
  const isEngineSet = yield* engines.engine.isSet
  // A file that -o names tells its format, where its name does.
  const isNamed = given.output !== undefined && formatOfName(given.output) !== undefined
  const format = isNamed || given.format !== undefined ? undefined : defaults.format
  const language = given.language !== undefined ? undefined : defaults.language
  yield* requireKnown({ format, language })
  return {
    ...given,
    format: given.format ?? format,
    language: given.language ?? language,
    // Whoever asks for channels has said how speakers are told apart.
    diarize: given.diarize ?? (given.channels ? undefined : defaults.diarize),
    output: given.output ?? defaults.output,
    engine: given.engine ?? (isEngineSet ? undefined : defaults.engine),
  }
})
