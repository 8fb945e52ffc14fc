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
import { type ChannelChoice, channelsOut, type SoundSource } from "./SoundSource.js"
import { wavFrames } from "./wavFrames.js"

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

/** The channels to hear: those asked for; of all together one or two as they are, more of them as their mean. */
const channelsOf = (
  bytes: Uint8Array,
  header: WavHeader,
  choice: ChannelChoice,
): ReadonlyArray<Float32Array> => {
  if (typeof choice === "number") return [readWavChannel(bytes, header, choice)]
  const channels = Array.from({ length: header.channels }, (_, channel) =>
    readWavChannel(bytes, header, channel),
  )
  const [first] = channels
  if (first === undefined || channels.length <= 2 || choice === "apart") return channels
  return [
    first.map((_, at) => channels.reduce((sum, channel) => sum + (channel[at] ?? 0), 0) / channels.length),
  ]
}

const interleaved = (channels: ReadonlyArray<Int16Array>): Int16Array => {
  const [first] = channels
  if (first === undefined || channels.length === 1) return first ?? new Int16Array(0)
  const all = new Int16Array(channels.length * first.length)
  channels.forEach((samples, channel) => {
    for (let at = 0; at < first.length; at++) all[channels.length * at + channel] = samples[at] ?? 0
  })
  return all
}

/** How long a WAV file is, and its sound from a second on, with no program at all. */
export const wavSound = Effect.fnUntraced(function* (
  path: string,
  from = 0,
  choice: ChannelChoice = "mixed",
) {
  const file = yield* openForReading(path)
  const { size } = yield* Effect.promise(() => file.stat())
  const header = yield* readWavHeader(yield* readAt(file, 0, HEAD)).pipe(Effect.mapError(notDecodable))
  const frame = bytesPerSample[header.encoding] * header.channels
  const frames = wavFrames(header, size)
  if (frames <= 0)
    return yield* refuse("empty_media", "The WAV file holds no samples; record or export it again.")
  const channels = channelsOut(choice, header.channels)
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
    const heard = channelsOf(bytes, header, choice)
    return interleaved(converters.map(({ push }, channel) => push(heard[channel] ?? new Float32Array(0))))
  })

  const source: SoundSource = { channels, read, isSound: () => true, isDoubtful: () => false }
  const durationSeconds = frames / header.sampleRate
  return { source, durationSeconds, sampleRate: header.sampleRate, channels: header.channels }
})
