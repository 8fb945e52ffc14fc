import type * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import type { Scope } from "../wire/accounts.js"
import type { RequestInvalid } from "../wire/decodeRequest.js"
import type { ProblemCode } from "../wire/problems.js"

/** The limit of the account that a request counts against. */
export type Rate = "create" | "read"

/** One operation of an account: everything that the routes, the clients, the documents and the tools know of it. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** With `:name` for the parts that a request names. */
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  /** What a key must be allowed to do; null: every key may. */
  readonly scope: Scope | null
  readonly rate: Rate
  /** Costs money or gives access: a person in a browser must have signed in a moment ago. */
  readonly needsFreshSignIn?: true
  readonly query?: Schema.Schema.AnyNoContext
  readonly body?: Schema.Schema.AnyNoContext
  /** Whether it does something sensible without a body. */
  readonly hasOptionalBody?: true
  /** Reads the query or the body where it means more than its schema tells. */
  readonly reads?: (input: unknown) => Either.Either<unknown, RequestInvalid>
  /** Whether it takes an Idempotency-Key, which makes a repeat safe. */
  readonly isRepeatable?: true
  /** By HTTP status; null where nothing is answered. */
  readonly answers: { readonly [status: number]: Schema.Schema.AnyNoContext | null }
  /** Whether answers have an `ETag`, so that nothing is sent that a client has. */
  readonly hasEtag?: true
  /**
   * Whether large answers are compressed. Never where an answer holds a secret or a token: what its length tells would give them away
   * (BREACH).
   */
  readonly isCompressed?: true
  /** What is answered where that is no JSON. */
  readonly form?: "file" | "bytes" | "archive" | "events"
  /** Where a new resource is: `:name` is a part of the path of the request, `{name}` a field of the answer. */
  readonly location?: string
  /** The codes that it can be refused with, beside those that every operation can. */
  readonly problems?: ReadonlyArray<ProblemCode>
}

/** Keeps the types of what it is given. */
export const operation = <const Declared extends Operation>(declared: Declared): Declared => declared

type Names<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? [Name, ...Names<`/${More}`>]
    : [Rest]
  : []

/** The names of the parts of a path, in their order. */
export type PathNames<Of extends Operation> = Names<Of["path"]>

type Typed<S> = S extends Schema.Schema<infer Type, infer _Wire> ? Type : never
type Wired<S> = S extends Schema.Schema<infer _Type, infer Wire> ? Wire : never

/** The query or the body, once it is read. */
type Read<Of, Declared> = Of extends {
  readonly reads: (input: unknown) => Either.Either<infer Type, RequestInvalid>
}
  ? Type
  : Typed<Declared>

/** What a request says, once it is read: the parts that its operation declares. */
export type Request<Of extends Operation> = (PathNames<Of> extends []
  ? object
  : { readonly path: { readonly [Name in PathNames<Of>[number]]: string } }) &
  (Of extends { readonly query: infer Query } ? { readonly query: Read<Of, Query> } : object) &
  (Of extends { readonly body: infer Body } ? { readonly body: Read<Of, Body> } : object)

/** The query of a request as it is sent. */
export type WireQuery<Of extends Operation> = Of extends { readonly query: infer Query }
  ? Wired<Query>
  : never

/** The body of a request as it is sent. */
export type WireBody<Of extends Operation> = Of extends { readonly body: infer Body } ? Wired<Body> : never

type Answers<Of extends Operation> = Of["answers"][keyof Of["answers"]]

/** What is answered. */
export type Answer<Of extends Operation> = Answers<Of> extends null ? undefined : Typed<Answers<Of>>

/** What is answered, as it is sent. */
export type WireAnswer<Of extends Operation> = Answers<Of> extends null ? undefined : Wired<Answers<Of>>

/** The names of the parts of a path, in their order. */
export const pathNames = ({ path }: Pick<Operation, "path">): ReadonlyArray<string> =>
  path.split("/").flatMap((step) => (step.startsWith(":") ? [step.slice(1)] : []))
