/** The calls of the client, made of the table of operations. */
import { type OperationFacts, operations } from "./operations.js"
import { type Pages, pagesOf } from "./Pages.js"
import type { RepeatableOptions, RequestOptions, Transport } from "./Transport.js"
import type { Operations } from "./wire.js"

type Groups = typeof operations

/** The groups of operations, such as `webhooks`. */
export type Group = keyof Groups

type Places<Path> = Path extends `${string}{id}${string}`
  ? Path extends `${string}{delivery}${string}`
    ? [id: string, delivery: string]
    : Path extends `${string}{revision}${string}`
      ? [id: string, revision: number]
      : [id: string]
  : []

type Optional<Value> = Record<never, never> extends Value ? true : false

type Taken<Facts, Of extends Operations[keyof Operations]> = Facts extends { readonly takes: "query" }
  ? Optional<Of["query"]> extends true
    ? [query?: Of["query"]]
    : [query: Of["query"]]
  : Facts extends { readonly takes: "body" }
    ? Optional<Of["body"]> extends true
      ? [body?: Of["body"]]
      : [body: Of["body"]]
    : []

type Options<Facts> = Facts extends { readonly repeatable: true } ? RepeatableOptions : RequestOptions

type Answered<Facts, Answer> = Facts extends { readonly paged: true }
  ? Answer extends { readonly data: ReadonlyArray<infer Item> }
    ? Pages<Item, Answer>
    : never
  : Promise<Answer>

type Call<Facts extends OperationFacts, Of extends Operations[keyof Operations]> = (
  ...given: [...Places<Facts["path"]>, ...Taken<Facts, Of>, options?: Options<Facts>]
) => Answered<Facts, Of["answer"]>

/** The calls of a group: the ids of the path, then the query or the body, then the options. */
export type Calls<Of extends Group> = {
  readonly [Name in keyof Groups[Of]]: Groups[Of][Name] extends OperationFacts
    ? Call<Groups[Of][Name], Operations[Extract<`${Of}.${Name & string}`, keyof Operations>]>
    : never
}

const PLACE = /\{(\w+)\}/g

interface Page {
  readonly data: ReadonlyArray<unknown>
  readonly next_cursor: string | null
}

const isObject = (given: unknown): given is object => typeof given === "object" && given !== null

const isOptions: (given: unknown) => given is RepeatableOptions = isObject

const callOf = (transport: Transport, facts: OperationFacts) => {
  const names = [...facts.path.matchAll(PLACE)].map(([, name]) => name ?? "")
  return (...given: ReadonlyArray<unknown>) => {
    const path = Object.fromEntries(names.map((name, at) => [name, String(given[at] ?? "")]))
    const [first, second] = given.slice(names.length)
    const options = facts.takes === undefined ? first : second
    const taken = { ...(facts.takes !== undefined && isObject(first) && first) }
    const ask = (cursor?: string): Promise<Page> =>
      transport.json(facts, {
        path,
        ...(isOptions(options) && { options }),
        ...(facts.takes === "query" && { query: cursor === undefined ? taken : { ...taken, cursor } }),
        ...(facts.takes === "body" && { body: taken }),
      })
    return facts.paged === true ? pagesOf(ask) : ask()
  }
}

/** The calls of a group over a connection. */
export function callsOf<Of extends Group>(transport: Transport, group: Of): Calls<Of>
export function callsOf(transport: Transport, group: Group): unknown {
  return Object.fromEntries(
    Object.entries<OperationFacts>(operations[group]).map(([name, facts]) => [
      name,
      callOf(transport, facts),
    ]),
  )
}
