/** The decoder of the benches, over files of this machine. */
import { DecoderConfig, MediaDecoderFfmpeg } from "@earmark/media"
import { type Listening, MediaDecoder, VoiceActivityEnergy } from "@earmark/service"
import { Effect, Layer } from "effect"

export const decoder = MediaDecoderFfmpeg.layerFiles.pipe(
  Layer.provide(Layer.merge(VoiceActivityEnergy.layer, DecoderConfig.layer())),
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
