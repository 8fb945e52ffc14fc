import { Access } from "@earmark/api"
import { decodeRequest, type RequestInvalid } from "@earmark/core/jobs"
import type { IdempotencyKey } from "@earmark/core/requests"
import { parseIdempotencyKey } from "@earmark/core/requests"
import type { RequestContext } from "@earmark/service"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import { Context, Effect, Either, Option, Schema } from "effect"
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
  readonly method: HttpMethod
  /** With `:name` for the places that name something. */
  readonly path: string
  readonly answer:
    | { readonly type: "open"; readonly reply: (arrived: Arrived) => Effect.Effect<Reply, Failure> }
    | {
        readonly type: "guarded"
        readonly access: Access["Type"]
        readonly reply: (arrived: Arrived, caller: Caller) => Effect.Effect<Reply, Failure>
        /** Where else than in a Bearer header the key may stand. */
        readonly orIn?: "basic"
      }
  /** How refusals are written in the protocol of the route; as problems where it is absent. */
  readonly refusalReply?: typeof problemReply
}

/** A request as the declaration of its operation reads it. */
export interface Asked<Path, Query, Body> {
  readonly path: Path
  readonly query: Query
  readonly body: Body
  readonly caller: Caller
  /** What comes with it beside its body. */
  readonly context: RequestContext
  readonly arrived: Arrived
}

