// @effect-diagnostics strictEffectProvide:off -- a command is a host of its own: it composes what it needs, when it runs
import type { AdministrationRefused, Operation, operations as Operations } from "@earmark/service"
import { Options } from "@effect/cli"
import { DateTime, Effect, Schema } from "effect"
import { type CommandFailed, failed, usage } from "../../CommandFailed.js"
import { note, print } from "../../output.js"

/** An answer, typed and as it is on the wire. */
export interface Answered<Answer> {
  readonly answer: Answer
  readonly wire: unknown
}

const MISTAKES: ReadonlyArray<AdministrationRefused["code"]> = ["invalid_request", "cursor_invalid"]

/** A refusal as a command tells it: the sentence, then the code for scripts. */
export const commandFailed = ({ code, message }: AdministrationRefused): CommandFailed =>
  (MISTAKES.includes(code) ? usage : failed)(`${message} [${code}]`)

/** The settings of the environment; names that nothing reads are noted. */
export const withSettings = Effect.gen(function* () {
  const runtime = yield* Effect.promise(() => import("@earmark/runtime"))
  for (const { message } of yield* runtime.unknownSettings) yield* note(`earmark: ${message}`)
  const settings = yield* Effect.mapError(runtime.readSettings, ({ message }) => failed(message))
  if (yield* runtime.isNewStore(settings)) {
    yield* note(`earmark: a new store is made in ${settings.dataDir}`)
  }
  return { runtime, settings }
})

/** Does one operation on the store of the environment, wherever it is held. */
export const administer = <Request, RequestWire, Answer, AnswerWire>(
  choose: (all: typeof Operations) => Operation<Request, RequestWire, Answer, AnswerWire>,
  request: RequestWire,
): Effect.Effect<Answered<Answer>, CommandFailed> =>
  Effect.gen(function* () {
    const { runtime, settings } = yield* withSettings
    const { Administration, operations } = yield* Effect.promise(() => import("@earmark/service"))
    const operation = choose(operations)
    const answer = yield* Administration.ask(operation, request).pipe(
      Effect.provide(runtime.reachAdministration(settings)),
      Effect.mapError(commandFailed),
    )
    return { answer, wire: yield* Effect.orDie(Schema.encode(operation.answer)(answer)) }
  })

/** Prints an answer: whole as JSON, or as people read it. */
export const show = <Answer>(
  { answer, wire }: Answered<Answer>,
  json: boolean,
  human: (answer: Answer) => string,
): Effect.Effect<void, CommandFailed> => print(json ? `${JSON.stringify(wire, null, 2)}\n` : human(answer))

export const json = Options.boolean("json").pipe(
  Options.withDescription("One JSON object instead of a table."),
)

export const account = Options.text("account").pipe(
  Options.withDescription("The id of the account: acct_..."),
)

export const limit = Options.integer("limit").pipe(
  Options.withDescription("How many to list, newest first, at most 100 (default 20)."),
  Options.withDefault(20),
)

export const cursor = Options.text("cursor").pipe(
  Options.withDescription("Where to go on: the next_cursor of the page before."),
  Options.optional,
)

/** Says that a list goes on, where people read it. */
export const andMore = (nextCursor: string | null): string =>
  nextCursor === null ? "" : `More with --cursor ${nextCursor}\n`

/** A day and a time, in UTC. */
export const moment = (time: DateTime.Utc | null): string | null =>
  time === null ? null : DateTime.formatIso(time).slice(0, 16).replace("T", " ")
