/** A whole service, from settings: what every host runs on. */
import { FetcherNode } from "@earmark/media"
import {
  Accounts,
  Earmark,
  Figures,
  Identities,
  JobNews,
  OAuthRecords,
  Operators,
  RateLimiter,
  Secrets,
} from "@earmark/service"
import { Effect, Layer } from "effect"
import { firstStart, type Terminal } from "./firstStart.js"
import { oneQueue } from "./oneQueue.js"
import { configs } from "./parts/configs.js"
import { adviseDatabase, storeSettings, untilReachable } from "./parts/database.js"
import { logging } from "./parts/logging.js"
import { stores } from "./parts/stores.js"
import { surroundings as surroundingsOf } from "./parts/surroundings.js"
import { tracing } from "./parts/tracing.js"
import { readSettings, type Settings } from "./settings/Settings.js"

/** Everything that is kept, and everything that is reached. */
const base = (settings: Settings) => {
  const opening = Layer.merge(stores(settings), Layer.effectDiscard(adviseDatabase(settings)))
  return Layer.merge(surroundingsOf(settings), configs(settings)).pipe(
    Layer.provideMerge(settings.databaseUrl === null ? opening : Layer.retry(opening, untilReachable)),
    Layer.provideMerge(storeSettings(settings)),
  )
}

/**
 * What a service reaches outside its store, as the `EARMARK_*` settings choose it: the best engine that is here, ffmpeg, and the guarded
 * network. For `makeEarmark`.
 */
export const surroundings = Layer.unwrapEffect(Effect.map(readSettings, surroundingsOf))

const loops = ({ role }: Settings) => (role === "api" ? Layer.empty : Earmark.workers)

/** What hosts use beside the use cases: limits, and what it takes to let apps and their people in. */
const forHosts = ({ egressAllow, signInAccounts, signInIssuer, operators }: Settings) =>
  Layer.mergeAll(
    Layer.effect(RateLimiter, RateLimiter),
    Layer.effect(Figures, Figures),
    Layer.effect(JobNews, JobNews),
    Layer.effect(OAuthRecords, OAuthRecords),
    Layer.effect(Accounts, Accounts),
    Layer.effect(Secrets, Secrets),
    FetcherNode.layer({ allow: egressAllow }),
    Identities.layer({ newAccounts: signInAccounts === "new" }),
    Layer.succeed(
      Operators,
      signInIssuer === null ? [] : operators.map((subject) => ({ issuer: signInIssuer, subject })),
    ),
  )

/** Before anything is answered, an empty store gets its first account. */
const useCases = (settings: Settings, terminal: Terminal) =>
  forHosts(settings).pipe(
    Layer.provideMerge(Layer.merge(Earmark.useCases, Earmark.administration)),
    Layer.tap((context) => Effect.provide(firstStart(settings, terminal), context)),
  )

export interface HostFacts {
  readonly terminal: Terminal
}

const over = <Out, E, In>(beside: Layer.Layer<Out, E, In>, settings: Settings, { terminal }: HostFacts) =>
  beside.pipe(
    Layer.provideMerge(useCases(settings, terminal)),
    Layer.provide(base(settings)),
    Layer.provide(tracing(settings)),
    Layer.provide(logging(settings, terminal !== null)),
  )

/**
 * Every use case, the administration, and the ports of hosts, for as long as the layer lives; with them run the loops (unless the role is
 * `api`). An empty store gets its first account and key.
 */
export const layer = (settings: Settings, facts: HostFacts) => over(loops(settings), settings, facts)

/** What a front may ask for. */
type UseCases = Layer.Layer.Success<ReturnType<typeof useCases>>

/**
 * `layer` with a front that clients reach, until it is interrupted. Then the front and the loops stop side by side, so that stopping
 * takes no longer than the slower of them; the store goes last.
 */
export const run = <E>(settings: Settings, facts: HostFacts, front: Layer.Layer<never, E, UseCases>) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(over(Earmark.loops, settings, facts))
    const working = settings.role === "api" ? Effect.never : Earmark.work
    const both = Effect.all([Layer.launch(front), working], { concurrency: "unbounded", discard: true })
    return yield* Effect.zipRight(Effect.provide(both, context), Effect.never)
  }).pipe(Effect.scoped, Effect.withScheduler(oneQueue))
