import type { ChildEngine } from "../pool/childEngine.js"

/** Where the native package is, and what its recogniser is made with. */
interface SherpaSettings {
  readonly module: string
  readonly config: unknown
}

interface Recognizer {
  readonly createStream: () => {
    readonly acceptWaveform: (sound: { readonly samples: Float32Array; readonly sampleRate: number }) => void
  }
  readonly decodeAsync: (stream: ReturnType<Recognizer["createStream"]>) => Promise<unknown>
}

/** sherpa-onnx inside its child: a broken model ends the process it is loaded in. It uses nothing from outside itself; see `serveEngine`. */
export const sherpaEngine = (load: NodeJS.Require): ChildEngine => {
  let recognizer: Recognizer | undefined
  return {
    load: async (given) => {
      const settings: SherpaSettings = Object.assign({ module: "", config: null }, given)
      recognizer = await load(settings.module).OfflineRecognizer.createAsync(settings.config)
    },
    recognize: async (window) => {
      if (recognizer === undefined) throw new Error("No model is loaded.")
      const stream = recognizer.createStream()
      // A loop: `Float32Array.from` takes fifteen times as long.
      const samples = new Float32Array(window.length)
      for (let at = 0; at < window.length; at++) samples[at] = (window[at] ?? 0) / 32_768
      stream.acceptWaveform({ samples, sampleRate: 16_000 })
      return recognizer.decodeAsync(stream)
    },
  }
}

/** Loads a voice detector once, to see whether its model can be loaded at all. */
export const sherpaVoiceProbe = (load: NodeJS.Require): ChildEngine => ({
  load: async (given) => {
    const settings: SherpaSettings = Object.assign({ module: "", config: null }, given)
    const { Vad } = load(settings.module)
    new Vad(settings.config, 1)
  },
  recognize: async () => null,
})
