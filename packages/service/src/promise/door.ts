/** What every group of methods is made with. */
import { type AccountId, AccountNotFound, AccountId as Id, parseId } from "@earmark/core/jobs"
import { parseIdempotencyKey } from "@earmark/core/requests"
import { Effect, type Layer, type Schema, type Stream } from "effect"
import type * as Earmark from "../Earmark.js"
import type { RequestContext } from "../useCases/Repeats.js"

type UseCases = Layer.Layer.Success<typeof Earmark.useCases>

/** What JSON holds of a schema. */
export type Wire<S extends Schema.Schema.Any> = Schema.Schema.Encoded<S>

/** What may come with a request. */
export interface Once {
  /** Makes a repeat of the same request safe. */
  readonly idempotencyKey?: string
}

export interface Door {
  /** Rejects with the error of the use case itself. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, UseCases>) => Promise<A>
  /** The same for what takes as long as a job: it rejects at once when Earmark is closed. */
  readonly runLong: <A, E>(effect: Effect.Effect<A, E, UseCases>) => Promise<A>
  /** Begins with the first item that is asked for, and ends with the loop. */
  readonly iterate: <A, E>(stream: Stream.Stream<A, E, UseCases>) => AsyncIterable<A>
}

/** What programs without types give in the place of an id. */
const notAnId = (given: unknown): TypeError => {
  const isAccount = typeof given === "object" && given !== null
  const hint = isAccount ? "`account.id`, not the whole account" : `a string, not ${String(given)}`
  return new TypeError(`The account is given by its id: ${hint}`)
}

export const accountOf = (text: string): Effect.Effect<AccountId, AccountNotFound> =>
  typeof text === "string"
    ? Effect.mapError(parseId(Id)(text), () => new AccountNotFound({ id: text.slice(0, 64) }))
    : Effect.die(notAnId(text))

export const contextOf = ({ idempotencyKey }: Once) =>
  idempotencyKey === undefined
    ? Effect.succeed<RequestContext>({})
    : Effect.map(parseIdempotencyKey(idempotencyKey), (key): RequestContext => ({ idempotencyKey: key }))
