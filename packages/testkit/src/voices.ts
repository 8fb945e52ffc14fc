import type { Turn } from "@earmark/core/transcripts"
import { seededRandom } from "./random.js"

export interface ConversationOptions {
  readonly seed?: number
  readonly speakers?: number
  readonly turns?: number
  /** Seconds of a turn, at least and at most. */
  readonly seconds?: readonly [number, number]
  /** Level of white noise under it all, of full scale. */
  readonly noise?: number
}

const RATE = 16_000
const PAUSE = 0.45
/** Sounds of real speech last about this long, in seconds. */
const SOUND = 0.08
/** The first three resonances of some vowels of a middling throat, in hertz. */
const VOWELS = [
  [730, 1090, 2440],
  [270, 2290, 3010],
  [300, 870, 2240],
  [530, 1840, 2480],
  [570, 840, 2410],
  [440, 1020, 2240],
  [490, 1350, 1690],
] as const
const BANDWIDTHS = [70, 110, 170] as const

interface Throat {
  readonly pitch: number
  /** Longer throats sound lower. */
  readonly stretch: number
  readonly breath: number
}

const throatOf = (speaker: number): Throat => ({
  pitch: 95 + 43 * speaker,
  stretch: 0.84 + 0.11 * speaker,
  breath: 0.02 + 0.03 * (speaker % 3),
})

/** One resonance, as a filter over two samples. */
const makeResonance = (hertz: number, bandwidth: number) => {
  const radius = Math.exp((-Math.PI * bandwidth) / RATE)
  const back = 2 * radius * Math.cos((2 * Math.PI * hertz) / RATE)
  const gain = 1 - back + radius * radius
  let [last, before] = [0, 0]
  return (value: number): number => {
    const out = gain * value + back * last - radius * radius * before
    before = last
    last = out
    return out
  }
}

/** Vowel after vowel through one throat. */
const speak = (throat: Throat, seconds: number, random: () => number): Float64Array => {
  const samples = new Float64Array(Math.round(seconds * RATE))
  let phase = 0
  for (let at = 0; at < samples.length; ) {
    const vowel = VOWELS[Math.floor(random() * VOWELS.length)] ?? VOWELS[0]
    const length = Math.min(samples.length - at, Math.round(SOUND * RATE * (0.6 + random())))
    const pitch = throat.pitch * (0.9 + 0.2 * random())
    const resonances = vowel.map((hertz, index) =>
      makeResonance(hertz * throat.stretch, BANDWIDTHS[index] ?? 100),
    )
    for (let offset = 0; offset < length; offset++) {
      phase += pitch / RATE
      const pulse = phase >= 1 ? 1 : 0
      phase -= pulse
      const edge = Math.min(1, offset / 160, (length - offset) / 160)
      const source = pulse + throat.breath * (random() - 0.5)
      samples[at + offset] = edge * resonances.reduce((value, resonance) => resonance(value), source)
    }
    at += length
  }
  const loudest = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9)
  return samples.map((value) => (value / loudest) * 0.5)
}

/** People who take turns, vowel by vowel, in 16 kHz mono samples, with who speaks when in milliseconds. The same for the same seed. */
export const conversation = ({
  seed = 1,
  speakers = 2,
  turns = 12,
  seconds: [least, most] = [3, 7],
  noise = 0.0005,
}: ConversationOptions = {}): { readonly samples: Int16Array; readonly turns: ReadonlyArray<Turn> } => {
  const random = seededRandom(seed)
  const spoken: Array<{ readonly at: number; readonly sound: Float64Array }> = []
  const reference: Array<Turn> = []
  let at = Math.round(PAUSE * RATE)
  let speaker = 0
  for (let turn = 0; turn < turns; turn++) {
    if (turn > 0 && speakers > 1) speaker = (speaker + 1 + Math.floor(random() * (speakers - 1))) % speakers
    const sound = speak(throatOf(speaker), least + random() * (most - least), random)
    spoken.push({ at, sound })
    reference.push({ start: at / 16, end: (at + sound.length) / 16, speaker: `${speaker}` })
    at += sound.length + Math.round(PAUSE * RATE)
  }
  const samples = new Int16Array(at).map(() => (random() - 0.5) * 2 * noise * 32_767)
  for (const { at: from, sound } of spoken) {
    for (let index = 0; index < sound.length; index++) {
      samples[from + index] = (samples[from + index] ?? 0) + (sound[index] ?? 0) * 32_767
    }
  }
  return { samples, turns: reference }
}
