/** The decoder of the benches, over files of this machine. */
import { DecoderConfig, MediaDecoderFfmpeg, SocialVideo } from "@earmark/media"
import {
  Fetcher,
  type Listening,
  MediaDecoder,
  ObjectStoreMemory,
  VoiceActivityEnergy,
} from "@earmark/service"
import { Effect, Layer } from "effect"

const never = () => Effect.dieMessage("A bench reads files of this machine only")

const outside = Layer.mergeAll(
  Layer.succeed(Fetcher, { fetch: never, download: never }),
  Layer.succeed(SocialVideo, { missing: null, describe: never, download: never }),
  ObjectStoreMemory.layer,
  VoiceActivityEnergy.layer,
)

export const decoder = MediaDecoderFfmpeg.layer.pipe(
  Layer.provide(outside),
  Layer.provide(DecoderConfig.layer()),
)

const everything: Listening = {
  startAt: null,
  endAt: null,
  windows: { longest: 28_000, joinUpTo: 25_000 },
  language: null,
  maxSeconds: null,
}

export const openFile = (path: string) =>
  Effect.flatMap(MediaDecoder, ({ openFile }) => openFile(path, everything))
