import { cleanText } from "@earmark/core/text"
import { type Fetcher, Translator, type WorkFailed } from "@earmark/service"
import { Effect, Either, Layer, Schema } from "effect"
import { crashed, explained } from "../failures.js"
import { cutLines, dataLine, halvesOf } from "../lines.js"
import { LineNumber } from "./answerSchema.js"
import { type ChatEndpoint, type ChatOptions, makeChat } from "./ChatEndpoint.js"
import { languageName } from "./languageName.js"
import { patient } from "./patient.js"

const PART_TOKENS = 1_000
const MOST_LINES = 40
/** A translation is as long as its source, give or take; no language needs this much more. */
const MOST_TIMES_LONGER = 6
const LONGER_BY = 200
/** More without a translation than this share is no translation. */
const MOST_MISSING = 0.1

const HAS_LETTERS = /\p{L}/u

export const TranslationAnswer = Schema.Struct({
  translations: Schema.Array(Schema.Struct({ line: LineNumber, text: Schema.String })),
})

interface Numbered {
  readonly line: number
  readonly text: string
}

interface Languages {
  readonly from: string | null
  readonly to: string
}

const instructionsFor = ({ from, to }: Languages): string => {
  const source = languageName(from)
  return [
    `You translate subtitles${source === null ? "" : ` from ${source}`} into ${languageName(to) ?? to}. Each line of the data has a number and a text.`,
    "Give the translation of every line under its own number, in the same order. Lines may break a sentence; never join lines, split them, or move words from one to another.",
    "Translate all that is said, and add nothing. Keep names.",
  ].join(" ")
}

/** What was translated, by line. A line answered twice in different ways has no translation; one that was not asked for is refused. */
const judge =
  (lines: ReadonlyArray<Numbered>) =>
  ({ translations }: typeof TranslationAnswer.Type): Either.Either<ReadonlyMap<number, string>, string> => {
    const sources = new Map(lines.map(({ line, text }) => [line, text]))
    const found = new Map<number, string>()
    const doubtful = new Set<number>()
    for (const { line, text } of translations) {
      const source = sources.get(line)
      if (source === undefined) return Either.left("it had a line that is not in the data.")
      const clean = cleanText(text)
      const isRunaway = clean.length > source.length * MOST_TIMES_LONGER + LONGER_BY
      if (clean === "" || isRunaway || (found.has(line) && found.get(line) !== clean)) doubtful.add(line)
      found.set(line, clean)
    }
    for (const line of doubtful) found.delete(line)
    return found.size === 0 ? Either.left("it had no translation.") : Either.right(found)
  }

const makeTranslate = ({ ask, names }: ChatEndpoint, tokens: number) => {
  const nothing: ReadonlyMap<number, string> = new Map()

  const translateOnce = (
    lines: ReadonlyArray<Numbered>,
    languages: Languages,
  ): Effect.Effect<ReadonlyMap<number, string>, WorkFailed> =>
    ask({
      name: "translation",
      instructions: instructionsFor(languages),
      data: lines.map(({ line, text }) => dataLine(line, text)).join("\n"),
      schema: TranslationAnswer,
      judge: judge(lines),
      answerTokens: 4 * tokens,
    }).pipe(
      Effect.catchTag("TooMuch", () =>
        lines.length < 2
          ? Effect.succeed(nothing)
          : Effect.map(
              Effect.forEach(halvesOf(lines), (half) => translateOnce(half, languages)),
              (halves) => new Map(halves.flatMap((half) => [...half])),
            ),
      ),
    )

  /** An answer that cannot be used is one without translations: what counts is how much is missing in the end. */
  const translateIfAble = (lines: ReadonlyArray<Numbered>, languages: Languages) =>
    Effect.catchIf(
      translateOnce(lines, languages),
      ({ code, isTransient }) => code === "engine_error" && isTransient,
      () => Effect.succeed(nothing),
    )

  /** Lines that were left out are asked for once more, by themselves. */
  const translatePart = Effect.fnUntraced(function* (lines: ReadonlyArray<Numbered>, languages: Languages) {
    const first = yield* translateIfAble(lines, languages)
    const missing = lines.filter(({ line }) => !first.has(line))
    if (missing.length === 0) return first
    return new Map([...first, ...(yield* translateIfAble(missing, languages))])
  })

  return Effect.fn("TranslatorChat.translate")(function* (
    texts: ReadonlyArray<string>,
    languages: Languages,
  ) {
    const lines = texts
      .map((text, at): Numbered => ({ line: at + 1, text }))
      .filter(({ text }) => HAS_LETTERS.test(text))
    const parts = cutLines(lines, ({ text }) => text, { tokens, count: MOST_LINES })
    const found = yield* Effect.forEach(parts, (part) => translatePart(part, languages), {
      concurrency: "unbounded",
    })
    const translations = new Map(found.flatMap((part) => [...part]))
    const missing = lines.length - translations.size
    if (missing > lines.length * MOST_MISSING) {
      const sentence = `The text model left ${missing} of ${lines.length} lines untranslated; try another model in ${names.llmModel}.`
      return yield* explained(crashed(sentence), sentence)
    }
    return texts.map((text, at) => (HAS_LETTERS.test(text) ? (translations.get(at + 1) ?? "") : text))
  })
}

/** Translation by a text model, line for line. */
export const make = (options: ChatOptions): Effect.Effect<Translator["Type"], never, Fetcher> =>
  Effect.map(makeChat(options), (chat) => {
    const translate = makeTranslate(chat, Math.min(options.partTokens ?? PART_TOKENS, PART_TOKENS))
    return Translator.of({
      id: chat.id,
      translate: (texts, languages) => patient(translate(texts, languages), options, chat),
    })
  })

export const layer = (options: ChatOptions): Layer.Layer<Translator, never, Fetcher> =>
  Layer.effect(Translator, make(options))
