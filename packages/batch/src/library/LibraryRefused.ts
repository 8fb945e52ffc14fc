/** What the library of files refuses, with the codes of a server where it has one for it. */
import { decodeRequest, type ProblemCode, type RequestInvalid } from "@earmark/core/wire"
import { problemOf } from "@earmark/service"
import { Data, Effect, Either, type Schema } from "effect"

export class LibraryRefused extends Data.TaggedError("LibraryRefused")<{
  readonly reason:
    | "not_found"
    /** The beginning of an id that several ids have. */
    | "ambiguous_id"
    | "id_too_short"
    | "damaged"
    | "library_unreadable"
    | "library_unwritable"
    /** A run of this machine is at it. */
    | "under_way"
    | "stopped_already"
    /** It came through a pipe, and is not there any more. */
    | "source_gone"
    /** What an edit asks for cannot be done. */
    | "edit_refused"
    /** Another process has not finished an edit. */
    | "being_edited"
    /** It was edited since. */
    | "revision_conflict"
    | "pattern_invalid"
    | "pattern_too_slow"
    /** A server would refuse it too, with this `code`. */
    | "refused"
  /** The id, the pattern, or the folder of the library. */
  readonly subject: string
  readonly message: string
  readonly code?: ProblemCode
  /** Why a pattern cannot be used. */
  readonly detail?: string
  /** The file that is damaged. */
  readonly path?: string
  /** The ids that begin so. */
  readonly ids?: ReadonlyArray<string>
  /** The process that is at it. */
  readonly pid?: number
  /** The newest revision. */
  readonly revision?: number
}> {}

/** What a server would answer with a problem. */
export const refusal = (refused: Parameters<typeof problemOf>[0], subject = ""): LibraryRefused => {
  const { code, detail } = problemOf(refused, "")
  return new LibraryRefused({ reason: "refused", subject, message: detail, code })
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
): Effect.Effect<Type, LibraryRefused> =>
  Either.match(read, { onLeft: (invalid) => Effect.fail(refusal(invalid)), onRight: Effect.succeed })

export const readQuery = <Type, Encoded>(
  schema: Schema.Schema<Type, Encoded>,
  query: object,
): Effect.Effect<Type, LibraryRefused> => orRefused(decodeRequest(schema)(parametersOf(query)))

export const notHere = (id: string, folder: string): LibraryRefused =>
  new LibraryRefused({
    reason: "not_found",
    subject: id,
    path: folder,
    message: `There is nothing with the id ${id} in the library (${folder}).`,
  })

export const ambiguous = (given: string, ids: ReadonlyArray<string>): LibraryRefused =>
  new LibraryRefused({
    reason: "ambiguous_id",
    subject: given,
    ids,
    message: `${given} is the beginning of ${ids.length} ids. Give more of the one that is meant.`,
  })

export const tooShort = (given: string): LibraryRefused =>
  new LibraryRefused({
    reason: "id_too_short",
    subject: given,
    message: `${given} is too little of an id: give at least four characters behind tr_.`,
  })

export const damaged = (id: string, path: string): LibraryRefused =>
  new LibraryRefused({
    reason: "damaged",
    subject: id,
    path,
    message: `What is kept of ${id} is damaged (${path}). Delete it, and transcribe it again.`,
  })
