import { layerTelling } from "@earmark/service"
import { Effect, Layer } from "effect"
import type { Settings } from "../settings/Settings.js"
import { objects } from "./objects.js"
import { ownDatabase } from "./ownDatabase.js"
import { secrets } from "./secretsKey.js"

/** Redis in place of the queue and the limiter of the database, where there is one. Without, nothing of it is loaded. */
const carried = (settings: Settings) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const { redisUrl: url } = settings
      if (url === null) return ownDatabase(settings)
      const { QueueRedis, RateLimiterRedis } = yield* Effect.promise(() => import("@earmark/redis"))
      return Layer.merge(QueueRedis.layer({ url }), RateLimiterRedis.layer({ url })).pipe(
        Layer.provideMerge(ownDatabase(settings)),
      )
    }),
  )

/**
 * Everything that is kept, and the keys that it is sealed with. The keys come first: a database without a key beside it is one whose
 * key was lost.
 */
export const stores = (settings: Settings) =>
  Layer.merge(Layer.provideMerge(layerTelling, carried(settings)), objects(settings)).pipe(
    Layer.provideMerge(secrets(settings)),
  )
