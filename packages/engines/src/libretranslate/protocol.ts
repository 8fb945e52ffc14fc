import { Option, Schema } from "effect"

const Languages = Schema.Array(
  Schema.Struct({
    code: Schema.String,
    targets: Schema.optional(Schema.NullOr(Schema.Array(Schema.String))),
  }),
)

const decodeLanguages = Schema.decodeUnknownOption(Schema.parseJson(Languages))

/** A language of the server, and those it is translated into; null where the server does not say. */
export interface KnownLanguage {
  readonly code: string
  readonly targets: ReadonlyArray<string> | null
}

/** The answer to `GET /languages`; null when it is none. */
export const readLanguages = (body: string): ReadonlyArray<KnownLanguage> | null => {
  const languages = Option.getOrNull(decodeLanguages(body))
  return languages === null || languages.length === 0
    ? null
    : languages.map(({ code, targets }) => ({ code, targets: targets ?? null }))
}

const Answer = Schema.Struct({ translatedText: Schema.Union(Schema.String, Schema.Array(Schema.String)) })

const decodeAnswer = Schema.decodeUnknownOption(Schema.parseJson(Answer))

/** The answer to `POST /translate`: a text, or a list of them; null when it is none. */
export const readTranslation = (body: string): string | ReadonlyArray<string> | null =>
  Option.match(decodeAnswer(body), { onNone: () => null, onSome: ({ translatedText }) => translatedText })

const Refusal = Schema.Struct({ error: Schema.String })

const decodeRefusal = Schema.decodeUnknownOption(Schema.parseJson(Refusal))

const LIMIT = /exceeds? (?:the )?(?:text|array|batch|character)? ?limit|too (?:long|large|many)/i

/** Whether a request was refused for its size alone. */
export const isTooLarge = (status: number, body: string): boolean =>
  status === 413 || (status === 400 && Option.exists(decodeRefusal(body), ({ error }) => LIMIT.test(error)))

const baseOf = (code: string) => code.toLowerCase().split(/[-_]/)[0] ?? ""

/** The code that stands for a language in a list: the same one, or else its bare language, or any script or country of it. */
export const matchCode = (wanted: string, codes: ReadonlyArray<string>): string | null => {
  const same = codes.find((code) => code.toLowerCase() === wanted.toLowerCase())
  const bare = codes.find((code) => code.toLowerCase() === baseOf(wanted))
  return same ?? bare ?? codes.find((code) => baseOf(code) === baseOf(wanted)) ?? null
}
