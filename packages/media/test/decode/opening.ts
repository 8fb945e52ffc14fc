/** The decoder of the tests: real programs, voice by loudness, files of this machine. */

import { DecoderConfig, MediaDecoderFfmpeg } from "@earmark/media"
import {
  type AudioWindow,
  type Listening,
  MediaDecoder,
  VoiceActivityEnergy,
  type WorkFailed,
} from "@earmark/service"
import { Chunk, Effect, Layer, Stream } from "effect"

export const decoder = (config: Partial<DecoderConfig["Type"]> = {}) =>
  MediaDecoderFfmpeg.layerFiles.pipe(
    Layer.provide(Layer.merge(VoiceActivityEnergy.layer, DecoderConfig.layer(config))),
  )

export const everything: Listening = {
  startAt: null,
  endAt: null,
  windows: { longest: 28_000, joinUpTo: 0 },
  language: null,
  maxSeconds: null,
}

/** A file, heard to its end. */
export const hear = (
  path: string,
  listening: Partial<Listening> = {},
  config: Partial<DecoderConfig["Type"]> = {},
) =>
  Effect.gen(function* () {
    const media = yield* (yield* MediaDecoder).openFile(path, { ...everything, ...listening })
    const windows = Chunk.toReadonlyArray(yield* Stream.runCollect(media.windows))
    const summary = yield* media.summary
    const warnings = [...media.warnings, ...summary.warnings].map(({ code }) => code)
    return { media, windows, summary, warnings: warnings.filter((code) => code !== "vad_energy") }
  }).pipe(Effect.scoped, Effect.provide(decoder(config)))

/** Code and sentence with which a file is refused, and the reason for those who run the decoder. */
export const refusal = (
  path: string,
  listening: Partial<Listening> = {},
  config: Partial<DecoderConfig["Type"]> = {},
) =>
  Effect.map(Effect.flip(hear(path, listening, config)), (failed: WorkFailed) => ({
    code: failed.code,
    detail: failed.message,
    reason: failed.operatorDetail ?? "",
    isTransient: failed.isTransient,
  }))

export const edges = (windows: ReadonlyArray<Pick<AudioWindow, "start" | "end">>) =>
  windows.map(({ start, end }) => [start, end] as const)