/** An answer, and how it differs from what is always said of it. */
export interface Told<Success> {
  readonly value: Success
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer that needs nothing more said. */
export const told = <Success, E>(effect: Effect.Effect<Success, E>): Effect.Effect<Told<Success>, E> =>
  Effect.map(effect, (value) => ({ value }))

/** What is said of an answer that an earlier request was given already. */
export const replay = (replayed: boolean): Readonly<Record<string, string>> =>
  replayed ? { "Idempotent-Replayed": "true" } : {}

/** Where what was made is found: the path of the operation that shows it. */
export const placed = (
  shows: { readonly path: string },
  ...ids: ReadonlyArray<string>
): Readonly<Record<string, string>> => {
  let next = 0
  return { Location: shows.path.replace(/:[a-z]+/g, () => ids[next++] ?? "") }
}

type Decoder<Input, Type> = (input: Input) => Either.Either<Type, RequestInvalid>

/** How the three parts of a request are read. */
interface Readers<Path, Query, Body> {
  readonly path: Decoder<unknown, () => Path>
  readonly query: Decoder<Readonly<Record<string, string>>, () => Query>
  readonly body: Decoder<unknown, () => Body>
  readonly expectsBody: boolean
}

// What an operation does not declare is never asked for: reading it is a mistake of this package.
const undeclared = (): never => {
  throw new Error("The operation declares nothing here")
}

// A struct without fields takes every field; a record that no name fits refuses each.
const nothing = decodeRequest(
  Schema.Record({ key: Schema.String.pipe(Schema.filter(() => false)), value: Schema.Unknown }),
)

const later =
  <Input, Type>(decode: Decoder<Input, Type>): Decoder<Input, () => Type> =>
  (input) =>
    Either.map(decode(input), (value) => () => value)

/** What it means that nothing is given is found out once: most requests have no query, and many no body. */
const knowingNothing = <Type>(decode: Decoder<unknown, Type>): Decoder<unknown, Type> => {
  const meaning = decode(NOTHING)
  return (input) => (input === NOTHING ? meaning : decode(input))
}

/** Reads what is declared; where nothing is declared there may be nothing. */
const reader = <Type>(
  declared: Option.Option<Schema.Schema<Type, unknown>>,
): ((input: unknown) => Either.Either<() => Type, RequestInvalid>) =>
  Option.match(declared, {
    onNone: () => knowingNothing((input) => Either.map(nothing(input), () => undeclared)),
    onSome: (schema) => knowingNothing(later(decodeRequest(schema))),
  })

const notAcceptable = new Refusal({
  code: "not_acceptable",
  detail: "The answer is JSON: accept application/json.",
})

const HAS_BODY: ReadonlyArray<string> = ["POST", "PUT", "PATCH", "DELETE"]

const repeatKey = ({ request }: Arrived): Either.Either<IdempotencyKey | undefined, Failure> => {
  const header = headerOf(request, "idempotency-key")
  return header === undefined ? Either.right(undefined) : parseIdempotencyKey(header)
}

/** What is asked of a declared operation beside its requests. */
interface Facts {
  readonly annotations: Context.Context<never>
  readonly method: HttpMethod
  readonly path: string
  readonly headersSchema: Option.Option<unknown>
}

const NO_KEY: ReturnType<typeof repeatKey> = Either.right(undefined)

interface Head<Path, Query> {
  readonly path: () => Path
  readonly query: () => Query
  readonly idempotencyKey: IdempotencyKey | undefined
}

/** Parts that are declared are at hand; asking for another one is a mistake. */
const askedOf = <Path, Query, Body>({
  path,
  query,
  body,
  ...rest
}: Pick<Asked<Path, Query, Body>, "caller" | "context" | "arrived"> & {
  readonly path: () => Path
  readonly query: () => Query
  readonly body: () => Body
}): Asked<Path, Query, Body> => ({
  get path() {
    return path()
  },
  get query() {
    return query()
  },
  get body() {
    return body()
  },
  ...rest,
})

const build = <Path, Query, Body>(
  endpoint: Facts,
  read: Readers<Path, Query, Body>,
  handle: (asked: Asked<Path, Query, Body>) => Effect.Effect<Reply, Failure>,
): Route => {
  const access = Context.unsafeGet(endpoint.annotations, Access)
  const isRepeatable = Option.isSome(endpoint.headersSchema)
  const hasBody = HAS_BODY.includes(endpoint.method)

  /** What stands before the body. */
  const readHead = (arrived: Arrived): Either.Either<Head<Path, Query>, Failure> => {
    const path = read.path(arrived.path)
    if (Either.isLeft(path)) return Either.left(path.left)
    const query = Either.flatMap(readQuery(arrived.query), read.query)
    if (Either.isLeft(query)) return Either.left(query.left)
    const idempotencyKey = isRepeatable ? repeatKey(arrived) : NO_KEY
    if (Either.isLeft(idempotencyKey)) return Either.left(idempotencyKey.left)
    return Either.right({ path: path.right, query: query.right, idempotencyKey: idempotencyKey.right })
  }

  const reply = (arrived: Arrived, caller: Caller) =>
    Effect.suspend((): Effect.Effect<Reply, Failure> => {
      const head = readHead(arrived)
      if (Either.isLeft(head)) return Effect.fail(head.left)
      const { path, query, idempotencyKey } = head.right
      const answer = (given: unknown): Effect.Effect<Reply, Failure> => {
        const body = read.body(given)
        if (Either.isLeft(body)) return Effect.fail(body.left)
        const context = { key: caller.key, isTest: caller.isTest, idempotencyKey }
        return handle(askedOf({ path, query, body: body.right, caller, context, arrived }))
      }
      return hasBody ? Effect.flatMap(readBody(arrived.request, read.expectsBody), answer) : answer(NOTHING)
    })

  return { method: endpoint.method, path: endpoint.path, answer: { type: "guarded", access, reply } }
}

/** Writes answers as the operation declares them: its schema, and its status where it has only one. */
const writer = <Success>(schema: Schema.Schema<Success, unknown>) => {
  const encode = encoderOf(schema)
  const usual = HttpApiSchema.getStatusSuccess(schema)
  return ({ value, status = usual, headers = {} }: Told<Success>): Reply => {
    const encoded = encode(value)
    return encoded === undefined ? { status, headers, body: null } : jsonReply(status, encoded, headers)
  }
}

type Handler<Path, Query, Body, Success> = (
  asked: Asked<Path, Query, Body>,
) => Effect.Effect<Told<Success>, Failure>

const answering = <Path, Query, Body, Success>(
  endpoint: { readonly successSchema: Schema.Schema<Success, unknown> },
  handle: Handler<Path, Query, Body, Success>,
) => {
  const write = writer(endpoint.successSchema)
  return (asked: Asked<Path, Query, Body>): Effect.Effect<Reply, Failure> =>
    acceptsJson(headerOf(asked.arrived.request, "accept"))
      ? Effect.map(handle(asked), write)
      : Effect.fail(notAcceptable)
}

interface Declared<Path, Query, Body> extends Facts {
  readonly pathSchema: Option.Option<Schema.Schema<Path, unknown>>
  readonly urlParamsSchema: Option.Option<Schema.Schema<Query, unknown>>
  readonly payloadSchema: Option.Option<Schema.Schema<Body, unknown>>
}

/** An operation whose answer is no JSON: read as it is declared, answered as its handler says. */
export const routeReplying = <Path, Query, Body>(
  endpoint: Declared<Path, Query, Body>,
  handle: (asked: Asked<Path, Query, Body>) => Effect.Effect<Reply, Failure>,
): Route => {
  const { pathSchema, urlParamsSchema, payloadSchema } = endpoint
  const read = {
    path: reader(pathSchema),
    query: reader(urlParamsSchema),
    body: reader(payloadSchema),
    expectsBody: Option.isSome(payloadSchema),
  }
  return build(endpoint, read, handle)
}

/** An operation for whoever has a key: read, done by one use case, and answered, all as it is declared. */
export const route = <Path, Query, Body, Success>(
  endpoint: Declared<Path, Query, Body> & { readonly successSchema: Schema.Schema<Success, unknown> },
  handle: Handler<Path, Query, Body, Success>,
): Route => routeReplying(endpoint, answering(endpoint, handle))

/** `route`, where a request means more than its schemas tell. It names nothing in its path. */
export const routeReading = <Success, Query = never, Body = never>(
  endpoint: Facts & { readonly successSchema: Schema.Schema<Success, unknown> },
  read: {
    readonly query?: Decoder<Readonly<Record<string, string>>, Query>
    readonly body?: Decoder<unknown, Body>
  },
  handle: Handler<never, Query, Body, Success>,
): Route => {
  const readers: Readers<never, Query, Body> = {
    path: reader(Option.none()),
    query: read.query === undefined ? reader(Option.none()) : later(read.query),
    body: read.body === undefined ? reader(Option.none()) : later(read.body),
    expectsBody: read.body !== undefined,
  }
  return build(endpoint, readers, answering(endpoint, handle))
}
