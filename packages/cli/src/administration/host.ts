// @effect-diagnostics strictEffectProvide:off -- a host of its own, bundled apart: this is the one place that composes it

import { Console } from "@earmark/http"
import {
  administer as administerStore,
  type BackedUp,
  backupStore,
  isNewStore,
  type Migrated,
  type MigrateOptions,
  migrateStore,
  type Restored,
  reachAdministration,
  readSettings,
  requireStore,
  restoreStore,
  type Settings,
  unknownSettings,
} from "@earmark/runtime"
import {
  Administration,
  type AdministrationCode,
  type Operation,
  operations,
  TimeLimit,
} from "@earmark/service"
import { Effect, Option } from "effect"

/** Why a command was not done. Settings that cannot be have no code: they are told as they are. */
export interface Refusal {
  readonly code: AdministrationCode | null
  readonly message: string
}

export type Outcome<Answer> =
  | { readonly type: "done"; readonly answer: Answer }
  | { readonly type: "refused"; readonly refusal: Refusal }

interface Surroundings {
  /** Told beside the data. */
  readonly note: (text: string) => void
  readonly signal: AbortSignal
}

/** Does the work with the settings of the environment. Names that nothing reads are told, and a store that the work has made. */
const withSettings = <Answer>(
  work: (settings: Settings) => Effect.Effect<Answer, Refusal>,
  { note }: Surroundings,
): Effect.Effect<Answer, Refusal> =>
  Effect.gen(function* () {
    for (const { message } of yield* unknownSettings) note(message)
    const settings = yield* Effect.mapError(readSettings, ({ message }): Refusal => ({ code: null, message }))
    const wasNew = yield* isNewStore(settings)
    const tellOfStore = Effect.gen(function* () {
      if (wasNew && !(yield* isNewStore(settings))) note(`A new store was made in ${settings.dataDir}.`)
    })
    return yield* Effect.ensuring(work(settings), tellOfStore)
  })

const run = <Answer>(
  work: (settings: Settings) => Effect.Effect<Answer, Refusal>,
  surroundings: Surroundings,
): Promise<Outcome<Answer>> =>
  Effect.runPromise(
    Effect.match(withSettings(work, surroundings), {
      onFailure: ({ code, message }): Outcome<Answer> => ({ type: "refused", refusal: { code, message } }),
      onSuccess: (answer): Outcome<Answer> => ({ type: "done", answer }),
    }),
    { signal: surroundings.signal },
  )

/** Does one operation on the store of the environment, wherever it is held. Request and answer are those of the wire. */
export const administer = <Request, RequestWire, Answer, AnswerWire>(
  choose: (all: typeof operations) => Operation<Request, RequestWire, Answer, AnswerWire>,
  request: RequestWire,
  surroundings: Surroundings,
): Promise<Outcome<AnswerWire>> =>
  run((settings) => administerStore(settings, choose(operations), request), surroundings)

/** A link that signs the operator in to the console, once. */
export interface SignIn {
  readonly account: string
  readonly url: string
  /** Whether the server answers at its address. */
  readonly answers: boolean
}

const NOT_FOUND = 404

const ANSWERS_WITHIN = "3 seconds"

/** The status that a server answers with; null where none answers. */
const statusAt = (url: string): Effect.Effect<number | null> =>
  // @effect-diagnostics-next-line globalFetchInEffect:off -- a server of this machine is looked at, with what Node brings
  Effect.tryPromise((signal) => fetch(url, { method: "HEAD", redirect: "manual", signal })).pipe(
    TimeLimit.option(ANSWERS_WITHIN),
    Effect.match({
      onFailure: () => null,
      onSuccess: Option.match({ onNone: () => null, onSome: ({ status }) => status }),
    }),
  )

/** Whether the server that answers there is one of ours. */
const isEarmark = (baseUrl: string): Effect.Effect<boolean> =>
  Effect.tryPromise(async (signal) => {
    // @effect-diagnostics-next-line globalFetchInEffect:off -- as above
    const answer = await fetch(`${baseUrl}/healthz`, { redirect: "manual", signal })
    const { status }: { readonly status?: unknown } = Object(await answer.json())
    return status === "ok"
  }).pipe(
    TimeLimit.option(ANSWERS_WITHIN),
    Effect.match({ onFailure: () => false, onSuccess: Option.getOrElse(() => false) }),
  )

/** Makes a link into the console of the server that has the store of the environment. */
export const signIn = (account: string | null, surroundings: Surroundings): Promise<Outcome<SignIn>> => {
  const cannot = (message: string): Refusal => ({ code: "unavailable", message })
  const work = (settings: Settings) =>
    Effect.gen(function* () {
      const { baseUrl } = settings
      if ((yield* isNewStore(settings)) && (yield* isEarmark(baseUrl)))
        return yield* Effect.fail(
          cannot(
            `The server at ${baseUrl} keeps its data elsewhere, not in ${settings.dataDir}, so this command cannot sign you in. Run it in the folder where the server was started, or set EARMARK_DATA_DIR. --local shows the transcripts of this machine.`,
          ),
        )
      yield* requireStore(settings)
      if (!settings.console)
        return yield* Effect.fail(cannot("EARMARK_CONSOLE is off: this server has no console."))
      if (Console.signInAddress(baseUrl, "") === null)
        return yield* Effect.fail(
          cannot(
            `Nobody can sign in at ${baseUrl}: sessions would cross a network in the open. Set EARMARK_BASE_URL to an https address.`,
          ),
        )
      const status = yield* statusAt(`${baseUrl}/console/`)
      if (status === NOT_FOUND)
        return yield* Effect.fail(
          cannot(
            `The server at ${baseUrl} has no console. Build it with npm run build, then restart the server.`,
          ),
        )
      const made = yield* Administration.ask(operations.makeSignInLink, { account }).pipe(
        Effect.provide(reachAdministration(settings)),
      )
      const url = Console.signInAddress(baseUrl, made.link) ?? baseUrl
      return { account: made.account, url, answers: status !== null }
    })
  return run(work, surroundings)
}

/** Brings the store of the environment up to date. */
export const migrate = (options: MigrateOptions, surroundings: Surroundings): Promise<Outcome<Migrated>> =>
  run((settings) => migrateStore(settings, options), surroundings)

/** Writes the store of the environment to a file. */
export const backup = (
  target: Parameters<typeof backupStore>[1],
  surroundings: Surroundings,
): Promise<Outcome<BackedUp>> => run((settings) => backupStore(settings, target), surroundings)

/** Makes the store of the environment, which is empty, what it was in a file. */
export const restore = (file: string, surroundings: Surroundings): Promise<Outcome<Restored>> =>
  run((settings) => restoreStore(settings, file), surroundings)
