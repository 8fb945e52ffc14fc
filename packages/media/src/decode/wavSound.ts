import {
  bytesPerSample,
  makeResampler,
  readWavChannel,
  readWavHeader,
  SAMPLE_RATE,
  toSample,
  type WavHeader,
} from "@earmark/core/audio"
import { Effect } from "effect"
import { notDecodable, refuse } from "./failures.js"
import { openForReading, readAt } from "./files.js"
import type { SoundSource } from "./SoundSource.js"

const HEAD = 1024 * 1024
const FRAMES = 32_768

/** From samples of any rate to 16 kHz; what has that rate stays as it is. */
const converter = (rate: number) => {
  if (rate !== SAMPLE_RATE) return makeResampler(rate)
  return {
    push: (samples: Float32Array) => Int16Array.from(samples, toSample),
    finish: () => new Int16Array(0),
  }
}

/** The channels to hear: one or two as they are, more of them as their mean. */
const channelsOf = (bytes: Uint8Array, header: WavHeader): ReadonlyArray<Float32Array> => {
  const channels = Array.from({ length: header.channels }, (_, channel) =>
    readWavChannel(bytes, header, channel),
  )
  const [first] = channels
  if (first === undefined || channels.length <= 2) return channels
  return [
    first.map((_, at) => channels.reduce((sum, channel) => sum + (channel[at] ?? 0), 0) / channels.length),
  ]
}

const interleaved = ([left, right]: ReadonlyArray<Int16Array>): Int16Array => {
  if (left === undefined || right === undefined) return left ?? new Int16Array(0)
  const both = new Int16Array(2 * left.length)
  for (let at = 0; at < left.length; at++) {
    both[2 * at] = left[at] ?? 0
    both[2 * at + 1] = right[at] ?? 0
  }
  return both
}

/** How long a WAV file is, and its sound from a second on, with no program at all. */
export const wavSound = Effect.fnUntraced(function* (path: string, from = 0) {
  const file = yield* openForReading(path)
  const { size } = yield* Effect.promise(() => file.stat())
  const header = yield* readWavHeader(yield* readAt(file, 0, HEAD)).pipe(Effect.mapError(notDecodable))
  const frame = bytesPerSample[header.encoding] * header.channels
  const end = Math.min(size, header.dataStart + (header.dataBytes ?? Number.POSITIVE_INFINITY))
  const frames = Math.floor((end - header.dataStart) / frame)
  if (frames <= 0)
    return yield* refuse("empty_media", "The WAV file holds no samples; record or export it again.")
  const channels = header.channels === 2 ? 2 : 1
  const converters = Array.from({ length: channels }, () => converter(header.sampleRate))
  let at = header.dataStart + Math.min(frames, Math.floor(from * header.sampleRate)) * frame
  let isOver = false

  const read = Effect.gen(function* () {
    if (isOver) return null
    const bytes = yield* readAt(file, at, Math.min(FRAMES * frame, header.dataStart + frames * frame - at))
    at += bytes.length
    if (bytes.length < frame) {
      isOver = true
      return interleaved(converters.map(({ finish }) => finish()))
    }
    const heard = channelsOf(bytes, header)
    return interleaved(converters.map(({ push }, channel) => push(heard[channel] ?? new Float32Array(0))))
  })

  const source: SoundSource = { channels, read, isSound: () => true }
  return { source, durationSeconds: frames / header.sampleRate, sampleRate: header.sampleRate }
})
