// @effect-diagnostics strictEffectProvide:off -- a library has no service around it, so what a front needs is made for it here
/** A library in a browser: an address that the user of this machine alone can open. */
import type { LibraryDesk } from "@earmark/batch"
import {
  Accounts,
  Customers,
  Keys,
  makeSignInLink,
  Operators,
  Secrets,
  ServiceConfig,
  type StorageError,
  StoreMemory,
} from "@earmark/service"
import { Clock, Effect, Layer } from "effect"
import * as Console from "../console/Console.js"
import * as HttpHost from "../HttpHost.js"
import type { ListenFailed } from "../server/listen.js"
import { accountOf, HOST, portFor } from "./libraryAddress.js"

const factsOf = (port: number) => ({
  host: HOST,
  port,
  baseUrl: `http://${HOST}:${port}`,
  corsOrigins: [],
  logRequests: false,
  slots: { eventStreams: 100, waitingReads: 100 },
  rateLimits: { create: null, read: null, failures: null },
  proxies: 0,
})

/** The one who is at this machine. Nothing of a service is kept. */
const people = Layer.mergeAll(Keys.layer, Customers.layer, Layer.succeed(Operators, [])).pipe(
  Layer.provideMerge(Layer.merge(Secrets.layerEphemeral, ServiceConfig.layer())),
  Layer.provideMerge(StoreMemory.layer),
)

export interface LibraryPlace {
  /** Of the library: it has the same address at each start. */
  readonly folder: string
  /** The build of the console. */
  readonly consoleFolder: string
}

/** Serves a library until it is interrupted; `onAddress` is told the address that opens it, once. */
export const serveLibrary = <E, R>(
  desk: LibraryDesk,
  { folder, consoleFolder }: LibraryPlace,
  onAddress: (url: string) => Effect.Effect<void, E, R>,
): Effect.Effect<never, E | ListenFailed | StorageError, R> =>
  Effect.gen(function* () {
    const own = factsOf(yield* portFor(folder))
    const front = HttpHost.layerLibrary(
      desk,
      own,
      Effect.map(Console.mount({ baseUrl: own.baseUrl, folder: consoleFolder }), (mount) => [mount]),
    ).pipe(Layer.provideMerge(people))
    const serving = Effect.gen(function* () {
      const { id } = yield* (yield* Accounts).create({
        id: accountOf(folder),
        name: "This machine",
        email: null,
        freeCredits: 0,
        createdAt: yield* Clock.currentTimeMillis,
      })
      const url = Console.signInAddress(own.baseUrl, yield* makeSignInLink(id)) ?? own.baseUrl
      yield* onAddress(url)
      return yield* Effect.never
    })
    return yield* Effect.provide(serving, front)
  })
