/** What a transcriber needs besides an engine, for tests and benches that do not use it. */
import { type Checkpoints, Diarizer, SourceResolver } from "@earmark/service"
import { Effect, Layer } from "effect"

export const noDiarizer = Layer.succeed(Diarizer, {
  id: "none",
  open: () => Effect.dieMessage("No test asked for speakers"),
})

export const noLinks = Layer.succeed(SourceResolver, {
  resolve: () => Effect.dieMessage("No test gave a link"),
  feed: () => Effect.dieMessage("No test gave a feed"),
  readFeed: () => Effect.dieMessage("No test gave a feed"),
  captions: () => Effect.succeed(null),
})

export const noCheckpoints: Checkpoints = {
  load: () => Effect.succeed([]),
  save: () => Effect.void,
  report: () => Effect.void,
}

/** A whole English recording, as well as the engine can. */
export const plainOptions = {
  language: "en",
  quality: "accurate",
  qualityExplicit: false,
  vocabulary: [],
  diarize: false,
  speakers: null,
  startAt: null,
  endAt: null,
} as const
