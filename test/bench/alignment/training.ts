// Learns the model of sounds from the voices of a synthesiser (Debian's package flite), which tells when it says each phone.
import { cepstraOf, DIMENSIONS, PHONES, packSoundModel, STATES_PER_PHONE } from "@earmark/core/alignment"
import { type SpokenPhones, spokenPhones, type Voice } from "@earmark/testkit"
import { sized } from "../harness.js"
import { trainingSentences } from "./trainingSentences.js"

export const VOICES: ReadonlyArray<Voice> = ["slt", "rms", "awb", "kal16"]

/** Each utterance as it is, from longer and shorter throats (read slower and faster), and in noise: what these voices lack. */
const KINDS = [
  { speed: 1, noise: null },
  { speed: 0.88, noise: null },
  { speed: 1.14, noise: null },
  { speed: 1, noise: 15 },
  { speed: 0.94, noise: 20 },
  { speed: 1.08, noise: 12 },
] as const

const LEAST_VARIANCE = 4
/** Where the middle of a frame is behind its beginning, and how much later than it begins it is looked for. Seconds. */
const MIDDLE = 0.0128
/** What flite calls other than we do, and rare sounds that are taken for their neighbours. */
const NAMES: Readonly<Record<string, string>> = { pau: "SIL", ax: "AH" }
const LIKE = { ZH: "SH", OY: "OW", UH: "UW" } as const

let state = 7
const random = () => {
  state = (state * 48_271) % 2_147_483_647
  return state / 2_147_483_647 - 0.5
}

const faster = (samples: Int16Array, by: number): Int16Array =>
  Int16Array.from({ length: Math.floor(samples.length / by) - 1 }, (_, index) => {
    const at = index * by
    const whole = Math.floor(at)
    const value = samples[whole] ?? 0
    return value + (at - whole) * ((samples[whole + 1] ?? 0) - value)
  })

/** Reddish noise so many decibels under the voice, and one echo. */
const noisy = (samples: Int16Array, decibels: number): Int16Array => {
  let energy = 0
  let count = 0
  for (const value of samples) {
    if (Math.abs(value) <= 300) continue
    energy += value * value
    count += 1
  }
  const level = Math.sqrt(energy / count) * 10 ** (-decibels / 20) * 1.6
  let slow = 0
  let quick = 0
  return Int16Array.from(samples, (value, index) => {
    const white = random() * 3.4
    slow = 0.98 * slow + 0.2 * white
    quick = 0.8 * quick + 0.4 * white
    const echo = 0.175 * (samples[index - 900] ?? 0)
    const sum = value + echo + level * 0.7 * (slow + quick + 0.3 * white)
    return Math.max(-32_768, Math.min(32_767, sum))
  })
}

interface Sum {
  count: number
  readonly values: Float64Array
  readonly squares: Float64Array
}

const learnFrom = ({ samples, phones }: SpokenPhones, sums: ReadonlyArray<Sum>): void => {
  for (const { speed, noise } of KINDS) {
    const drawn = speed === 1 ? samples : faster(samples, speed)
    const { values, frames } = cepstraOf(noise === null ? drawn : noisy(drawn, noise))
    for (const { text, start, end } of phones) {
      const phone = PHONES.indexOf(NAMES[text] ?? text.toUpperCase())
      const [from, to] = [start / 1000 / speed, end / 1000 / speed]
      for (
        let frame = Math.max(0, Math.ceil(from * 100 - 1));
        frame < to * 100 - 1 && frame < frames;
        frame++
      ) {
        const share = (frame / 100 + MIDDLE - from) / (to - from)
        const part = Math.max(0, Math.min(STATES_PER_PHONE - 1, Math.floor(STATES_PER_PHONE * share)))
        const sum = sums[phone * STATES_PER_PHONE + part]
        if (sum === undefined) throw new Error(`No such phone: ${text}`)
        sum.count += 1
        for (let index = 0; index < DIMENSIONS; index++) {
          const value = values[frame * DIMENSIONS + index] ?? 0
          sum.values[index] = (sum.values[index] ?? 0) + value
          sum.squares[index] = (sum.squares[index] ?? 0) + value * value
        }
      }
    }
  }
}

const sentences = trainingSentences.slice(0, sized(trainingSentences.length, 12))

const spoken = new Map<Voice, ReadonlyArray<SpokenPhones>>()
const speechOf = (voice: Voice) => {
  const known = spoken.get(voice) ?? sentences.map((sentence) => spokenPhones(voice, sentence))
  spoken.set(voice, known)
  return known
}

/** The bytes of a model of these voices. The same voices give the same bytes. */
export const trainSoundModel = (voices: ReadonlyArray<Voice>): Uint8Array => {
  state = 7
  const sums = Array.from(
    { length: PHONES.length * STATES_PER_PHONE },
    (): Sum => ({
      count: 0,
      values: new Float64Array(DIMENSIONS),
      squares: new Float64Array(DIMENSIONS),
    }),
  )
  for (const voice of voices) for (const speech of speechOf(voice)) learnFrom(speech, sums)
  const likeOf = (phone: string): string => {
    const own = sums[PHONES.indexOf(phone) * STATES_PER_PHONE]
    return own !== undefined && own.count > 0
      ? phone
      : (Object.entries(LIKE).find(([rare]) => rare === phone)?.[1] ?? phone)
  }
  return packSoundModel(
    PHONES.flatMap((phone) =>
      Array.from({ length: STATES_PER_PHONE }, (_, part) => {
        const {
          count = 1,
          values = [],
          squares = [],
        } = sums[PHONES.indexOf(likeOf(phone)) * STATES_PER_PHONE + part] ?? {}
        const mean = Array.from(values, (value) => value / count)
        const variance = Array.from(squares, (square, index) =>
          Math.max(LEAST_VARIANCE, square / count - (mean[index] ?? 0) ** 2),
        )
        return { mean, variance }
      }),
    ),
  )
}
