import { basename } from "node:path"
import { type VoicePrint, voicePrintSteps } from "@earmark/core/speakers"
import { Diarizer, inSlices, type SpeakerListener, type WorkFailed } from "@earmark/service"
import { Effect, Layer, Option, Schema } from "effect"
import { broken, explained, rejected } from "../failures.js"
import { isThere } from "../files.js"
import { isSilent } from "../heard.js"
import { childProgram } from "../pool/childEngine.js"
import { forkEngine } from "../pool/forkEngine.js"
import { makeProcessPool, type PoolOptions } from "../pool/ProcessPool.js"
import { findSherpa, INSTALL_SHERPA } from "./findSherpa.js"
import { speakersEngine } from "./speakersChild.js"

export interface SpeakerModels {
  /** The file of a model that tells whose a voice is. */
  readonly embedding: string
  /** The file of one that tells where voices change. */
  readonly segmentation: string | null
}

export interface DiarizerSherpaOptions extends SpeakerModels {
  readonly pool?: Partial<PoolOptions>
}

const PROGRAM = childProgram(speakersEngine)
const NAME = "The speaker model"
const UNUSABLE =
  "A model that tells speakers apart cannot be used; `earmark models verify` finds the faulty file."
const ASKED = { language: null, quality: "fast", vocabulary: [] } as const

const Prints = Schema.Array(
  Schema.Struct({ start: Schema.Number, end: Schema.Number, vector: Schema.instanceOf(Float32Array) }),
)
const decode = Schema.decodeUnknownOption(Prints)

/** A byte for each number is as good to compare, and hours of prints stay small. */
const small = (vector: Float32Array): Int8Array => {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return Int8Array.from(vector, (value) => (largest === 0 ? 0 : Math.round((value * 127) / largest)))
}

/** The prints of a window on the timeline of the media. */
const readPrints = (answer: unknown, from: number): ReadonlyArray<VoicePrint> | null =>
  Option.getOrNull(decode(answer))?.map(({ start, end, vector }) => ({
    start: from + Math.round(start * 1000),
    end: from + Math.round(end * 1000),
    vector: small(vector),
  })) ?? null

const attempt = <A>(what: () => A): Effect.Effect<A, WorkFailed> =>
  Effect.try({ try: what, catch: (error) => rejected(`The voices cannot be compared: ${String(error)}.`) })

/**
 * Tells speakers apart by models that know voices, in a process of its own: a broken model ends that process, and the speakers of a
 * recording stay unknown. A recording takes some fifty kilobytes for each minute.
 */
export const layer = ({
  embedding,
  segmentation,
  pool: overrides,
}: DiarizerSherpaOptions): Layer.Layer<Diarizer, WorkFailed> =>
  Layer.scoped(
    Diarizer,
    Effect.gen(function* () {
      const module = findSherpa()
      if (module === null) return yield* broken(`sherpa-onnx-node is not installed: ${INSTALL_SHERPA}.`)
      for (const path of [embedding, ...(segmentation === null ? [] : [segmentation])]) {
        if (!(yield* isThere(path)))
          return yield* broken(`The model file ${path} is not there: earmark models list.`)
      }
      const pool = yield* makeProcessPool(
        NAME,
        () =>
          forkEngine({
            engine: NAME,
            program: PROGRAM,
            settings: { module, embedding, segmentation },
            read: (answer, { start }) => readPrints(answer, start),
          }),
        { ...overrides, size: 1 },
      )

      return Diarizer.of({
        id: ["sherpa-1", basename(embedding), segmentation === null ? "" : basename(segmentation)].join(" "),
        open: (range) =>
          Effect.sync((): SpeakerListener => {
            const prints: Array<VoicePrint> = []
            return {
              hear: (window) =>
                isSilent(window)
                  ? Effect.void
                  : pool.recognize(NAME, window, ASKED).pipe(
                      Effect.map((found) => prints.push(...found)),
                      Effect.asVoid,
                      Effect.mapError((failure) => explained(failure, UNUSABLE)),
                    ),
              turns: Effect.suspend(() => inSlices(voicePrintSteps(prints, range), attempt)),
            }
          }),
      })
    }),
  )
