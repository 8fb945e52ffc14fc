import { readFile, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { writeWav } from "@earmark/core/audio"
import { warningOf } from "@earmark/core/jobs"
import {
  type AudioWindow,
  type EngineCapabilities,
  SpeechEngine,
  TimeLimit,
  type WorkFailed,
} from "@earmark/service"
import { Duration, Effect, Exit, Layer } from "effect"
import { broken, crashed, languageRefused, tooSlow, unavailable } from "../failures.js"
import { type Heard, isSilent, nothingHeard, placeWords } from "../heard.js"
import { baseOf, knowsLanguage, onlyLanguageOf } from "../languages.js"
import type { RecognizeOptions } from "../pool/EngineProcess.js"
import { processCount } from "../pool/processCount.js"
import { findProgram } from "../programs/findProgram.js"
import { scratchFolder } from "../programs/scratchFolder.js"
import { startProgram } from "../programs/startProgram.js"
import { promptOf } from "../prompt.js"
import { SettingNames } from "../SettingNames.js"
import { makeBatches } from "./batches.js"
import { DEFAULT_COMMAND } from "./defaultCommand.js"
import { readWhisperJson } from "./readJson.js"

export interface WhisperOptions {
  /** The program: a path, or a name to be found on PATH. */
  readonly command?: string
  /** The file of the model (ggml). */
  readonly model: string
  readonly workers?: number | undefined
  /** Windows that one start of the program hears: it loads its model each time. */
  readonly batch?: number
  /** How long the program may take for so many milliseconds of sound. */
  readonly limit?: (milliseconds: number) => Duration.Duration
}

const GIGABYTE = 1024 ** 3
const LOADING = 120_000
const defaultLimit = (milliseconds: number) => Duration.millis(LOADING + Math.max(30_000, 20 * milliseconds))

const FLAGS = { fast: ["-nf", "-bs", "1", "-bo", "1"], accurate: ["-bs", "5", "-bo", "5"] }

export const isEnglishOnly = (model: string): boolean => /\.en[.-]/.test(basename(model))

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? ""

/** The binary of whisper.cpp, run for a few windows at a time. */
export const make = (options: WhisperOptions): Effect.Effect<SpeechEngine["Type"], WorkFailed> =>
  Effect.gen(function* () {
    const { command = DEFAULT_COMMAND, model, batch = 8, limit = defaultLimit } = options
    const program = yield* findProgram(command)
    if (program === null) {
      return yield* broken(
        `${command} is not there; build whisper.cpp and set ${(yield* SettingNames).whisperCommand} to its whisper-cli.`,
      )
    }
    const workers = processCount({ needBytes: GIGABYTE, asked: options.workers })
    const languages = isEnglishOnly(model) ? ["en"] : "any"
    const capabilities: EngineCapabilities = {
      id: "whisper",
      model: basename(model).replace(/\.bin$/, ""),
      languages,
      detectsLanguage: languages === "any",
      wordTimes: true,
      confidence: true,
      vocabulary: "prompt",
      qualities: ["fast", "accurate"],
      concurrency: workers * batch,
      windows: { longest: 28_000, joinUpTo: 25_000 },
      isDraft: false,
    }

    const argumentsOf = (
      { language, quality, vocabulary }: RecognizeOptions,
      files: ReadonlyArray<string>,
    ) => {
      const { prompt } = promptOf(vocabulary)
      const spoken = language === null ? (languages === "any" ? "auto" : "en") : baseOf(language)
      return [
        ...["-m", model, "-l", spoken, "-t", "1", "-ojf", "-np", "-sns"],
        ...FLAGS[quality],
        ...(prompt === "" ? [] : ["--prompt", prompt]),
        ...files.flatMap((file) => ["-f", file]),
      ]
    }

    const read = (file: string, why: string, isDetecting: boolean): Effect.Effect<Heard, WorkFailed> =>
      Effect.gen(function* () {
        const bytes = yield* Effect.tryPromise({
          try: () => readFile(`${file}.json`),
          catch: () => crashed(why),
        })
        const found = readWhisperJson(bytes)
        if (found === null) return yield* crashed(`${command} wrote what is no transcription.`)
        const { words, language } = found
        return {
          words,
          language: isDetecting && language !== null ? { code: baseOf(language), confidence: 1 } : null,
          warnings: [],
        }
      })

    const run = Effect.fnUntraced(function* (windows: ReadonlyArray<AudioWindow>, asked: RecognizeOptions) {
      const folder = yield* scratchFolder("whisper")
      const files = windows.map((_, at) => join(folder, `w${at}.wav`))
      yield* Effect.tryPromise({
        try: () =>
          Promise.all(windows.map(({ samples }, at) => writeFile(files[at] ?? "", writeWav(samples)))),
        catch: (error) => unavailable(`A window cannot be written: ${String(error)}.`),
      })
      const duration = limit(windows.reduce((sum, { start, end }) => sum + end - start, 0))
      const running = yield* startProgram(program, argumentsOf(asked, files)).pipe(
        Effect.mapError(({ message }) => unavailable(message)),
      )
      const { code, signal } = yield* running.ended.pipe(
        TimeLimit.fail({
          duration,
          onTimeout: () => tooSlow(`${command} took more than ${Duration.format(duration)}.`),
        }),
      )
      const why = `${command} ended (${signal ?? `exit ${code}`}): ${lastLine(running.lastWords())}`
      return yield* Effect.forEach(files, (file) => Effect.exit(read(file, why, asked.language === null)))
    }, Effect.scoped)

    const batches = yield* makeBatches<RecognizeOptions>(workers, batch, (windows, asked) =>
      run(windows, asked).pipe(
        Effect.catchAll((failure) => Effect.succeed(windows.map(() => Exit.fail(failure)))),
      ),
    )

    return SpeechEngine.of({
      capabilities,
      recognize: Effect.fn("WhisperCpp.recognize")(function* (window, asked) {
        const { language, vocabulary, quality } = asked
        if (language !== null && !knowsLanguage(languages, language)) {
          return yield* languageRefused(capabilities.id, language)
        }
        const name = JSON.stringify([language, quality, vocabulary])
        const heard = isSilent(window) ? nothingHeard : yield* batches.hear(window, name, asked)
        const warnings = [
          ...(promptOf(vocabulary).isTruncated ? [warningOf("vocabulary_truncated")] : []),
          ...(language === null && languages !== "any" ? [warningOf("language_guessed")] : []),
        ]
        const spoken = language === null ? (heard.language ?? onlyLanguageOf(languages)) : heard.language
        return yield* placeWords({ ...heard, language: spoken, warnings }, window)
      }),
    })
  })

export const layer = (options: WhisperOptions): Layer.Layer<SpeechEngine, WorkFailed> =>
  Layer.effect(SpeechEngine, make(options))
