import { dirname } from "node:path"
import { exportFormatNames } from "@earmark/core/captions/formats"
import { effectiveOptions } from "@earmark/core/jobs"
import { makePrivateFolder } from "@earmark/runtime/privateFolder"
import { type Defaults, defaultsPath } from "@earmark/runtime/user"
import { Effect } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import { canAsk, dialogue, isYes } from "../consent.js"
import { readDefaults } from "../defaults.js"
import { note, print, printable, writeFile } from "../output.js"
import { readAsked } from "../transcribe/readAsked.js"
import { loadEngines, settingsOf } from "./models.js"
import { pullProgress } from "./pullProgress.js"

interface Question {
  readonly name: "language" | "format" | "output"
  readonly text: string
  readonly example: string
  /** Why an answer will not do. */
  readonly check: (answer: string) => Effect.Effect<unknown, CommandFailed>
}

const QUESTIONS: ReadonlyArray<Question> = [
  {
    name: "language",
    text: "Which language is spoken most? A code such as en or de",
    example: "en",
    check: (language) => readAsked({ language }),
  },
  {
    name: "format",
    text: `Which format do you want? ${exportFormatNames.join(", ")}; several with commas between`,
    example: "srt",
    check: (format) => readAsked({ format }),
  },
  {
    name: "output",
    text: "Where do results go? A folder such as transcripts/",
    example: "transcripts/",
    check: () => Effect.void,
  },
]

const NONE = "none"

type Ask = Effect.Effect.Success<typeof dialogue>

const stopped = failed("Stopped. Nothing was written.")

/** Asks until the answer will do. The enter key alone keeps what is set. */
const answerTo = (
  ask: Ask,
  { text, check }: Question,
  current: string | undefined,
): Effect.Effect<string | undefined, CommandFailed> =>
  Effect.gen(function* () {
    for (;;) {
      const given = yield* ask(`? ${text} [${printable(current ?? NONE)}] › `)
      if (given === null) return yield* stopped
      const answer = given.trim()
      if (answer === "") return current
      if (answer === NONE) return undefined
      const problem = yield* check(answer).pipe(
        Effect.as(null),
        Effect.catchAll(({ message }) => Effect.succeed(message)),
      )
      if (problem === null) return answer
      yield* note(problem)
    }
  })

/** The models that are missing for what was chosen; where there are none, why nothing transcribes it all the same. */
const missingModels = Effect.fnUntraced(function* (language: string | undefined) {
  const engines = yield* loadEngines
  const settings = yield* settingsOf(engines)
  const getting = yield* engines.loadGetting
  const { quality } = effectiveOptions({})
  const { models, trouble } = yield* getting.modelsFor(settings, { language: language ?? null, quality })
  return { getting, folder: settings.modelsDir, models, trouble }
})

const getModels = Effect.fnUntraced(function* (ask: Ask, language: string | undefined) {
  const { getting, folder, models, trouble } = yield* missingModels(language)
  if (models.length === 0)
    return yield* note(trouble ?? "No models to download. `earmark doctor` shows what transcribes here.")
  const ids = models.map(({ id }) => id).join(" ")
  if (!isYes(yield* ask(`? Download ${getting.describeDownload(models)} now? (Y/n) › `)))
    return yield* note(`Not downloaded. \`earmark models pull ${ids}\` does it later.`)
  for (const model of models) {
    const onProgress = yield* pullProgress(model.id)
    yield* Effect.mapError(getting.getModel(folder, model, { onProgress }), ({ message }) => failed(message))
  }
})

const writeDefaults = Effect.fnUntraced(function* (path: string, defaults: Defaults) {
  yield* Effect.try({
    try: () => makePrivateFolder(dirname(path)),
    catch: (cause) => failed(`Could not make ${dirname(path)}: ${String(cause)}.`),
  })
  yield* writeFile(path, [`${JSON.stringify(defaults, null, 2)}\n`])
  yield* note(`Wrote ${path}. Options on the command line win over it.`)
})

/** What would be asked, and how to say the same without a terminal. */
const explain = Effect.fnUntraced(function* (path: string, defaults: Defaults) {
  const { models, trouble } = yield* missingModels(defaults.language)
  const ids = models.map(({ id }) => id).join(" ")
  const lines = QUESTIONS.map(
    ({ name, text, example }) =>
      `${text}.\n  In ${path}: {"${name}": "${example}"}. Now: ${printable(defaults[name] ?? NONE)}\n`,
  )
  const download =
    ids === ""
      ? `${trouble ?? "No models to download."}\n`
      : `Download models now?\n  earmark models pull ${ids}\n`
  yield* print(`earmark setup asks these questions on a terminal.\n${lines.join("")}${download}`)
  return yield* usage("Nothing was changed: earmark setup needs a terminal.")
})

export const setup = () =>
  Effect.gen(function* () {
    const path = yield* defaultsPath
    const before = yield* readDefaults
    if (!canAsk()) return yield* explain(path, before)
    const ask = yield* dialogue
    const answers: Partial<Record<Question["name"], string>> = {}
    for (const question of QUESTIONS) {
      const answer = yield* answerTo(ask, question, before[question.name])
      if (answer !== undefined) answers[question.name] = answer
    }
    const { language: _, format: _f, output: _o, ...others } = before
    yield* writeDefaults(path, { ...others, ...answers })
    yield* getModels(ask, answers.language)
  }).pipe(Effect.scoped)
