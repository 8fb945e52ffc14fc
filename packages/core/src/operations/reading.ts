/** How the requests of an operation are read, and its answers written. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { decodeRequest, type RequestInvalid } from "../wire/decodeRequest.js"
import { type Answer, type Operation, pathNames, type Request, type WireAnswer } from "./Operation.js"
import { type OperationId, type OperationOf, operations } from "./table.js"

type Part = (given: unknown) => Either.Either<unknown, RequestInvalid>

/** The parts of a request one by one, since a host has the path before the body; and the request that they make. */
export interface Reader<Of extends Operation> {
  readonly path: Part
  readonly query: Part
  readonly body: Part
  /** Of parts as they were read. */
  readonly request: (parts: { path: unknown; query: unknown; body: unknown }) => Request<Of>
}

// A struct without fields takes every field; a record that no name fits refuses each.
const nothing = decodeRequest(
  Schema.Record({ key: Schema.String.pipe(Schema.filter(() => false)), value: Schema.Unknown }),
)

const part = ({ reads }: Operation, declared: Schema.Schema.AnyNoContext | undefined): Part =>
  declared === undefined ? nothing : (reads ?? decodeRequest(declared))

const pathPart = (operation: Operation): Part => {
  const names = pathNames(operation)
  return names.length === 0
    ? nothing
    : decodeRequest(Schema.Struct(Object.fromEntries(names.map((name) => [name, Schema.String]))))
}

/** Reads the requests of an operation. */
export function readerOf<Id extends OperationId>(id: Id): Reader<OperationOf<Id>>
// The table says of which type each request is; that its schemas read it so is true by their construction.
export function readerOf(id: OperationId): unknown {
  const operation: Operation = operations[id]
  return {
    path: pathPart(operation),
    query: part(operation, operation.query),
    body: part(operation, operation.body),
    request: (parts: unknown) => parts,
  }
}

/** The whole request of an operation from what was sent of it. */
export const readRequest = <Id extends OperationId>(id: Id) => {
  const read = readerOf(id)
  return (sent: {
    readonly path: unknown
    readonly query: unknown
    readonly body: unknown
  }): Either.Either<Request<OperationOf<Id>>, RequestInvalid> =>
    Either.gen(function* () {
      const path = yield* read.path(sent.path)
      const query = yield* read.query(sent.query)
      return read.request({ path, query, body: yield* read.body(sent.body) })
    })
}

/** The schema of what an operation answers, whatever the status. */
export function answerSchemaOf<Id extends OperationId>(
  id: Id,
): Schema.Schema<Answer<OperationOf<Id>>, WireAnswer<OperationOf<Id>>>
export function answerSchemaOf(id: OperationId) {
  const operation: Operation = operations[id]
  const declared = Object.values(operation.answers).filter((answer) => answer !== null)
  return declared.length === 0 ? Schema.Void : Schema.Union(...declared)
}
