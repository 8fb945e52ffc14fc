/** The pieces that every record of the wire is built of. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

/** A required field whose name on the wire differs from ours. */
export const field = <Type, Encoded, Name extends string>(name: Name, schema: Schema.Schema<Type, Encoded>) =>
  Schema.propertySignature(schema).pipe(Schema.fromKey(name))

/** A field that a client may leave out of a request. `null` is the same as leaving it out. */
export const optional = <Type, Encoded>(schema: Schema.Schema<Type, Encoded>) =>
  Schema.optionalWith(schema, { nullable: true })

/** `optional` under another name on the wire. */
export const optionalField = <Type, Encoded, Name extends string>(
  name: Name,
  schema: Schema.Schema<Type, Encoded>,
) => optional(schema).pipe(Schema.fromKey(name))

/** A parameter that a query may leave out. A query has no `null`. */
export const optionalParameter = <Type, Encoded>(schema: Schema.Schema<Type, Encoded>) =>
  Schema.optional(schema)

/** `optionalParameter` under another name on the wire. */
export const optionalParameterField = <Type, Encoded, Name extends string>(
  name: Name,
  schema: Schema.Schema<Type, Encoded>,
) => optionalParameter(schema).pipe(Schema.fromKey(name))

/** A field that an answer has only sometimes. */
export const sometimes = <Type, Encoded>(schema: Schema.Schema<Type, Encoded>) =>
  Schema.optionalWith(schema, { exact: true })

/** A whole number from `from` to `to`. */
export const integer = (from: number, to: number = Number.MAX_SAFE_INTEGER) => {
  const limits = to === Number.MAX_SAFE_INTEGER ? `of at least ${from}` : `from ${from} to ${to}`
  const description = `a whole number ${limits}`
  return Schema.Int.annotations({ description }).pipe(Schema.between(from, to, { description }))
}

/** Zero or any number of things. */
export const Count = integer(0)

/** Text of `from` to `to` characters. */
export const text = (to: number, from = 1) => {
  const description = `a text of ${from} to ${to} characters`
  return Schema.String.pipe(Schema.minLength(from, { description }), Schema.maxLength(to, { description }))
}

/** A whole number in a query string. */
export const integerText = (from: number, to: number) =>
  Schema.String.pipe(
    Schema.pattern(/^\d{1,15}$/, { description: `a whole number from ${from} to ${to}` }),
    Schema.transform(integer(from, to), { strict: true, decode: Number, encode: String }),
    Schema.annotations({ jsonSchema: { type: "integer", minimum: from, maximum: to } }),
  )

/** `true` or `false` in a query string. */
export const BooleanText = Schema.transform(Schema.Literal("true", "false"), Schema.Boolean, {
  strict: true,
  decode: (value) => value === "true",
  encode: (value) => (value ? "true" : "false"),
}).annotations({ jsonSchema: { type: "boolean" } })

// The longest media anyone has is far below this; above it milliseconds would lose digits one day.
const LONGEST_SECONDS = 10_000_000

/** A point in the media: seconds with at most three decimals on the wire, whole milliseconds inside. */
export const Seconds = Schema.transform(
  Schema.Number.pipe(
    Schema.between(0, LONGEST_SECONDS, { description: `seconds from 0 to ${LONGEST_SECONDS}` }),
  ),
  integer(0, LONGEST_SECONDS * 1000),
  {
    strict: true,
    decode: (seconds) => Math.round(seconds * 1000),
    encode: (milliseconds) => milliseconds / 1000,
  },
)

/** `Seconds` in a query string. */
export const SecondsText = Schema.compose(
  Schema.String.pipe(
    Schema.pattern(/^\d{1,8}(\.\d{1,9})?$/, { description: "seconds, such as 12.5" }),
    Schema.transform(Schema.Number, { strict: true, decode: Number, encode: String }),
  ),
  Seconds,
).annotations({ jsonSchema: { type: "number", minimum: 0, maximum: LONGEST_SECONDS } })

const LANGUAGE_CODE = /^[a-zA-Z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$/

/** An ISO code such as `en`, `deu` or `pt-BR`. */
export const LanguageCode = Schema.String.pipe(
  Schema.pattern(LANGUAGE_CODE, { description: "an ISO language code such as en or pt-BR" }),
)

const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/

const MomentText = Schema.String.pipe(
  Schema.pattern(MOMENT, { description: "an RFC 3339 time such as 2026-01-31T08:00:00.000Z" }),
)

/** JavaScript counts the 30th of February on into March. */
const isDay = (written: string): boolean => {
  const day = written.slice(0, 10)
  return Option.exists(DateTime.make(day), (found) => DateTime.formatIsoDateUtc(found) === day)
}

const LAST_MOMENT = 253_402_300_799_999

const Moment = Schema.DateTimeUtcFromSelf.annotations({
  arbitrary: () => (fc) => fc.integer({ min: 0, max: LAST_MOMENT }).map(DateTime.unsafeMake),
})

/** An RFC 3339 time; a bare date is its first moment in UTC. Always written in UTC with milliseconds. */
export const Timestamp = Schema.transformOrFail(MomentText, Moment, {
  strict: true,
  decode: (written, _options, ast) =>
    Option.match(
      Option.filter(DateTime.make(written), () => isDay(written)),
      {
        onNone: () => ParseResult.fail(new ParseResult.Type(ast, written, "No such day or time")),
        onSome: (moment) => ParseResult.succeed(DateTime.toUtc(moment)),
      },
    ),
  encode: (moment) => ParseResult.succeed(DateTime.formatIso(moment)),
}).annotations({
  jsonSchema: {
    type: "string",
    format: "date-time",
    pattern: MOMENT.source,
    description: "An RFC 3339 time such as 2026-01-31T08:00:00.000Z.",
  },
})
