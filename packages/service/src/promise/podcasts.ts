import {
  Batch,
  BatchCanceled,
  BatchStatus,
  decodeRequest,
  EpisodeList,
  EpisodesQuery,
  TranscribeFeed,
} from "@earmark/core/jobs"
import { Effect, Schema } from "effect"
import { Podcasts } from "../useCases/Podcasts.js"
import { callsOf, contextOf, type Door, type Once, type Wire } from "./door.js"

export const podcasts = (door: Door) => {
  const ask = callsOf(door, Podcasts)
  return {
    episodes: (account: string, query: Wire<typeof EpisodesQuery>) =>
      ask(account, (service, owner) =>
        Effect.gen(function* () {
          const found = yield* service.episodes(owner, yield* decodeRequest(EpisodesQuery)(query))
          return Schema.encodeSync(EpisodeList)(found)
        }),
      ),
    transcribe: (account: string, body: Wire<typeof TranscribeFeed>, once: Once = {}) =>
      ask(account, (service, owner) =>
        Effect.gen(function* () {
          const request = yield* decodeRequest(TranscribeFeed)(body)
          const made = yield* service.transcribe(owner, request, yield* contextOf(once))
          return Schema.encodeSync(Batch)(made.answer)
        }),
      ),
    batch: (account: string, id: string) =>
      ask(account, (service, owner) => Effect.map(service.batch(owner, id), Schema.encodeSync(BatchStatus))),
    /** Cancels every episode that is not done. */
    cancelBatch: (account: string, id: string) =>
      ask(account, (service, owner) =>
        Effect.map(service.cancelBatch(owner, id), Schema.encodeSync(BatchCanceled)),
      ),
  }
}
