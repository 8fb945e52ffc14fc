import {
  type Answer,
  answerSchemaOf,
  type Operation,
  type OperationGroup,
  type OperationId,
  type OperationOf,
  operations,
} from "@earmark/core/operations"
import { type Effect, type Schema, type Stream, Struct } from "effect"
import { type Calls, callsOf } from "../client/calls.js"
import { operations as facts, type OperationFacts } from "../client/operations.js"
import type { Transport } from "../client/Transport.js"
import { transcriptions } from "../client/transcriptions.js"
import { type CallError, listing, operation } from "./operation.js"

type Call<Given extends ReadonlyArray<unknown>, Answered> = ((
  ...given: Given
) => Effect.Effect<Answered, CallError>) &
  (Answered extends { readonly data: ReadonlyArray<infer Item> }
    ? { readonly all: (...given: Given) => Stream.Stream<Item, CallError> }
    : unknown)

/** The calls of the Promise client as effects, whose answers are decoded. */
type Effects<Group extends OperationGroup> = {
  readonly [Name in keyof Calls<Group>]: Calls<Group>[Name] extends (...given: infer Given) => unknown
    ? Call<Given, Answer<OperationOf<Extract<`${Group}.${Name & string}`, OperationId>>>>
    : never
}

const promisesOf = (transport: Transport, group: OperationGroup): object =>
  group === "transcriptions" ? transcriptions(transport) : callsOf(transport, group)

/** The calls of a group, by the table of operations. */
export function groupOf<Group extends OperationGroup>(transport: Transport, group: Group): Effects<Group>
export function groupOf(transport: Transport, group: OperationGroup): unknown {
  const calls = Struct.keys(operations).flatMap((id) => {
    const { form }: Operation = operations[id]
    if (!id.startsWith(`${group}.`) || form !== undefined) return []
    const name = id.slice(group.length + 1)
    const { paged }: OperationFacts = Reflect.get(facts[group], name)
    const answer: Schema.Schema.AnyNoContext = answerSchemaOf(id)
    const call = (during: Transport) => Reflect.get(promisesOf(during, group), name)
    return [[name, paged ? listing(transport, answer, call) : operation(transport, answer, call)]]
  })
  return Object.fromEntries(calls)
}
