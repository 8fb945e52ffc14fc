/** The one way in for everything that clients send. */
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { CreateTranscription, SOURCE_FIELDS } from "./CreateTranscription.js"
import { findUnsafe } from "./plainJson.js"
import { RequestProblem } from "./problems.js"
import { requestProblems } from "./requestProblems.js"

/** A request that is wrong in itself. It lists what is wrong and where, as far as that was looked for. */
export class RequestInvalid extends Schema.TaggedError<RequestInvalid>()("RequestInvalid", {
  code: Schema.Literal("invalid_request", "missing_source", "multiple_sources", "unknown_field"),
  problems: Schema.Array(RequestProblem),
}) {
  override get message() {
    return this.problems
      .map(({ pointer, detail }) => (pointer === "#" ? detail : `${pointer}: ${detail}`))
      .join("; ")
  }
}

const UNREADABLE = {
  code: "invalid_request",
  problems: [{ pointer: "#", detail: "A value in this request cannot be read" }],
} as const

const STRICT = { errors: "all", onExcessProperty: "error" } as const

/** Effect takes every value for a struct without fields. With one that JSON cannot have, it takes an object without fields alone. */
const Nothing = Schema.Struct({ [Symbol.for("@earmark/core/Nothing")]: Schema.optional(Schema.Never) })

const hasNoFields = ({ ast }: Schema.Schema.AnyNoContext): boolean =>
  ast._tag === "TypeLiteral" && ast.propertySignatures.length === 0 && ast.indexSignatures.length === 0

/** What a schema found wrong, as a refusal. */
export const requestInvalidOf = ({ issue }: ParseResult.ParseError): RequestInvalid => {
  const found = requestProblems(issue)
  return new RequestInvalid({
    code: found.some((problem) => problem.isUnknownField) ? "unknown_field" : "invalid_request",
    problems: found.map(({ pointer, detail }) => ({ pointer, detail })),
  })
}

/** Unsafe text and depth are looked at first; then fields that the schema does not know are refused with the nearest name. */
export const decodeRequest = <Type, Encoded>(
  schema: Schema.Schema<Type, Encoded>,
): ((input: unknown) => Either.Either<Type, RequestInvalid>) => {
  const decodeFields = Schema.decodeUnknownEither(schema, STRICT)
  const decodeNothing = Schema.decodeUnknownEither(Nothing, STRICT)
  const decode = hasNoFields(schema)
    ? (input: unknown) => Either.flatMap(decodeNothing(input), decodeFields)
    : decodeFields
  return (input) => {
    const unsafe = findUnsafe(input)
    if (unsafe !== undefined) {
      const { code, pointer, detail } = unsafe
      return Either.left(new RequestInvalid({ code, problems: [{ pointer, detail }] }))
    }
    // A union looks at the text of what may tell its members apart; an object with a `toString` of its own has none.
    const decoded = Either.try({ try: () => decode(input), catch: () => new RequestInvalid(UNREADABLE) })
    return Either.flatMap(decoded, Either.mapLeft(requestInvalidOf))
  }
}

const decodeCreateFields = decodeRequest(CreateTranscription)

const countSources = (input: unknown): number =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? Object.entries(input).filter(
        ([name, value]) => SOURCE_FIELDS.some((source) => source === name) && value != null,
      ).length
    : 1

/**
 * The body of `POST /transcriptions`. A mistyped field comes first among the codes, since it explains the others:
 * who writes `ulr` has no source either.
 */
export const decodeCreate = (input: unknown): Either.Either<CreateTranscription, RequestInvalid> =>
  Either.mapLeft(decodeCreateFields(input), (invalid) => {
    const sources = countSources(input)
    if (sources === 1 || invalid.code !== "invalid_request") return invalid
    const code = sources === 0 ? "missing_source" : "multiple_sources"
    return new RequestInvalid({ code, problems: invalid.problems })
  })
