/** The operations of an account in promises: an account, what the path names, then the query or the body as the wire has it. */
import type { AccountId } from "@earmark/core/jobs"
import {
  answerSchemaOf,
  type JsonOperationId,
  type Operation,
  type OperationGroup,
  type OperationName,
  type OperationOf,
  operations,
  type PathNames,
  pathNames,
  readRequest,
  type WireAnswer,
  type WireBody,
  type WireQuery,
} from "@earmark/core/operations"
import { Scope } from "@earmark/core/wire"
import { Effect, Schema, Struct } from "effect"
import type { Operations } from "../operations.js"
import { accountOf, contextOf, type Door, type Once } from "./door.js"

type Places<Names> = Names extends []
  ? []
  : Names extends [string]
    ? [id: string]
    : Names extends [string, "revision"]
      ? [id: string, revision: number]
      : [id: string, delivery: string]

type Optional<Value> = Record<never, never> extends Value ? true : false

/** A parameter of a query is text on the wire; here numbers and booleans may stand for theirs. */
type Query<Parameters> = {
  readonly [Name in keyof Parameters]:
    | Parameters[Name]
    | (string extends Parameters[Name] ? number : "true" extends Parameters[Name] ? boolean : never)
}

type Taken<Of extends Operation> = Of extends { readonly query: Schema.Schema.AnyNoContext }
  ? Optional<WireQuery<Of>> extends true
    ? [query?: Query<WireQuery<Of>>]
    : [query: Query<WireQuery<Of>>]
  : Of extends { readonly body: Schema.Schema.AnyNoContext }
    ? Optional<WireBody<Of>> extends true
      ? [body?: WireBody<Of>]
      : [body: WireBody<Of>]
    : []

type Repeat<Of extends Operation> = Of extends { readonly isRepeatable: true } ? [once?: Once] : []

type Call<Of extends Operation> = (
  account: string,
  ...given: [...Places<PathNames<Of>>, ...Taken<Of>, ...Repeat<Of>]
) => Promise<WireAnswer<Of>>

/** The calls of a group, under the names of the table. */
type Calls<Group extends OperationGroup> = {
  readonly [Name in OperationName<Group, JsonOperationId>]: Call<
    OperationOf<Extract<`${Group}.${Name}`, JsonOperationId>>
  >
}

interface Sent {
  readonly path: object
  readonly query: unknown
  readonly body: unknown
  readonly once: Once
}

/** The program that embeds may do whatever an account may. */
const callerOf = (account: AccountId) => ({ account, scopes: Scope.literals })

const call = <Id extends JsonOperationId>(id: Id, runs: Operations) => {
  const read = readRequest(id)
  const encode = Schema.encode(answerSchemaOf(id))
  const run = runs[id]
  return Effect.fnUntraced(function* (account: string, { once, ...sent }: Sent) {
    const owner = yield* accountOf(account)
    const request = yield* read(sent)
    const context = yield* contextOf(once)
    const { answer } = yield* run(Object.assign(request, { caller: callerOf(owner), context }))
    return yield* Effect.orDie(encode(answer))
  })
}

const isObject = (given: unknown): given is object => typeof given === "object" && given !== null

const isOnce: (given: unknown) => given is Once = isObject

const textOf = (value: unknown): unknown =>
  typeof value === "number" || typeof value === "boolean" ? String(value) : value

/** A query as it would arrive. What is none is left to be refused. */
const parametersOf = (query: unknown): unknown =>
  isObject(query)
    ? Object.fromEntries(Object.entries(query).map(([name, value]) => [name, textOf(value)]))
    : query

/** What was given to a call, by what its operation declares. */
const sentOf = (operation: Operation, given: ReadonlyArray<unknown>): Sent => {
  const names = pathNames(operation)
  const rest = given.slice(names.length)
  const taken = operation.query === undefined && operation.body === undefined ? {} : (rest.shift() ?? {})
  return {
    path: Object.fromEntries(names.map((name, at) => [name, textOf(given[at])])),
    query: operation.query === undefined ? {} : parametersOf(taken),
    body: operation.body === undefined ? {} : taken,
    once: isOnce(rest[0]) ? rest[0] : {},
  }
}

/** The calls of a group of operations. */
export function callsOf<Group extends OperationGroup>(
  door: Door,
  runs: Operations,
  group: Group,
): Calls<Group>
export function callsOf({ run }: Door, runs: Operations, group: OperationGroup): unknown {
  const calls = Struct.keys(runs).flatMap((id) => {
    if (!id.startsWith(`${group}.`)) return []
    const ask = call(id, runs)
    const one = (account: string, ...given: ReadonlyArray<unknown>) =>
      run(ask(account, sentOf(operations[id], given)))
    return [[id.slice(group.length + 1), one]]
  })
  return Object.fromEntries(calls)
}
