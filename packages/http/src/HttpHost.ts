/** The declared API on a Node server. */
import { Effect, Layer } from "effect"
import { creditRoutes } from "./routes/credits.js"
import { keyRoutes } from "./routes/keys.js"
import { noticeRoutes } from "./routes/notices.js"
import { openRoutes } from "./routes/open.js"
import { podcastRoutes } from "./routes/podcasts.js"
import { transcriptionRoutes } from "./routes/transcriptions.js"
import { uploadRoutes } from "./routes/uploads.js"
import { webhookRoutes } from "./routes/webhooks.js"
import { type HandlerFacts, makeHandle } from "./server/handle.js"
import { type ListenFacts, listen } from "./server/listen.js"
import { Stopping } from "./server/Stopping.js"

export type HostFacts = HandlerFacts & ListenFacts

const routes = (facts: HostFacts) =>
  Effect.map(
    Effect.all([
      transcriptionRoutes,
      podcastRoutes,
      uploadRoutes,
      webhookRoutes,
      creditRoutes,
      noticeRoutes,
      keyRoutes,
      openRoutes(facts),
    ]),
    (groups) => groups.flat(),
  )

/** Listens for as long as the layer lives. When it ends, the listener goes first and no request is cut. */
export const layer = (facts: HostFacts) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      yield* listen(yield* makeHandle(yield* routes(facts), facts), facts)
    }),
  ).pipe(Layer.provide(Stopping.layer))
