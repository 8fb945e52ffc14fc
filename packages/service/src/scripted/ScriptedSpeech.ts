/** Decoder, engine, diarizer and translator that need no programs: text follows from the address of the media. */
import { PEAKS_PER_SECOND } from "@earmark/core/audio"
import { FailureCode } from "@earmark/core/jobs"
import { Effect, Layer, Schema, Stream } from "effect"
import type { JobSource } from "../ports/records.js"
import {
  type AudioWindow,
  Diarizer,
  type EngineCapabilities,
  type Listening,
  type Media,
  MediaDecoder,
  SpeechEngine,
  Translator,
  VoiceActivity,
  WorkFailed,
} from "../ports/Speech.js"
import { numbersOf, shareOf } from "./chance.js"
import { says, secondsOf, valueIn } from "./ScriptedMedia.js"
import { speak } from "./speech.js"

const WINDOW = 28_000
const TURN = 15_000
const SAMPLES = 32

/** How a scripted engine behaves. */
export interface Script {
  /** Milliseconds that a window takes: from, to. */
  readonly delay: readonly [number, number]
  /** The share of calls that fail, and of those that end in a defect. */
  readonly fail: number
  readonly crash: number
  readonly capabilities: Partial<EngineCapabilities>
}

const calm: Script = { delay: [0, 0], fail: 0, crash: 0, capabilities: {} }

const addressOf = (source: JobSource): string => source.mediaUrl ?? source.shown.mediaRef ?? source.link ?? ""

/** Few samples, but other ones for every stretch of every address. Where voices cannot be told apart they are below zero. */
const samplesOf = (address: string, start: number): Int16Array => {
  const numbers = numbersOf(`${address} ${start}`)
  const sign = says(address, "mixed") ? -1 : 1
  return Int16Array.from({ length: SAMPLES }, () => sign * (1 + (numbers.next().value & 0x3fff)))
}

const windowsOf = (address: string, from: number, to: number): ReadonlyArray<AudioWindow> => {
  const windows: Array<AudioWindow> = []
  for (let start = from; start < to; start += WINDOW) {
    const end = Math.min(start + WINDOW, to)
    windows.push({ index: windows.length, start, end, samples: samplesOf(address, start) })
  }
  return windows
}

/** `?recorded`: a waveform as long as the media, and a copy that is its address. */
const recordingOf = (address: string, seconds: number, { record }: Listening): Pick<Media, "recording"> => {
  if (record === undefined || !says(address, "recorded")) return {}
  const bytes = new TextEncoder().encode(address)
  const waveform = Uint8Array.from({ length: seconds * PEAKS_PER_SECOND }, (_, point) => point % 256)
  const copy = record === "never" ? null : { bytes: bytes.length, read: Stream.make(bytes) }
  return { recording: Effect.succeed({ waveform, copy }) }
}

const open = (address: string, listening: Listening) =>
  Effect.suspend(() => {
    const broken = valueIn(address, "broken")
    if (Schema.is(FailureCode)(broken)) {
      const detail = valueIn(address, "why") ?? undefined
      return Effect.fail(new WorkFailed({ code: broken, isTransient: says(address, "transient"), detail }))
    }
    const { startAt, endAt } = listening
    const length = secondsOf(address) * 1000
    const from = startAt ?? 0
    const to = Math.max(from, Math.min(endAt ?? length, length))
    const windows = says(address, "silent") ? [] : windowsOf(address, from, to)
    const media: Media = {
      durationSeconds: says(address, "unknown") ? null : length / 1000,
      fingerprint: address,
      language: valueIn(address, "language"),
      captions: [],
      cut: "scripted",
      warnings: [],
      ...recordingOf(address, length / 1000, listening),
      excerpts: Effect.succeed(
        [0.1, 0.5, 0.9].flatMap((share) => windows[Math.floor(share * windows.length)] ?? []),
      ),
      windows: Stream.fromIterable(windows),
      summary: Effect.succeed({ durationSeconds: (to - from) / 1000, speech: windows, warnings: [] }),
    }
    return Effect.succeed(media)
  })

