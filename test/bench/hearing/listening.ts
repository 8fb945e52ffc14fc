// What one engine makes of files: through everything from the file on, and the bare engine on the same windows.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import type { Turn, Word } from "@earmark/core/transcripts"
import * as Classical from "@earmark/engines/diarize"
import { layer as pocketsphinx } from "@earmark/engines/pocketsphinx"
import { type SherpaModel, layer as sherpa, sherpaModels, VoiceActivitySilero } from "@earmark/engines/sherpa"
import { DecoderConfig, MediaDecoderFfmpeg } from "@earmark/media"
import { MediaDecoder, makeTranscriber, SpeechEngine, VoiceActivityEnergy } from "@earmark/service"
import { Duration, Effect, Layer, Stream } from "effect"
import { noCheckpoints, plainOptions } from "../../servers/standIns.js"

const folder = process.env.EARMARK_MODELS_DIR ?? join(homedir(), ".cache", "earmark", "models")

const POCKETSPHINX = "pocketsphinx"

const isWhole = ({ files: { kind: _, ...paths }, tokens }: SherpaModel): boolean =>
  [...Object.values(paths), tokens].every((path) => existsSync(path))

const present = (): ReadonlyArray<SherpaModel> => sherpaModels(folder).filter(isWhole)

/** The engines that can be run here: every model that was pulled, and pocketsphinx. */
export const engineNames = (): ReadonlyArray<string> => [...present().map(({ id }) => id), POCKETSPHINX]

const modelOf = (name: string): SherpaModel | undefined => present().find(({ id }) => id === name)

const engineOf = (name: string) => {
  const model = modelOf(name)
  return model === undefined ? pocketsphinx({ workers: 1 }) : sherpa({ models: [model], workers: 1 })
}

const silero = join(folder, "silero-vad", "silero_vad_v6.onnx")

const voice = existsSync(silero) ? VoiceActivitySilero.layer({ model: silero }) : VoiceActivityEnergy.layer

const world = (name: string) =>
  Layer.mergeAll(
    engineOf(name),
    Classical.layer,
    MediaDecoderFfmpeg.layerFiles.pipe(Layer.provide(Layer.merge(voice, DecoderConfig.layer()))),
  )

const asked = { ...plainOptions, qualityExplicit: true }

const open = Effect.fnUntraced(function* (path: string) {
  const { openFile } = yield* MediaDecoder
  const { windowsFor, capabilities } = yield* SpeechEngine
  const windows = windowsFor?.(asked) ?? capabilities.windows
  return yield* openFile(path, { ...asked, windows, maxSeconds: null })
})

/** A file to hear, and whether its speakers are wanted. */
export interface Order {
  readonly path: string
  readonly diarize: boolean
}

export interface Found {
  readonly words: ReadonlyArray<Pick<Word, "text" | "start">>
  readonly turns: ReadonlyArray<Turn>
  readonly lostSeconds: number
  readonly seconds: number
}

export interface Listened {
  readonly found: ReadonlyArray<Found>
  /** Milliseconds that the process did not turn to anything else: of a hundred times at most once longer, and the longest. */
  readonly pause: { readonly p99: number; readonly longest: number }
}

const RESOLUTION = 5

const readOrders = (list: string): ReadonlyArray<Order> => JSON.parse(readFileSync(list, "utf8"))

const secondsOf = (spans: ReadonlyArray<{ readonly start: number; readonly end: number }>) =>
  spans.reduce((sum, { start, end }) => sum + end - start, 0) / 1000

/** Files one after the other, as `earmark transcribe` hears several. */
export const listen = (name = "", list = ""): Promise<Listened> =>
  Effect.gen(function* () {
    const { transcribe } = yield* makeTranscriber({ windowTimeout: Duration.minutes(5) })
    const delay = monitorEventLoopDelay({ resolution: RESOLUTION })
    delay.enable()
    const found = yield* Effect.forEach(readOrders(list), ({ path, diarize }) =>
      Effect.gen(function* () {
        const heard = yield* transcribe(yield* open(path), { ...asked, diarize }, noCheckpoints)
        const result: Found = {
          words: heard.words.map(({ text, start }) => ({ text, start })),
          turns: (yield* heard.turns) ?? [],
          lostSeconds: secondsOf(heard.lost),
          seconds: heard.durationSeconds,
        }
        return result
      }).pipe(Effect.scoped),
    )
    const longer = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION)
    return { found, pause: { p99: longer(delay.percentile(99)), longest: longer(delay.max) } }
  }).pipe(Effect.provide(world(name)), Effect.runPromise)

const windowFile = (list: string, at: number) => `${list}-${at}.raw`

/** Writes the windows that the engine would be given; answers how many. */
export const cut = (name = "", list = ""): Promise<number> =>
  Effect.gen(function* () {
    let count = 0
    for (const { path } of readOrders(list)) {
      const media = yield* open(path)
      yield* Stream.runForEach(media.windows, ({ samples }) =>
        Effect.sync(() => writeFileSync(windowFile(list, count++), new Uint8Array(samples.slice().buffer))),
      )
    }
    return count
  }).pipe(Effect.scoped, Effect.provide(world(name)), Effect.runPromise)

interface Recognizer {
  readonly createStream: () => {
    readonly acceptWaveform: (sound: { readonly samples: Float32Array; readonly sampleRate: number }) => void
  }
  readonly decode: (stream: ReturnType<Recognizer["createStream"]>) => void
}

/** Whether the bare engine can be run in a process of its own here. The bench `engines` does so for pocketsphinx. */
export const hasBare = (name: string): boolean => modelOf(name)?.files.kind === "moonshineMerged"

/** The engine alone: a process that loads the model and hears the windows, and nothing else. */
export const hearBare = (name = "", list = "", count = "0"): number => {
  const model = modelOf(name)
  if (model?.files.kind !== "moonshineMerged") throw new Error(`${name} cannot be run bare`)
  const { encoder, mergedDecoder } = model.files
  const { OfflineRecognizer }: { OfflineRecognizer: new (config: object) => Recognizer } = createRequire(
    import.meta.url,
  )("sherpa-onnx-node")
  const recognizer = new OfflineRecognizer({
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: {
      moonshine: { encoder, mergedDecoder },
      tokens: model.tokens,
      numThreads: 1,
      provider: "cpu",
      debug: 0,
    },
    decodingMethod: "greedy_search",
  })
  for (let at = 0; at < Number(count); at++) {
    const { buffer, byteOffset, length } = readFileSync(windowFile(list, at))
    const heard = new Int16Array(buffer.slice(byteOffset, byteOffset + length))
    const samples = new Float32Array(heard.length)
    for (let at = 0; at < heard.length; at++) samples[at] = (heard[at] ?? 0) / 32_768
    const stream = recognizer.createStream()
    stream.acceptWaveform({ samples, sampleRate: 16_000 })
    recognizer.decode(stream)
  }
  return Number(count)
}
