import {
  type Answer,
  type JsonOperationId,
  type Operation,
  type OperationId,
  type OperationOf,
  operations,
  readerOf,
} from "@earmark/core/operations"
import type { IdempotencyKey } from "@earmark/core/requests"
import { parseIdempotencyKey } from "@earmark/core/requests"
import type { Answered, Asked, Operations } from "@earmark/service"
import { Effect, Either, Schema } from "effect"
import { encoderOf } from "../answers/encoderOf.js"
import { Refusal } from "../answers/Refusal.js"
import { jsonReply, type problemReply, type Reply } from "../answers/Reply.js"
import type { Failure } from "../answers/refusalOf.js"
import { type Arrived, type Caller, headerOf } from "../requests/Arrived.js"
import { acceptsJson } from "../requests/accepts.js"
import { readBody } from "../requests/readBody.js"
import { NOTHING, readQuery } from "../requests/readQuery.js"

/** One operation of the wire: where it is, who may do it, and how it is done. */
export interface Route {
  readonly method: Operation["method"]
  /** With `:name` for the places that name something; with `/*` at its end for every address below that no other route has. */
  readonly path: string
  readonly answer:
    | { readonly type: "open"; readonly reply: (arrived: Arrived) => Effect.Effect<Reply, Failure> }
    | {
        readonly type: "guarded"
        readonly access: Pick<Operation, "scope" | "rate" | "needsFreshSignIn">
        readonly reply: (arrived: Arrived, caller: Caller) => Effect.Effect<Reply, Failure>
        /** Where else than in a Bearer header the key may stand. */
        readonly orIn?: "basic"
        /** For sessions of operators only: every other request gets 404. */
        readonly isForOperators?: true
      }
  /** How refusals are written in the protocol of the route; as problems where it is absent. */
  readonly refusalReply?: typeof problemReply
}

/** A request of an operation that was read, with everything that came with it. */
export type Request<Id extends OperationId> = Asked<OperationOf<Id>> & {
  readonly caller: Caller
  readonly arrived: Arrived
}

type Handler<Id extends OperationId> = (request: Request<Id>) => Effect.Effect<Reply, Failure>

/** What it means that nothing is given is found out once: most requests have no query, and many no body. */
const knowingNothing = <Meaning>(decode: (input: unknown) => Meaning): ((input: unknown) => Meaning) => {
  const meaning = decode(NOTHING)
  return (input) => (input === NOTHING ? meaning : decode(input))
}

const notAcceptable = new Refusal({
  code: "not_acceptable",
  detail: "The answer is JSON: accept application/json.",
})

const HAS_BODY: ReadonlyArray<string> = ["POST", "PUT", "PATCH", "DELETE"]

const repeatKey = ({ request }: Arrived): Either.Either<IdempotencyKey | undefined, Failure> => {
  const header = headerOf(request, "idempotency-key")
  return header === undefined ? Either.right(undefined) : parseIdempotencyKey(header)
}

const NO_KEY: ReturnType<typeof repeatKey> = Either.right(undefined)

interface Head {
  readonly path: unknown
  readonly query: unknown
  readonly idempotencyKey: IdempotencyKey | undefined
}

