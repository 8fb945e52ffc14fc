/** The declared API on a Node server. */

import type { LibraryDesk } from "@earmark/batch"
import { FailedAttempts } from "@earmark/service"
import { Effect, Layer } from "effect"
import type { HearingFacts } from "./compatible/hearing.js"
import { compatibleRoutes } from "./compatible/routes.js"
import { libraryRoutes } from "./library/libraryRoutes.js"
import { type MetricsAccess, makeMetricsRoute } from "./metrics/metricsRoute.js"
import { RequestMeter } from "./metrics/RequestMeter.js"
import { type MachineFacts, operatorRoutes } from "./operator/operatorRoutes.js"
import { noticeRoutes } from "./routes/notices.js"
import { openRoutes, probeRoutes } from "./routes/open.js"
import { operationRoutes } from "./routes/operations.js"
import { publicationRoutes } from "./routes/publications.js"
import type { Route } from "./routes/Route.js"
import { type HandlerFacts, makeHandle } from "./server/handle.js"
import { type ListenFacts, listen } from "./server/listen.js"
import { type Mount, withMounts } from "./server/Mount.js"
import { makeNote } from "./server/note.js"
import { Stopping } from "./server/Stopping.js"
import { withOrigins } from "./server/withOrigins.js"
import { sessionRoutes } from "./sessions/sessionRoutes.js"

export type HostFacts = HandlerFacts & ListenFacts & MetricsAccess & HearingFacts & MachineFacts

/** What a process tells of itself. */
const ownRoutes = (facts: HostFacts, meter: RequestMeter) =>
  Effect.map(Effect.all([probeRoutes, makeMetricsRoute(facts, meter)]), ([probes, metrics]) => [
    ...probes,
    metrics,
  ])

const routes = (facts: HostFacts, meter: RequestMeter) =>
  Effect.map(
    Effect.all([
      operationRoutes(facts.baseUrl, facts.slots),
      sessionRoutes(facts),
      operatorRoutes(facts),
      noticeRoutes,
      openRoutes(facts),
      publicationRoutes,
      compatibleRoutes(facts),
      ownRoutes(facts, meter),
    ]),
    (groups) => groups.flat(),
  )

const noMounts: Effect.Effect<ReadonlyArray<Mount>> = Effect.succeed([])

const serve = <Facts extends HandlerFacts & ListenFacts, RoutesR, E, R>(
  facts: Facts,
  routesOf: (facts: Facts, meter: RequestMeter) => Effect.Effect<ReadonlyArray<Route>, never, RoutesR>,
  mounts: Effect.Effect<ReadonlyArray<Mount>, E, R>,
) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const meter = new RequestMeter()
      const handle = yield* makeHandle(yield* routesOf(facts, meter), facts, meter)
      const around = { baseUrl: facts.baseUrl, note: makeNote(facts, meter) }
      const all = withMounts(yield* mounts, around, withOrigins(handle, facts))
      yield* listen(all, facts)
    }),
  ).pipe(Layer.provide(Stopping.layer), Layer.provide(FailedAttempts.layer(facts.rateLimits.failures)))

/** Answers for the process alone, for as long as the layer lives: whether it is well, and its figures. */
export const layerProbes = (facts: HostFacts) => serve(facts, ownRoutes, noMounts)

/**
 * Listens for as long as the layer lives. When it ends, it is not ready from then on, answers for as long as `drain` says, and then the
 * listener goes first and no request is cut. `mounts` answer beside what is declared: those of `Agents`.
 */
export const layer = <E = never, R = never>(
  facts: HostFacts,
  mounts: Effect.Effect<ReadonlyArray<Mount>, E, R> = noMounts,
) => serve(facts, routes, mounts)

/**
 * Shows the library of a machine to whoever is at it, for as long as the layer lives. There is an account to sign in to, and nothing else
 * of a service. `mounts` answer beside it: the console.
 */
export const layerLibrary = <E = never, R = never>(
  desk: LibraryDesk,
  facts: HandlerFacts & ListenFacts & Pick<HostFacts, "slots">,
  mounts: Effect.Effect<ReadonlyArray<Mount>, E, R>,
) =>
  serve(
    facts,
    () =>
      Effect.map(
        Effect.all([libraryRoutes(desk, facts), sessionRoutes(facts, { hasKeys: false })]),
        (groups) => groups.flat(),
      ),
    mounts,
  )
