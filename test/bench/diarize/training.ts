// Learns the background model of voices: from readers in a folder (EARMARK_BENCH_VOICES, one speaker in each recording) and the voices of the
// synthesiser, faster and slower, in noise, in rooms and by telephone.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { FEATURES, featuresOf, packBackgroundModel } from "@earmark/core/speakers"
import { seededRandom, spokenBy, spokenSentences, type Voice } from "@earmark/testkit"
import { Schema } from "effect"
import { samplesOf } from "./meetings.js"

const RATE = 16_000
const COMPONENTS = 32
const ROUNDS = 12
const CONVERSATIONS = 50
const SECONDS_OF_A_VOICE = 15
const MOST_FRAMES = 60_000
const SMALLEST_VARIANCE = 0.05
const CLEAR_BELOW_LOUD = 25
const SPEEDS = [0.87, 0.93, 1, 1.07, 1.15]
const SENTENCES = 14
const SYNTHESISED: ReadonlyArray<Voice> = ["slt", "rms", "awb", "kal16"]
const PLACES = ["clean", "noise", "room", "telephone", "room and noise", "clean"] as const

type Random = () => number

const Index = Schema.parseJson(Schema.Array(Schema.Struct({ id: Schema.String, file: Schema.String })))

const readers = (folder: string): ReadonlyArray<Float64Array> =>
  [
    ...Schema.decodeUnknownSync(Index)(readFileSync(join(folder, "index.json"), "utf8")).map(({ file }) =>
      samplesOf(join(folder, file)),
    ),
    ...SYNTHESISED.map((voice) =>
      Int16Array.from(
        spokenSentences.slice(0, SENTENCES).flatMap((sentence) => [...spokenBy(voice, sentence)]),
      ),
    ),
  ].map((samples) => {
    const level = Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length)
    return Float64Array.from(samples, (value) => (value / level) * 1500)
  })

/** A stretch of the voice, spoken faster or slower, and so higher or lower. */
const stretchOf = (voice: Float64Array, speed: number, random: Random): Float64Array => {
  const wanted = Math.min(Math.floor(voice.length / speed) - 1, SECONDS_OF_A_VOICE * RATE)
  const from = random() * (voice.length - wanted * speed - 1)
  const gain = 10 ** ((random() * 6 - 3) / 20)
  return Float64Array.from({ length: wanted }, (_, index) => {
    const at = from + index * speed
    const before = Math.floor(at)
    const share = at - before
    return gain * ((voice[before] ?? 0) * (1 - share) + (voice[before + 1] ?? 0) * share)
  })
}

const filtered = (samples: Float64Array, taps: ReadonlyArray<readonly [delay: number, gain: number]>) => {
  const result = new Float64Array(samples.length)
  for (const [delay, gain] of taps) {
    for (let at = delay; at < samples.length; at++) {
      result[at] = (result[at] ?? 0) + gain * (samples[at - delay] ?? 0)
    }
  }
  return result
}

/** Echoes at random times, quieter and quieter. */
const roomOf = (random: Random): ReadonlyArray<readonly [number, number]> => {
  const length = (0.3 + 0.3 * random()) * RATE
  const echoes = Array.from({ length: 150 }, () => {
    const delay = 80 + Math.floor(random() * (length - 80))
    return [delay, (random() - 0.5) * 0.8 * Math.exp((-6.9 * delay) / length)] as const
  })
  return [[0, 1], ...echoes]
}

/** 300 to 3400 Hz. */
const telephone: ReadonlyArray<readonly [number, number]> = Array.from({ length: 161 }, (_, index) => {
  const at = index - 80
  const low = (hertz: number) =>
    at === 0 ? (2 * hertz) / RATE : Math.sin((2 * Math.PI * hertz * at) / RATE) / (Math.PI * at)
  return [index, (low(3400) - low(300)) * (0.54 + 0.46 * Math.cos((Math.PI * at) / 81))]
})

const placed = (samples: Float64Array, place: (typeof PLACES)[number], random: Random): Int16Array => {
  let heard = samples
  if (place.startsWith("room")) heard = filtered(heard, roomOf(random))
  if (place === "telephone") heard = filtered(heard, telephone)
  const noise = place.endsWith("noise") ? 1500 * 10 ** (-(10 + 10 * random()) / 20) : 0
  let before = 0
  return Int16Array.from(heard, (value) => {
    before = 0.7 * before + 2 * (random() - 0.5)
    return Math.max(-32_768, Math.min(32_767, value + noise * before))
  })
}