/** `?broken=unsupported_media` cannot be decoded; `?silent` has nobody speaking. The path of a file is read like an address. */
export const decoder = Layer.succeed(MediaDecoder, {
  open: (source, listening) => open(addressOf(source), listening),
  openFile: open,
})

const bytesOf = ({ buffer, byteOffset, byteLength }: Int16Array) =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Words that follow from the samples alone. Failures come by the number of the call, so that a repeat may succeed. */
export const engine = (script: Partial<Script> = {}) =>
  Layer.sync(SpeechEngine, () => {
    const { delay, fail, crash, capabilities } = { ...calm, ...script }
    let calls = 0
    return SpeechEngine.of({
      capabilities: {
        id: "scripted",
        model: "scripted-1",
        languages: "any",
        detectsLanguage: true,
        wordTimes: true,
        confidence: true,
        vocabulary: "prompt",
        qualities: ["fast", "accurate"],
        concurrency: 2,
        windows: { longest: WINDOW, joinUpTo: 25_000 },
        isDraft: false,
        isStandIn: true,
        ...capabilities,
      },
      recognize: Effect.fnUntraced(function* (window, options) {
        const call = `${++calls}`
        const [from, to] = delay
        if (to > 0) yield* Effect.sleep(from + shareOf(`delay ${call}`) * (to - from))
        const share = shareOf(`outcome ${call}`)
        if (share < crash) return yield* Effect.dieMessage("The scripted engine crashed")
        if (share < crash + fail) return yield* new WorkFailed({ code: "engine_error", isTransient: true })
        return {
          words: speak(bytesOf(window.samples), window.start, window.end),
          language: { code: options.language ?? "en", confidence: 0.95 },
          warnings: [],
        }
      }),
    })
  })

/** Two people who take turns; `?mixed` cannot be told apart. */
export const diarizer = Layer.succeed(Diarizer, {
  id: "scripted",
  open: () =>
    Effect.sync(() => {
      let length = 0
      let isMixed = false
      return {
        hear: ({ end, samples }) =>
          Effect.sync(() => {
            length = end
            isMixed = isMixed || samples.some((sample) => sample < 0)
          }),
        turns: Effect.suspend(() =>
          isMixed
            ? Effect.fail(new WorkFailed({ code: "engine_error", isTransient: false }))
            : Effect.succeed(
                Array.from({ length: Math.ceil(length / TURN) }, (_, index) => ({
                  start: index * TURN,
                  end: Math.min((index + 1) * TURN, length),
                  speaker: index % 2 === 0 ? "A" : "B",
                })),
              ),
        ),
      }
    }),
})

/** Every text with its language before it; `xx` is a language that nobody knows. */
export const translator = Layer.succeed(Translator, {
  id: "scripted",
  translate: (texts, { to }) =>
    to === "xx"
      ? Effect.fail(new WorkFailed({ code: "engine_error", isTransient: false }))
      : Effect.succeed(texts.map((text) => `[${to}] ${text}`)),
})

const PER_SECOND = 16_000

/** Somebody speaks all the time, whatever the sound is: a script hears words in anything. */
export const voice = Layer.succeed(VoiceActivity, {
  id: "scripted-1",
  warnings: [],
  open: Effect.sync(() => {
    let heard = 0
    let told = 0
    const tell = (until: number) => {
      const spans: Array<{ readonly start: number; readonly end: number }> = []
      for (; told < until; told += PER_SECOND) {
        spans.push({ start: told / 16, end: Math.min(told + PER_SECOND, until) / 16 })
      }
      return spans
    }
    return {
      push: (samples: Int16Array) => {
        heard += samples.length
        return tell(heard - (heard % PER_SECOND))
      },
      finish: () => tell(heard),
    }
  }),
})
