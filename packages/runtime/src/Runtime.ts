/** A whole service, from settings: what every host runs on. */
import { Earmark, Figures, RateLimiter } from "@earmark/service"
import { StoreInUse } from "@earmark/sql"
import { Effect, Layer, Schedule } from "effect"
import { serveControl } from "./control/serveControl.js"
import { firstStart, type Terminal } from "./firstStart.js"
import { configs } from "./parts/configs.js"
import { storeSettings } from "./parts/database.js"
import { openDataFolder } from "./parts/dataFolder.js"
import { logging } from "./parts/logging.js"
import { stores } from "./parts/stores.js"
import { surroundings } from "./parts/surroundings.js"
import { tracing } from "./parts/tracing.js"
import type { Settings } from "./settings/Settings.js"

// A command of the operator has the embedded store for a moment.
const whileHeldForAMoment = Schedule.spaced("100 millis").pipe(
  Schedule.upTo("10 seconds"),
  Schedule.whileInput((error: unknown) => error instanceof StoreInUse),
)

/** Everything that is kept, and everything that is reached. */
const base = (settings: Settings) =>
  Layer.merge(surroundings(settings), configs(settings)).pipe(
    Layer.provideMerge(Layer.retry(stores(settings, { thread: true }), whileHeldForAMoment)),
    Layer.provideMerge(storeSettings(settings)),
  )

const control = (settings: Settings) =>
  settings.databaseUrl === null
    ? Layer.scopedDiscard(Effect.flatMap(openDataFolder(settings.dataDir), serveControl))
    : Layer.empty

const loops = ({ role }: Settings) => (role === "api" ? Layer.empty : Earmark.workers)

/** Hosts ask it before they ask a use case. */
const limiter = Layer.merge(Layer.effect(RateLimiter, RateLimiter), Layer.effect(Figures, Figures))

/** Before anything is answered, an empty store gets its first account. */
const useCases = (settings: Settings, terminal: Terminal) =>
  Layer.mergeAll(Earmark.useCases, Earmark.administration, limiter).pipe(
    Layer.tap((context) => Effect.provide(firstStart(settings, terminal), context)),
  )

export interface HostFacts {
  readonly terminal: Terminal
}

/**
 * Every use case, the administration, and the limiter, for as long as the layer lives; with them run the loops (unless the role is
 * `api`), and the control socket (where the store is embedded). An empty store gets its first account and key.
 */
export const layer = (settings: Settings, { terminal }: HostFacts) =>
  Layer.mergeAll(control(settings), loops(settings)).pipe(
    Layer.provideMerge(useCases(settings, terminal)),
    Layer.provide(base(settings)),
    Layer.provide(tracing(settings)),
    Layer.provide(logging(settings, terminal !== null)),
  )