/** An operation of the table for whoever has a key: read as it is declared, answered as its handler says. */
export const routeReplying = <Id extends OperationId>(id: Id, handle: Handler<Id>): Route => {
  const operation: Operation = operations[id]
  const { method, path: place } = operation
  const reader = readerOf(id)
  const readPath = knowingNothing(reader.path)
  const readParameters = knowingNothing(reader.query)
  const readGiven = knowingNothing(reader.body)
  const hasBody = HAS_BODY.includes(method)
  const needsBody = operation.body !== undefined && operation.hasOptionalBody !== true

  /** What stands before the body. */
  const readHead = (arrived: Arrived): Either.Either<Head, Failure> => {
    const path = readPath(arrived.path)
    if (Either.isLeft(path)) return Either.left(path.left)
    const query = Either.flatMap(readQuery(arrived.query), readParameters)
    if (Either.isLeft(query)) return Either.left(query.left)
    const idempotencyKey = operation.isRepeatable ? repeatKey(arrived) : NO_KEY
    if (Either.isLeft(idempotencyKey)) return Either.left(idempotencyKey.left)
    return Either.right({ path: path.right, query: query.right, idempotencyKey: idempotencyKey.right })
  }

  const reply = (arrived: Arrived, caller: Caller) =>
    Effect.suspend((): Effect.Effect<Reply, Failure> => {
      const head = readHead(arrived)
      if (Either.isLeft(head)) return Effect.fail(head.left)
      const { path, query, idempotencyKey } = head.right
      const answer = (given: unknown): Effect.Effect<Reply, Failure> => {
        const body = readGiven(given)
        if (Either.isLeft(body)) return Effect.fail(body.left)
        const context = { key: caller.key, isTest: caller.isTest, idempotencyKey }
        const request = reader.request({ path, query, body: body.right })
        return handle(Object.assign(request, { caller, context, arrived }))
      }
      return hasBody ? Effect.flatMap(readBody(arrived.request, needsBody), answer) : answer(NOTHING)
    })

  return { method, path: place, answer: { type: "guarded", access: operation, reply } }
}

/** The place of what was made, from the path of the request and the answer. */
const placeOf = (location: string, path: Arrived["path"], answer: unknown): string => {
  const fields = new Map(Object.entries(answer ?? {}))
  return location
    .replace(/:[a-z]+/g, (name) => path[name.slice(1)] ?? "")
    .replace(/\{[a-z_]+\}/g, (name) => String(fields.get(name.slice(1, -1)) ?? ""))
}

const MADE: ReadonlyArray<number> = [201, 202]

/** Writes answers as an operation declares them: by the schema and with the status of the first that fits. */
const writerOf = ({ answers, location }: Operation) => {
  const forms = Object.entries(answers).map(([status, schema]) => ({
    status: Number(status),
    fits: schema === null ? () => true : Schema.is(schema),
    encode: schema === null ? () => undefined : encoderOf(schema),
  }))
  const formOf = (value: unknown) => (forms.length === 1 ? forms[0] : forms.find(({ fits }) => fits(value)))
  return ({ answer, replayed }: Answered<unknown>, { path }: Arrived): Reply => {
    const form = formOf(answer)
    if (form === undefined) throw new Error("The operation declares no answer of this shape")
    const encoded = form.encode(answer)
    const headers = {
      ...(replayed && { "Idempotent-Replayed": "true" }),
      ...(location !== undefined &&
        MADE.includes(form.status) && { Location: placeOf(location, path, encoded) }),
    }
    return encoded === undefined
      ? { status: form.status, headers, body: null }
      : jsonReply(form.status, encoded, headers)
  }
}

/** An operation of the table, answered as it is declared. */
export const routeAnswering = <Id extends JsonOperationId>(
  id: Id,
  run: (request: Request<Id>) => Effect.Effect<Answered<Answer<OperationOf<Id>>>, Failure>,
): Route => {
  const write = writerOf(operations[id])
  return routeReplying(id, (request: Request<Id>) =>
    acceptsJson(headerOf(request.arrived.request, "accept"))
      ? Effect.map(run(request), (answered) => write(answered, request.arrived))
      : Effect.fail(notAcceptable),
  )
}

/** An operation of the table, done by its use case alone. */
export const route = <Id extends JsonOperationId>(id: Id, run: Operations[Id]): Route =>
  routeAnswering(id, (request: Request<Id>) => run(request))

/** A route whose replies are finished by a step, unless it is open. */
export const finished = (
  route: Route,
  finish: (reply: Reply, arrived: Arrived) => Effect.Effect<Reply>,
): Route => {
  const { answer } = route
  if (answer.type === "open") return route
  return {
    ...route,
    answer: {
      ...answer,
      reply: (arrived, caller) =>
        Effect.flatMap(answer.reply(arrived, caller), (reply) => finish(reply, arrived)),
    },
  }
}
