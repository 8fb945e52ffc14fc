/** What this user wants of every `earmark transcribe`, unless the command line says otherwise. */
import { dirname, join } from "node:path"
import { FileSystem } from "@effect/platform"
import { Config, Effect, Either, Option, Schema, Struct } from "effect"
import { type CommandFailed, failed } from "./CommandFailed.js"
import { didYouMean } from "./didYouMean.js"
import { profilesPath } from "./remote/profiles.js"

/** What `--engine` takes. */
export const ENGINES = ["auto", "sherpa", "whisper", "openai", "pocketsphinx"] as const

const fields = {
  format: Schema.NonEmptyString,
  language: Schema.NonEmptyString,
  diarize: Schema.Boolean,
  output: Schema.NonEmptyString,
  engine: Schema.Literal(...ENGINES),
}

const NAMES = Struct.keys(fields)

const SHORT: Readonly<Record<string, string>> = { format: "-f", output: "-o" }

const decode = Schema.decodeUnknownEither(Schema.partialWith(Schema.Struct(fields), { exact: true }))

const NEEDS: Readonly<Record<string, string>> = {
  diarize: "true or false",
  engine: `one of ${ENGINES.join(", ")}`,
}

const parse = Schema.decodeUnknownEither(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
)

export const defaultsPath = Effect.map(profilesPath, (path) => join(dirname(path), "defaults.json"))

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
    Effect.mapError(({ message }) => failed(`Could not read ${path}: ${message}. Mend it or remove it.`)),
  )
  if (Option.isNone(text)) return {}
  const given = parse(text.value)
  if (Either.isLeft(given))
    return yield* failed(`${path} is no JSON object, such as {"format": "srt"}. Mend it or remove it.`)
  const unknown = Object.keys(given.right).find((key) => !NAMES.some((name) => name === key))
  if (unknown !== undefined)
    return yield* failed(
      `${path} has an unknown key "${unknown}"; there are ${NAMES.join(", ")}.${yield* didYouMean(unknown, NAMES)}`,
    )
  const defaults = decode(given.right)
  if (Either.isRight(defaults)) return defaults.right
  const wrong = NAMES.find((name) => defaults.left.message.includes(`["${name}"]`)) ?? "format"
  return yield* failed(`${path}: "${wrong}" needs ${NEEDS[wrong] ?? "a text that is not empty"}.`)
})

export const isGiven = (flags: ReadonlyArray<string>, name: string): boolean =>
  flags.some((flag) => flag === `--${name}` || flag.startsWith(`--${name}=`) || flag === SHORT[name])

/** The arguments of `earmark transcribe`, with the defaults of the user for options that they leave out. */
export const withDefaults = (
  args: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<string>, CommandFailed, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    if (args[0] !== "transcribe") return args
    const end = args.indexOf("--")
    const flags = end < 0 ? args : args.slice(0, end)
    const { diarize, engine, ...texts } = yield* readDefaults
    const isSet = Option.isSome(yield* Effect.option(Config.nonEmptyString("EARMARK_ENGINE")))
    const given = engine === undefined || isSet ? texts : { ...texts, engine }
    const more = Object.entries(given).flatMap(([name, value]) =>
      isGiven(flags, name) ? [] : [`--${name}`, value],
    )
    if (diarize === true && !isGiven(flags, "diarize")) more.push("--diarize")
    // A file that -o names tells its format.
    const own = isGiven(flags, "output") && !isGiven(flags, "format") ? withoutFormat(more) : more
    return ["transcribe", ...own, ...args.slice(1)]
  })

const withoutFormat = (options: ReadonlyArray<string>): ReadonlyArray<string> => {
  const at = options.indexOf("--format")
  return at < 0 ? options : [...options.slice(0, at), ...options.slice(at + 2)]
}
