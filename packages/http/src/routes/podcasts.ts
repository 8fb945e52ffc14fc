import { PodcastsApi } from "@earmark/api"
import { Podcasts } from "@earmark/service"
import { Effect } from "effect"
import { placed, replay, route, told } from "./Route.js"

export const podcastRoutes = Effect.map(Podcasts, (podcasts) => [
  route(PodcastsApi.episodes, ({ caller, query }) => told(podcasts.episodes(caller.account, query))),
  route(PodcastsApi.transcribe, ({ body, caller, context }) =>
    Effect.map(podcasts.transcribe(caller.account, body, context), ({ answer, replayed }) => ({
      value: answer,
      headers: { ...replay(replayed), ...placed(PodcastsApi.batch, answer.batchId) },
    })),
  ),
  route(PodcastsApi.batch, ({ caller, path }) => told(podcasts.batch(caller.account, path.id))),
  route(PodcastsApi.cancelBatch, ({ caller, path }) => told(podcasts.cancelBatch(caller.account, path.id))),
])
