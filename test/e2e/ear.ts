/** Recordings through everything from the file on, with the models of a folder. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeWav } from "@earmark/core/audio"
import type { Word } from "@earmark/core/transcripts"
import { layer as sherpa, sherpaModels, VoiceActivitySilero } from "@earmark/engines/sherpa"
import { DecoderConfig, MediaDecoderFfmpeg } from "@earmark/media"
import { makeTranscribeAlone, type Span, TranslatorNone, WriterExtractive } from "@earmark/service"
import { Effect, Layer } from "effect"
import { noCheckpoints, noDiarizer, noLinks, plainOptions } from "../servers/standIns.js"

export interface HeardRecording {
  readonly text: string
  readonly words: ReadonlyArray<Word>
  readonly spans: ReadonlyArray<Span>
  readonly lost: number
  /** Voice without words, as the integrity report tells. */
  readonly gaps: ReadonlyArray<{ readonly start: number; readonly end: number }>
}

const options = { ...plainOptions, summary: false, chapters: false, translateTo: null } as const

/** An ear over the models of a folder: the engine's process is started once. */
export const withEar = async <A>(
  models: string,
  model: string,
  work: (hear: (samples: Int16Array) => Promise<HeardRecording>) => Promise<A>,
): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-bench-"))
  const found = sherpaModels(models).filter(({ id }) => id === model)
  const voice = VoiceActivitySilero.layer({ model: join(models, "silero-vad", "silero_vad_v6.onnx") })
  const program = Effect.gen(function* () {
    const { transcribe } = yield* makeTranscribeAlone
    let count = 0
    const hear = (samples: Int16Array) => {
      const spans: Array<Span> = []
      const path = join(folder, `${count++}.wav`)
      writeFileSync(path, writeWav(samples))
      const checkpoints = {
        ...noCheckpoints,
        save: (span: Span) => Effect.sync(() => void spans.push(span)),
      }
      return transcribe({ type: "file", path }, options, { checkpoints }).pipe(
        Effect.map(({ content, integrity }) => ({
          text: content.segments.map(({ text }) => text).join(" "),
          words: content.segments.flatMap(({ words }) => words),
          spans,
          gaps: integrity?.gaps ?? [],
          lost: spans.filter(({ notes }) => notes?.warnings.some(({ code }) => code === "speech_lost"))
            .length,
        })),
        Effect.scoped,
        Effect.provide(services),
        Effect.runPromise,
      )
    }
    const services = yield* Effect.context<Effect.Effect.Context<typeof makeTranscribeAlone>>()
    return yield* Effect.promise(() => work(hear))
  })
  try {
    return await program.pipe(
      Effect.provide(
        Layer.mergeAll(
          sherpa({ models: found }),
          noDiarizer,
          noLinks,
          WriterExtractive.layer,
          TranslatorNone.layer,
          MediaDecoderFfmpeg.layerFiles.pipe(Layer.provide(Layer.merge(voice, DecoderConfig.layer()))),
        ),
      ),
      Effect.runPromise,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
