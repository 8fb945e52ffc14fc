/** What this user wants of everything that is transcribed, unless it is asked for otherwise. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { formatOfName } from "@earmark/core/captions"
import { suggestion } from "@earmark/core/text"
import { Data, Effect, Either, Schema, Struct } from "effect"
import { engineNames } from "../settings/engineNames.js"
import { configFolder, isMissing } from "./profiles.js"

const fields = {
  format: Schema.NonEmptyString,
  language: Schema.NonEmptyString,
  diarize: Schema.Boolean,
  output: Schema.NonEmptyString,
  engine: Schema.Literal(...engineNames),
}

const Defaults = Schema.partialWith(Schema.Struct(fields), { exact: true })

export type Defaults = typeof Defaults.Type

const NAMES = Struct.keys(fields)

const decode = Schema.decodeUnknownEither(Defaults)

const NEEDS: Readonly<Record<string, string>> = {
  diarize: "true or false",
  engine: `one of ${engineNames.join(", ")}`,
}

const parse = Schema.decodeUnknownEither(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
)

/** The file of the defaults cannot be used. */
export class DefaultsRefused extends Data.TaggedError("DefaultsRefused")<{
  readonly reason: "unreadable" | "malformed"
  readonly message: string
}> {}

const malformed = (message: string) => new DefaultsRefused({ reason: "malformed", message })

export const defaultsPath = Effect.map(configFolder, (folder) => join(folder, "defaults.json"))

/** Results of all kinds go there: a name that shows no format is that of a folder, whether or not it is there yet. */
const folderOf = (output: string): string =>
  output.endsWith("/") || formatOfName(output) !== undefined ? output : `${output}/`

/** Empty where there is no such file. */
export const readDefaults = Effect.gen(function* () {
  const path = yield* defaultsPath
  const text = yield* Effect.try(() => readFileSync(path, "utf8")).pipe(
    Effect.catchIf(
      ({ error }) => isMissing(error),
      () => Effect.succeed("{}"),
    ),
    Effect.mapError(
      ({ error }) =>
        new DefaultsRefused({
          reason: "unreadable",
          message: `Could not read ${path}: ${error instanceof Error ? error.message : error}. Mend it or remove it.`,
        }),
    ),
  )
  const given = parse(text)
  if (Either.isLeft(given))
    return yield* malformed(`${path} is no JSON object, such as {"format": "srt"}. Mend it or remove it.`)
  const unknown = Object.keys(given.right).find((key) => !NAMES.some((name) => name === key))
  if (unknown !== undefined)
    return yield* malformed(
      `${path} has an unknown key "${unknown}"; there are ${NAMES.join(", ")}.${suggestion(unknown, NAMES)}`,
    )
  const read = decode(given.right)
  if (Either.isLeft(read)) {
    const wrong = NAMES.find((name) => read.left.message.includes(`["${name}"]`)) ?? "format"
    return yield* malformed(`${path}: "${wrong}" needs ${NEEDS[wrong] ?? "a text that is not empty"}.`)
  }
  const { output } = read.right
  const defaults: Defaults = { ...read.right, ...(output !== undefined && { output: folderOf(output) }) }
  return defaults
})
