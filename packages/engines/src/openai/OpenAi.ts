import { writeWav } from "@earmark/core/audio"
import { warningOf } from "@earmark/core/jobs"
import { trimEndOf } from "@earmark/core/text"
import {
  type AudioWindow,
  type EngineCapabilities,
  Fetcher,
  SpeechEngine,
  type WorkFailed,
} from "@earmark/service"
import { Duration, Effect, Layer, Redacted } from "effect"
import { broken, crashed, rejected } from "../failures.js"
import { type Heard, isSilent, nothingHeard, placeWords } from "../heard.js"
import { askServer, type ServerAnswer } from "../http/askServer.js"
import { baseOf } from "../languages.js"
import type { RecognizeOptions } from "../pool/EngineProcess.js"
import { promptOf } from "../prompt.js"
import { SettingNames } from "../SettingNames.js"
import { type Field, multipart } from "./multipart.js"
import { readAnswer } from "./readAnswer.js"

export interface OpenAiOptions {
  /** Where transcriptions are asked for: the base (`https://host/v1`), or the whole address of the endpoint. */
  readonly url: string
  readonly key?: Redacted.Redacted | undefined
  readonly modelFast?: string | undefined
  readonly modelAccurate?: string | undefined
  /** Requests at once. */
  readonly concurrency?: number
  /** How long an answer may take. */
  readonly deadline?: Duration.Duration
  /** Between tries, each ±20 %, where the server does not say how long to wait. */
  readonly delays?: ReadonlyArray<Duration.Duration>
}

const DEFAULT_MODEL = "whisper-1"

/** What is asked for, richest first. A server that refuses one is asked for the next, and from then on for that. */
const RUNGS: ReadonlyArray<ReadonlyArray<Field>> = [
  [
    ["response_format", "verbose_json"],
    ["timestamp_granularities[]", "word"],
    ["timestamp_granularities[]", "segment"],
  ],
  [["response_format", "verbose_json"]],
  [["response_format", "json"]],
]

const endpointOf = (url: string): string =>
  /\/(?:transcriptions|inference)\/?$/.test(url) ? url : `${trimEndOf(url, "/")}/audio/transcriptions`

/** The server's own words, short and on one line. */
const wordsOf = (body: string): string => body.replace(/\s+/g, " ").slice(0, 200)

/** Any server that speaks the protocol of OpenAI's transcription endpoint. */
export const make = (options: OpenAiOptions): Effect.Effect<SpeechEngine["Type"], never, Fetcher> =>
  Effect.gen(function* () {
    const { fetch } = yield* Fetcher
    const names = yield* SettingNames
    const { concurrency = 4, deadline = Duration.minutes(10), delays, key } = options
    const url = endpointOf(options.url)
    const host = new URL(url).host
    const modelFast = options.modelFast ?? options.modelAccurate ?? DEFAULT_MODEL
    const modelAccurate = options.modelAccurate ?? modelFast
    const places = yield* Effect.makeSemaphore(concurrency)
    let rung = 0

    const capabilities: EngineCapabilities = {
      id: "openai",
      model: modelAccurate === modelFast ? modelFast : `${modelFast}, ${modelAccurate}`,
      languages: "any",
      detectsLanguage: true,
      wordTimes: true,
      confidence: true,
      vocabulary: "prompt",
      qualities: modelAccurate === modelFast ? ["accurate"] : ["fast", "accurate"],
      concurrency,
      windows: { longest: 28_000, joinUpTo: 25_000 },
      isDraft: false,
    }

    const ask = (fields: ReadonlyArray<Field>) => {
      const { body, contentType } = multipart(fields)
      const headers = {
        "content-type": contentType,
        accept: "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${Redacted.value(key)}` }),
      }
      return askServer(fetch, { url, method: "POST", headers, body, deadline, delays })
    }

    const fieldsOf = (window: AudioWindow, { language, quality }: RecognizeOptions, prompt: string) => {
      const file: Field = ["file", { filename: "window.wav", bytes: writeWav(window.samples) }]
      const fields: ReadonlyArray<Field> = [
        file,
        ["model", quality === "fast" ? modelFast : modelAccurate],
        ["temperature", "0"],
        ...(language === null ? [] : [["language", baseOf(language)] as const]),
        ...(prompt === "" ? [] : [["prompt", prompt] as const]),
      ]
      return fields
    }

    const refusal = ({ status, body }: ServerAnswer): WorkFailed => {
      if (status === 401 || status === 403)
        return broken(`${host} refused the key (${status}); check ${names.httpKey}.`)
      if (status === 404 || status === 405) {
        return broken(
          `${host} has no transcription endpoint at ${new URL(url).pathname} (${status}); check ${names.httpUrl}.`,
        )
      }
      return rejected(`${host} answered ${status}: ${wordsOf(body)}`)
    }

    const hear = Effect.fnUntraced(function* (window: AudioWindow, asked: RecognizeOptions) {
      const { prompt, isTruncated } = promptOf(asked.vocabulary)
      const fields = fieldsOf(window, asked, prompt)
      let step = rung
      let came = yield* ask([...fields, ...(RUNGS[step] ?? [])])
      while ((came.status === 400 || came.status === 422) && step < RUNGS.length - 1) {
        step += 1
        came = yield* ask([...fields, ...(RUNGS[step] ?? [])])
      }
      if (came.status !== 200) return yield* refusal(came)
      // What worked is what the endpoint knows, whatever another window has found out meanwhile.
      rung = Math.max(rung, step)
      const heard = readAnswer(came.body, window.end - window.start, asked.language === null)
      if (heard === null)
        return yield* crashed(`${host} answered what is no transcription: ${wordsOf(came.body)}`)
      const truncated = isTruncated ? [warningOf("vocabulary_truncated")] : []
      return { ...heard, warnings: [...heard.warnings, ...truncated] }
    })

    return SpeechEngine.of({
      capabilities,
      recognize: Effect.fn("OpenAi.recognize")(function* (window, asked) {
        const heard: Heard = isSilent(window)
          ? nothingHeard
          : yield* places.withPermits(1)(hear(window, asked))
        return yield* placeWords(heard, window)
      }),
    })
  })

export const layer = (options: OpenAiOptions): Layer.Layer<SpeechEngine, never, Fetcher> =>
  Layer.effect(SpeechEngine, make(options))
