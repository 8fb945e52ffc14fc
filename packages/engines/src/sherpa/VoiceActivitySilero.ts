import { createRequire } from "node:module"
import { basename } from "node:path"
import { type SpeechSpan, VoiceActivity, type WorkFailed } from "@earmark/service"
import { Effect, Layer } from "effect"
import { broken } from "../failures.js"
import { isThere } from "../files.js"
import { findModel } from "../models/catalogue.js"
import { sha256Of } from "../models/pullFile.js"
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
  readonly isDetected: () => boolean
  readonly front: (external: boolean) => { readonly start: number; readonly samples: Float32Array }
  readonly pop: () => void
  readonly flush: () => void
}

const RATE = 16
const WINDOW = 512
const BUFFER_SECONDS = 60
/** Speech without a pause is told of in parts of so many windows: half a minute. */
const LONGEST = Math.round((30_000 * RATE) / WINDOW)
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

/** Whether a file is the model that the catalogue pins, which is known to load. */
const isPinned = (path: string): Effect.Effect<boolean> =>
  sha256Of(path).pipe(
    Effect.map((sha256) => findModel("silero-vad")?.files.some((file) => file.sha256 === sha256) === true),
    Effect.orElseSucceed(() => false),
  )

/** The model hears whole windows; what is left over waits for the next samples. */
const listenWith = (detector: Detector) => {
  const window = new Float32Array(WINDOW)
  let filled = 0
  /** For how many windows somebody has been speaking. */
  let lasted = 0

  const drain = (): ReadonlyArray<SpeechSpan> => {
    const spans: Array<SpeechSpan> = []
    for (; !detector.isEmpty(); detector.pop()) {
      const { start, samples } = detector.front(false)
      spans.push({ start: Math.round(start / RATE), end: Math.round((start + samples.length) / RATE) })
    }
    return spans
  }

  const push = (samples: Int16Array): ReadonlyArray<SpeechSpan> => {
    const spans: Array<SpeechSpan> = []
    for (let at = 0; at < samples.length; ) {
      const count = Math.min(samples.length - at, WINDOW - filled)
      for (let to = filled; to < filled + count; to++, at++) window[to] = (samples[at] ?? 0) / 32_768
      filled = (filled + count) % WINDOW
      if (filled > 0) break
      detector.acceptWaveform(window)
      lasted = detector.isDetected() ? lasted + 1 : 0
      if (lasted === LONGEST) {
        detector.flush()
        lasted = 0
      }
      spans.push(...drain())
    }
    return spans
  }

  const finish = (): ReadonlyArray<SpeechSpan> => {
    const spans = filled === 0 ? [] : push(new Int16Array(WINDOW - filled))
    detector.flush()
    return [...spans, ...drain()]
  }

  return { push, finish }
}

/**
 * Speech by the Silero model, in this process. A child has loaded a model that is not that of the catalogue before, for a broken one ends
 * the process that loads it.
 */
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
      if (!(yield* isPinned(model)))
        yield* Effect.scoped(
          forkEngine({ engine, program: PROGRAM, settings: { module, config }, read: () => null }),
        )
      const { Vad } = createRequire(import.meta.url)(module)
      return VoiceActivity.of({
        id: `silero-2 ${basename(model)}`,
        warnings: [],
        open: Effect.sync(() => listenWith(new Vad(config, BUFFER_SECONDS))),
      })
    }),
  )
