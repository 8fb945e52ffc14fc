/** What the library of this machine refuses, in the words of a command, with the codes of a service. */
import { decodeRequest, type ProblemCode, type RequestInvalid } from "@earmark/core/wire"
import { problemOf } from "@earmark/service"
import { Effect, Either, type Schema } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import { sentence } from "../remote/explainError.js"

const MISTAKES: ReadonlyArray<ProblemCode> = ["invalid_request", "unknown_field"]

/** What a service would answer with a problem. */
export const refusal = (refused: Parameters<typeof problemOf>[0]): CommandFailed => {
  const { code, detail } = problemOf(refused, "")
  return (MISTAKES.includes(code) ? usage : failed)(`${sentence(detail)} [${code}]`)
}

type Parameter = string | number | boolean | null | undefined

/** A query as an address would hold it, read by the same rules. */
export const parametersOf = (query: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]: readonly [string, Parameter]) =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  )

export const orRefused = <Type>(
  read: Either.Either<Type, RequestInvalid>,
): Effect.Effect<Type, CommandFailed> =>
  Either.match(read, { onLeft: (invalid) => Effect.fail(refusal(invalid)), onRight: Effect.succeed })

export const readQuery = <Type, Encoded>(
  schema: Schema.Schema<Type, Encoded>,
  query: object,
): Effect.Effect<Type, CommandFailed> => orRefused(decodeRequest(schema)(parametersOf(query)))

export const notHere = (id: string, folder: string): CommandFailed =>
  failed(
    `There is nothing with the id ${id} in the library of this machine (${folder}). earmark jobs list tells what is there; --server or --profile names a service to look at. [not_found]`,
  )

const MOST_NAMED = 10

export const ambiguous = (given: string, ids: ReadonlyArray<string>): CommandFailed => {
  const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : ""
  return failed(
    `${given} is the beginning of ${ids.length} ids: ${ids.slice(0, MOST_NAMED).join(", ")}${more}. Give more of the one that is meant. [ambiguous_id]`,
  )
}

export const tooShort = (given: string): CommandFailed =>
  failed(`${given} is too little of an id: give at least four characters behind tr_. [ambiguous_id]`)

export const damaged = (id: string, path: string): CommandFailed =>
  failed(
    `What is kept of ${id} is damaged (${path}). earmark jobs delete ${id} takes it away; transcribe it again then. [damaged]`,
  )
