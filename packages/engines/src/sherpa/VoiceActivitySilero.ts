import { createRequire } from "node:module"
import { basename } from "node:path"
import { type SpeechSpan, VoiceActivity, type WorkFailed } from "@earmark/service"
import { Effect, Layer } from "effect"
import { broken } from "../failures.js"
import { isThere } from "../files.js"
import { childProgram } from "../pool/childEngine.js"
import { forkEngine } from "../pool/forkEngine.js"
import { findSherpa, INSTALL_SHERPA } from "./findSherpa.js"
import { sherpaVoiceProbe } from "./sherpaChild.js"

export interface SileroOptions {
  /** The file of the model (ONNX). */
  readonly model: string
}

interface Detector {
  readonly acceptWaveform: (samples: Float32Array) => void
  readonly isEmpty: () => boolean
  readonly front: (external: boolean) => { readonly start: number; readonly samples: Float32Array }
  readonly pop: () => void
  readonly flush: () => void
}

const RATE = 16
const WINDOW = 512
const BUFFER_SECONDS = 60
const PROGRAM = childProgram(sherpaVoiceProbe)

const configOf = (model: string) => ({
  sileroVad: {
    model,
    threshold: 0.5,
    minSpeechDuration: 0.2,
    minSilenceDuration: 0.4,
    maxSpeechDuration: 20,
    windowSize: WINDOW,
  },
  sampleRate: 16_000,
  numThreads: 1,
  provider: "cpu",
  debug: 0,
})

/** Samples as the model takes them. A loop: `Float32Array.from` takes fifteen times as long. */
const scaled = (samples: Int16Array): Float32Array => {
  const floats = new Float32Array(samples.length)
  for (let at = 0; at < samples.length; at++) floats[at] = (samples[at] ?? 0) / 32_768
  return floats
}

/** The model hears whole windows; what is left over waits for the next samples. */
const listenWith = (detector: Detector) => {
  let rest = new Int16Array()

  const drain = (): ReadonlyArray<SpeechSpan> => {
    const spans: Array<SpeechSpan> = []
    for (; !detector.isEmpty(); detector.pop()) {
      const { start, samples } = detector.front(false)
      spans.push({ start: Math.round(start / RATE), end: Math.round((start + samples.length) / RATE) })
    }
    return spans
  }

  const push = (samples: Int16Array): ReadonlyArray<SpeechSpan> => {
    const all = new Int16Array(rest.length + samples.length)
    all.set(rest)
    all.set(samples, rest.length)
    const whole = all.length - (all.length % WINDOW)
    const spans: Array<SpeechSpan> = []
    for (let at = 0; at < whole; at += WINDOW) {
      detector.acceptWaveform(scaled(all.subarray(at, at + WINDOW)))
      spans.push(...drain())
    }
    rest = all.slice(whole)
    return spans
  }

  const finish = (): ReadonlyArray<SpeechSpan> => {
    const missing = rest.length === 0 ? 0 : WINDOW - rest.length
    const spans = push(new Int16Array(missing))
    detector.flush()
    return [...spans, ...drain()]
  }

  return { push, finish }
}

/** Speech by the Silero model, in this process; a child has loaded the model before, for a broken one ends the process that loads it. */
export const layer = ({ model }: SileroOptions): Layer.Layer<VoiceActivity, WorkFailed> =>
  Layer.effect(
    VoiceActivity,
    Effect.gen(function* () {
      const module = findSherpa()
      if (module === null) return yield* broken(`sherpa-onnx-node is not installed: ${INSTALL_SHERPA}.`)
      // Without its file the native detector is made all the same, and hears nothing.
      if (!(yield* isThere(model)))
        return yield* broken(`The model ${model} is not there: earmark models pull silero-vad.`)
      const config = configOf(model)
      const engine = "The voice detector"
      yield* Effect.scoped(
        forkEngine({ engine, program: PROGRAM, settings: { module, config }, read: () => null }),
      )
      const { Vad } = createRequire(import.meta.url)(module)
      return VoiceActivity.of({
        id: `silero-1 ${basename(model)}`,
        warnings: [],
        open: Effect.sync(() => listenWith(new Vad(config, BUFFER_SECONDS))),
      })
    }),
  )
