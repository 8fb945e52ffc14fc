/** Makes effects of the calls of the Promise client, with answers decoded as the operation declares them. */
import { Chunk, Data, Effect, Schema, Stream } from "effect"
import {
  AnswerError,
  ConnectionError,
  InputError,
  ProblemError,
  TimeoutError,
  TranscriptionFailed,
} from "../client/errors.js"
import type { Pages } from "../client/Pages.js"
import type { Transport } from "../client/Transport.js"

/** What a call can fail with. Told apart by `_tag`, and problems by their `code`. */
export type CallError = ProblemError | ConnectionError | TimeoutError | AnswerError | InputError

/** No error of the client: a mistake in it, or what a callback of the caller has thrown. */
class Unexpected extends Data.TaggedError("Unexpected")<{ readonly cause: unknown }> {}

const isKnown = (error: unknown): error is CallError | TranscriptionFailed =>
  error instanceof ProblemError ||
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  error instanceof AnswerError ||
  error instanceof InputError ||
  error instanceof TranscriptionFailed

const known = (error: unknown): CallError | TranscriptionFailed | Unexpected =>
  isKnown(error) ? error : new Unexpected({ cause: error })

/** A promise of the client as an effect: interrupting it ends the call. */
export const attempt = <Value>(
  run: (signal: AbortSignal) => Promise<Value>,
): Effect.Effect<Value, CallError | TranscriptionFailed> =>
  Effect.tryPromise({ try: run, catch: known }).pipe(
    Effect.catchTag("Unexpected", ({ cause }) => Effect.die(cause)),
  )

/** `attempt` of what waits for no transcription to succeed. */
export const call = <Value>(run: (signal: AbortSignal) => Promise<Value>): Effect.Effect<Value, CallError> =>
  Effect.catchTag(attempt(run), "TranscriptionFailed", Effect.die)

/** What an answer means, by the schema that declares it. */
export const decoded = <Success, Encoded>(schema: Schema.Schema<Success, Encoded>) => {
  const decode = Schema.decodeUnknown(schema)
  return (answer: unknown): Effect.Effect<Success, AnswerError> =>
    Effect.mapError(
      decode(answer),
      ({ message }) =>
        new AnswerError({ message: `The answer is not as it is declared: ${message}`, status: 200 }),
    )
}

type Of<Args extends ReadonlyArray<unknown>, Answer> = (transport: Transport) => (...args: Args) => Answer

/** A call as an effect. */
export const operation = <Args extends ReadonlyArray<unknown>, Success, Encoded>(
  transport: Transport,
  answer: Schema.Schema<Success, Encoded>,
  of: Of<Args, Promise<unknown>>,
) => {
  const decode = decoded(answer)
  return (...args: Args): Effect.Effect<Success, CallError> =>
    Effect.flatMap(
      call((signal) => of(transport.during(signal))(...args)),
      decode,
    )
}

/** What is iterated, as a stream: leaving it ends the request that is under way. */
export const iterated = <Value>(
  transport: Transport,
  iterate: (transport: Transport) => AsyncIterable<Value>,
): Stream.Stream<Value, CallError> =>
  Effect.acquireRelease(
    Effect.sync(() => new AbortController()),
    (controller) => Effect.sync(() => controller.abort()),
  ).pipe(
    Effect.map(({ signal }) =>
      Stream.fromAsyncIterable(iterate(transport.during(signal)), known).pipe(
        Stream.catchTags({
          Unexpected: ({ cause }) => Stream.die(cause),
          TranscriptionFailed: (error) => Stream.die(error),
        }),
      ),
    ),
    Stream.unwrapScoped,
  )

/** A list as an effect of its first page, and with `all` as a stream of everything in it. */
export const listing = <
  Args extends ReadonlyArray<unknown>,
  Success extends { readonly data: ReadonlyArray<unknown> },
  Encoded,
>(
  transport: Transport,
  answer: Schema.Schema<Success, Encoded>,
  of: Of<Args, Pages<unknown, unknown>>,
) => {
  const decode = decoded(answer)
  const all = (...args: Args): Stream.Stream<Success["data"][number], CallError> =>
    iterated(transport, (during) => of(during)(...args).pages()).pipe(
      Stream.mapEffect(decode),
      Stream.mapConcatChunk(({ data }) => Chunk.unsafeFromArray(data)),
    )
  return Object.assign(operation(transport, answer, of), { all })
}
