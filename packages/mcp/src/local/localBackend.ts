// @effect-diagnostics strictEffectProvide:off -- all of a server in this process: this is the one place that composes it
import { join } from "node:path"
import { explainStart, Runtime, readSettings, type Settings } from "@earmark/runtime"
import { storage } from "@earmark/runtime/settings"
import { stateFolder } from "@earmark/runtime/user"
import { Customers } from "@earmark/service"
import { Effect, Layer, Logger, Scope } from "effect"
import { BackendRefused } from "../BackendRefused.js"
import { deferredBackend } from "../backends/deferredBackend.js"
import { serviceBackends } from "../backends/serviceBackends.js"
import type { TranscriptionBackend } from "../TranscriptionBackend.js"
import { stderrLogger } from "./stderrLogger.js"

/** What stands for the address of a service where there is none. */
const NOWHERE = "earmark://local"

/** A client starts this process in a folder of its own choice, so the data is kept with the user's. */
const folderOf = (given: Settings) =>
  Effect.gen(function* () {
    return (yield* storage.dataDir.isSet) ? given.dataDir : join(yield* stateFolder, "mcp")
  })

/** All of the service in this process, for the one who owns the machine: nothing is billed, and nobody listens. */
const settingsOf = Effect.gen(function* () {
  const given = yield* readSettings
  return { ...given, role: "all" as const, billing: false, dataDir: yield* folderOf(given) }
})

const started = Effect.gen(function* () {
  const settings = yield* settingsOf
  const terminal = () => Effect.void
  const context = yield* Layer.build(Runtime.layer(settings, { terminal }))
  return yield* Effect.gen(function* () {
    const { items } = yield* (yield* Customers).list({ limit: 1, after: null })
    const [owner] = items
    if (owner === undefined) return yield* Effect.dieMessage("A store without an account")
    const backendFor = yield* serviceBackends({ baseUrl: NOWHERE, isServed: false })
    return backendFor({ account: owner.id, scopes: [], key: null, isTest: false, canAskForScopes: false })
  }).pipe(Effect.provide(context))
  // The runtime has a logger of its own.
}).pipe(Effect.provide(Logger.remove(stderrLogger)))

type Failure = Effect.Effect.Error<typeof started>

const START_AGAIN = "then start this server again."

/** What is wrong, and what a person does about it: nothing is tried again while this process runs. */
const told = (failure: Failure): { readonly detail: string; readonly remedy: string } => {
  switch (failure._tag) {
    case "SettingsInvalid":
      return { detail: failure.message, remedy: `Correct the env of this server, ${START_AGAIN}` }
    case "StoreInUse":
      return {
        detail: `The data folder ${failure.directory} is in use by ${failure.holder}: another client has a server of its own there`,
        remedy: `Give this server a folder of its own with EARMARK_DATA_DIR in its env, or connect both clients to one earmark serve with earmark mcp; ${START_AGAIN}`,
      }
    case "WorkFailed":
      return {
        detail: `The speech engine cannot be used: ${failure.message}`,
        remedy: `See earmark doctor, ${START_AGAIN}`,
      }
    default:
      return {
        detail: explainStart(failure).message,
        remedy: `Mend that, ${START_AGAIN}`,
      }
  }
}

/** This machine as a backend. What does the work is started by the first call, and ends with the scope. */
export const localBackend: Effect.Effect<TranscriptionBackend["Type"], never, Scope.Scope> = Effect.gen(
  function* () {
    const scope = yield* Effect.scope
    return yield* deferredBackend(
      NOWHERE,
      started.pipe(
        Scope.extend(scope),
        Effect.mapError((failure) => new BackendRefused({ code: "unavailable", ...told(failure) })),
      ),
    )
  },
)
