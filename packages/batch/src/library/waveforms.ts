// @effect-diagnostics strictEffectProvide:off -- the decoder of the host is opened for each file, and closed after it
/** How loud recordings are, for the desk of a library: each file is decoded once. */
import { FoundOnce, MediaDecoder, type ToldProblem } from "@earmark/service"
import { Effect, type Layer, Stream } from "effect"

/** All of it, however it is cut: only its loudness is wanted. */
const LISTENING = {
  startAt: null,
  endAt: null,
  windows: { longest: 28_000, joinUpTo: 0 },
  language: null,
  maxSeconds: null,
  record: "never",
} as const

const unreadable: ToldProblem = {
  code: "recording_not_kept",
  detail: "The sound of this recording cannot be read.",
}

const drawn = Effect.fnUntraced(function* (path: string) {
  const { openFile } = yield* MediaDecoder
  const media = yield* openFile(path, LISTENING)
  yield* Stream.runForEach(media.windows, (window) => Effect.sync(() => media.release?.(window)))
  const recording = yield* media.recording ?? Effect.succeed(null)
  return recording?.waveform ?? new Uint8Array()
}, Effect.scoped)

/** Draws the waveform of a file: `waveformOf` of `DeskParts`. */
export const makeWaveforms = <E>(decoder: Layer.Layer<MediaDecoder, E>) =>
  FoundOnce.byKey((path: string) =>
    drawn(path).pipe(
      Effect.provide(decoder),
      Effect.mapError(() => unreadable),
    ),
  )
