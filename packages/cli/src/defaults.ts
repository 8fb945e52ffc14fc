/** What this user wants of every `earmark transcribe`, unless the command line says otherwise. */
import { join } from "node:path"
import { formatOfName } from "@earmark/core/captions"
import { engines } from "@earmark/runtime/settings"
import { configFolder } from "@earmark/runtime/user"
import { FileSystem } from "@effect/platform"
import { Effect, Either, Option, Schema, Struct } from "effect"
import { failed, usage } from "./CommandFailed.js"
import { suggestion } from "./didYouMean.js"
import type { Given } from "./grammar/Grammar.js"
import { ENGINES, type transcribe } from "./grammar/transcribing.js"
import { reasonOf, STANDARD_INPUT } from "./input.js"
import { readAsked } from "./transcribe/readAsked.js"

const fields = {
  format: Schema.NonEmptyString,
  language: Schema.NonEmptyString,
  diarize: Schema.Boolean,
  output: Schema.NonEmptyString,
  engine: Schema.Literal(...ENGINES),
}

const NAMES = Struct.keys(fields)

const decode = Schema.decodeUnknownEither(Schema.partialWith(Schema.Struct(fields), { exact: true }))

const NEEDS: Readonly<Record<string, string>> = {
  diarize: "true or false",
  engine: `one of ${ENGINES.join(", ")}`,
}

const parse = Schema.decodeUnknownEither(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
)

export const defaultsPath = Effect.map(configFolder, (folder) => join(folder, "defaults.json"))

/** Results of all kinds go there: a name that shows no format is that of a folder, whether or not it is there yet. */
const folderOf = (output: string): string =>
  output.endsWith("/") || output === STANDARD_INPUT || formatOfName(output) !== undefined
    ? output
    : `${output}/`

/** Empty where there is no such file. */
export const readDefaults = Effect.gen(function* () {
  const path = yield* defaultsPath
  const files = yield* FileSystem.FileSystem
  const text = yield* files.readFileString(path).pipe(
    Effect.asSome,
    Effect.catchIf(
      (error) => error._tag === "SystemError" && error.reason === "NotFound",
      () => Effect.succeedNone,
    ),
    Effect.mapError((error) => failed(`Could not read ${path}: ${reasonOf(error)}. Mend it or remove it.`)),
  )
  if (Option.isNone(text)) return {}
  const given = parse(text.value)
  if (Either.isLeft(given))
    return yield* usage(`${path} is no JSON object, such as {"format": "srt"}. Mend it or remove it.`)
  const unknown = Object.keys(given.right).find((key) => !NAMES.some((name) => name === key))
  if (unknown !== undefined)
    return yield* usage(
      `${path} has an unknown key "${unknown}"; there are ${NAMES.join(", ")}.${suggestion(unknown, NAMES)}`,
    )
  const defaults = decode(given.right)
  if (Either.isRight(defaults)) {
    const { output } = defaults.right
    return { ...defaults.right, ...(output !== undefined && { output: folderOf(output) }) }
  }
  const wrong = NAMES.find((name) => defaults.left.message.includes(`["${name}"]`)) ?? "format"
  return yield* usage(`${path}: "${wrong}" needs ${NEEDS[wrong] ?? "a text that is not empty"}.`)
})

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
