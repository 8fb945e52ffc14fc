import type { ChildEngine } from "../pool/childEngine.js"

/** Where the native package is, and the files of the models. */
interface SpeakersSettings {
  readonly module: string
  readonly embedding: string
  /** Null: speech is cut evenly. */
  readonly segmentation: string | null
}

interface Part {
  readonly start: number
  readonly end: number
}

interface Extractor {
  readonly createStream: () => {
    readonly acceptWaveform: (sound: { readonly samples: Float32Array; readonly sampleRate: number }) => void
    readonly inputFinished: () => void
  }
  readonly isReady: (stream: ReturnType<Extractor["createStream"]>) => boolean
  readonly compute: (stream: ReturnType<Extractor["createStream"]>, external: boolean) => Float32Array
}

interface Diarization {
  readonly process: (samples: Float32Array) => ReadonlyArray<Part>
}

/**
 * The voices in a window, inside the child: for each stretch of it what the model makes of the voice. With a model of segments it says where
 * voices change; else a stretch is three quarters of a second, heard with as much again around it. It uses nothing from outside itself;
 * see `serveEngine`.
 */
export const speakersEngine = (load: NodeJS.Require): ChildEngine => {
  const rate = 16_000
  const hop = 0.75
  const around = 0.375
  const longest = 3
  const shortest = 0.4
  let extractor: Extractor | undefined
  let diarization: Diarization | null = null

  const evenly = ({ start, end }: Part, length: number): ReadonlyArray<Part> => {
    const count = Math.max(1, Math.round((end - start) / length))
    const step = (end - start) / count
    return Array.from({ length: count }, (_, at) => ({
      start: start + at * step,
      end: start + (at + 1) * step,
    }))
  }

  const partsOf = (samples: Float32Array): ReadonlyArray<Part & { readonly heard: Part }> => {
    const whole = { start: 0, end: samples.length / rate }
    if (diarization === null) {
      return evenly(whole, hop).map((part) => ({
        ...part,
        heard: { start: Math.max(0, part.start - around), end: Math.min(whole.end, part.end + around) },
      }))
    }
    return [...diarization.process(samples)]
      .sort((left, right) => left.start - right.start)
      .flatMap((part) => evenly(part, longest))
      .map((part) => ({ ...part, heard: part }))
  }

  return {
    load: async (given) => {
      const settings: SpeakersSettings = Object.assign(
        { module: "", embedding: "", segmentation: null },
        given,
      )
      const { SpeakerEmbeddingExtractor, OfflineSpeakerDiarization } = load(settings.module)
      const embedding = { model: settings.embedding, numThreads: 1, provider: "cpu", debug: 0 }
      extractor = new SpeakerEmbeddingExtractor(embedding)
      if (settings.segmentation === null) return
      diarization = new OfflineSpeakerDiarization({
        segmentation: {
          pyannote: { model: settings.segmentation },
          numThreads: 1,
          provider: "cpu",
          debug: 0,
        },
        embedding,
        clustering: { numClusters: -1, threshold: 0.5 },
        minDurationOn: 0.2,
        minDurationOff: 0.5,
      })
    },
    recognize: async (window) => {
      if (extractor === undefined) throw new Error("No model is loaded.")
      const samples = Float32Array.from(window, (value) => value / 32_768)
      const prints: Array<Part & { readonly vector: Float32Array }> = []
      for (const { start, end, heard } of partsOf(samples)) {
        if (heard.end - heard.start < shortest) continue
        const stream = extractor.createStream()
        const sound = samples.slice(Math.floor(heard.start * rate), Math.floor(heard.end * rate))
        stream.acceptWaveform({ samples: sound, sampleRate: rate })
        stream.inputFinished()
        if (!extractor.isReady(stream)) continue
        // A copy: memory of another owner does not survive the message.
        prints.push({ start, end, vector: Float32Array.from(extractor.compute(stream, false)) })
      }
      return prints
    },
  }
}