/** The clear frames of a conversation, scaled as the diarizer scales them. */
const scaledFrames = (samples: Int16Array): ReadonlyArray<Float64Array> => {
  const { values, loudness, frames } = featuresOf(samples)
  const loud = [...loudness].sort((left, right) => left - right)[Math.floor(frames * 0.9)] ?? 0
  const clear = Array.from({ length: frames }, (_, frame) => frame)
    .filter((frame) => (loudness[frame] ?? 0) > loud - CLEAR_BELOW_LOUD)
    .map((frame) => Float64Array.from(values.subarray(frame * FEATURES, (frame + 1) * FEATURES)))
  for (let feature = 0; feature < FEATURES; feature++) {
    const mean = clear.reduce((sum, frame) => sum + (frame[feature] ?? 0), 0) / clear.length
    const variance = clear.reduce((sum, frame) => sum + ((frame[feature] ?? 0) - mean) ** 2, 0) / clear.length
    for (const frame of clear) frame[feature] = ((frame[feature] ?? 0) - mean) / Math.sqrt(variance)
  }
  return clear
}

interface Component {
  readonly weight: number
  readonly mean: ReadonlyArray<number>
  readonly variance: ReadonlyArray<number>
}

/** One round of expectation and maximisation. */
const improved = (
  model: ReadonlyArray<Component>,
  frames: ReadonlyArray<Float64Array>,
): ReadonlyArray<Component> => {
  const shares = model.map(() => 1e-6)
  const sums = model.map(() => new Float64Array(FEATURES))
  const squares = model.map(() => new Float64Array(FEATURES))
  const constants = model.map(({ weight, variance }) =>
    variance.reduce((sum, value) => sum - 0.5 * Math.log(value), Math.log(weight)),
  )
  for (const frame of frames) {
    const likelihoods = model.map(({ mean, variance }, component) => {
      let sum = constants[component] ?? 0
      for (let feature = 0; feature < FEATURES; feature++) {
        sum -= (0.5 * ((frame[feature] ?? 0) - (mean[feature] ?? 0)) ** 2) / (variance[feature] ?? 1)
      }
      return sum
    })
    const most = Math.max(...likelihoods)
    const total = likelihoods.reduce((sum, likelihood) => sum + Math.exp(likelihood - most), 0)
    for (const [component, likelihood] of likelihoods.entries()) {
      const share = Math.exp(likelihood - most) / total
      const [sum, square] = [sums[component], squares[component]]
      if (share < 1e-4 || sum === undefined || square === undefined) continue
      shares[component] = (shares[component] ?? 0) + share
      for (const [feature, value] of frame.entries()) {
        sum[feature] = (sum[feature] ?? 0) + share * value
        square[feature] = (square[feature] ?? 0) + share * value * value
      }
    }
  }
  return shares.map((share, component) => {
    const mean = Array.from(sums[component] ?? [], (sum) => sum / share)
    const variance = Array.from(squares[component] ?? [], (square, feature) =>
      Math.max(SMALLEST_VARIANCE, square / share - (mean[feature] ?? 0) ** 2),
    )
    return { weight: share / frames.length, mean, variance }
  })
}

/** The bytes of a model learned from the readers of a folder. */
export const trainBackground = (folder: string): Uint8Array => {
  const random = seededRandom(7000)
  const voices = readers(folder)
  const shuffled = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> =>
    values
      .map((value) => ({ value, order: random() }))
      .sort((left, right) => left.order - right.order)
      .map(({ value }) => value)
  const all = Array.from({ length: CONVERSATIONS }, (_, index) => {
    const people = shuffled(voices).slice(0, 4 + Math.floor(random() * 3))
    const said = people.map((voice) =>
      stretchOf(voice, SPEEDS[Math.floor(random() * SPEEDS.length)] ?? 1, random),
    )
    const samples = Float64Array.from(said.flatMap((stretch) => [...stretch]))
    return scaledFrames(placed(samples, PLACES[index % PLACES.length] ?? "clean", random))
  }).flat()
  const frames = shuffled(all).slice(0, MOST_FRAMES)
  let model: ReadonlyArray<Component> = frames.slice(0, COMPONENTS).map((frame) => ({
    weight: 1 / COMPONENTS,
    mean: [...frame],
    variance: Array.from({ length: FEATURES }, () => 1),
  }))
  for (let round = 0; round < ROUNDS; round++) model = improved(model, frames)
  return packBackgroundModel(model)
}
