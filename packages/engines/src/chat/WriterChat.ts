import { cleanText, joinUnits } from "@earmark/core/text"
import type { Transcript } from "@earmark/core/transcripts"
import { type Fetcher, Writer } from "@earmark/service"
import { Effect, Either, Layer, Schema } from "effect"
import { dataLine, type Line, linesOf } from "../lines.js"
import { LineNumber } from "./answerSchema.js"
import { type ChatEndpoint, type ChatOptions, makeChat } from "./ChatEndpoint.js"
import { condense } from "./condense.js"
import { languageName } from "./languageName.js"
import { patient } from "./patient.js"

const PART_TOKENS = 3_000
const ANSWER_TOKENS = 2_000

const MOST_NOTES = 6
const MOST_SENTENCES = 12
const LONGEST_SENTENCE = 600

const MOST_TOPICS = 6
const MOST_CHAPTERS = 24
const CHAPTER_MILLISECONDS = 180_000
const LONGEST_TITLE = 100

export const SummaryAnswer = Schema.Struct({
  sentences: Schema.Array(Schema.Struct({ text: Schema.String, lines: Schema.Array(LineNumber) })),
})

export const ChaptersAnswer = Schema.Struct({
  chapters: Schema.Array(
    Schema.Struct({ first_line: LineNumber, title: Schema.String, summary: Schema.String }),
  ),
})

interface Sentence {
  readonly text: string
  readonly lines: ReadonlyArray<number>
}

interface Topic {
  readonly segment: number
  readonly title: string
  readonly summary: string
}

const idsIn = (lines: ReadonlyArray<Line>): ReadonlySet<number> => new Set(lines.flatMap(({ ids }) => ids))

const dataOf = (lines: ReadonlyArray<Line>): string => lines.map(({ text }) => text).join("\n")

const isShort = (text: string, longest: number): boolean => text !== "" && text.length <= longest

/** Sentences of a bearable length, each with lines that are there. */
const judgeSummary =
  (lines: ReadonlyArray<Line>, most: number) =>
  ({ sentences }: typeof SummaryAnswer.Type): Either.Either<ReadonlyArray<Sentence>, string> => {
    const ids = idsIn(lines)
    const clean = sentences.map((sentence) => ({ ...sentence, text: cleanText(sentence.text) }))
    if (clean.length === 0) return Either.left("it had no sentence.")
    if (clean.length > most) return Either.left(`it had more than ${most} sentences.`)
    if (!clean.every(({ text }) => isShort(text, LONGEST_SENTENCE)))
      return Either.left(`a sentence was empty or longer than ${LONGEST_SENTENCE} characters.`)
    if (clean.some((sentence) => sentence.lines.length === 0))
      return Either.left("a sentence named no line that it is taken from.")
    if (!clean.every((sentence) => sentence.lines.every((id) => ids.has(id))))
      return Either.left("it named a line that is not in the data.")
    return Either.right(clean)
  }

/** Titles of a bearable length, each with a line that is there, in their order. */
const judgeChapters =
  (lines: ReadonlyArray<Line>, most: number) =>
  ({ chapters }: typeof ChaptersAnswer.Type): Either.Either<ReadonlyArray<Topic>, string> => {
    const ids = idsIn(lines)
    const topics = chapters.map(({ first_line, title, summary }) => ({
      segment: first_line,
      title: cleanText(title),
      summary: cleanText(summary),
    }))
    if (topics.length === 0) return Either.left("it had no chapter.")
    if (topics.length > most) return Either.left(`it had more than ${most} chapters.`)
    if (!topics.every(({ title }) => isShort(title, LONGEST_TITLE)))
      return Either.left(`a title was empty or longer than ${LONGEST_TITLE} characters.`)
    if (!topics.every(({ summary }) => summary.length <= LONGEST_SENTENCE))
      return Either.left(`a summary was longer than ${LONGEST_SENTENCE} characters.`)
    if (!topics.every(({ segment }) => ids.has(segment)))
      return Either.left("a chapter began with a line that is not in the data.")
    if (topics.some(({ segment }, at) => at > 0 && segment <= (topics[at - 1]?.segment ?? 0)))
      return Either.left("the chapters were not in the order of their lines.")
    return Either.right(topics)
  }

const writeIn = (language: string | null): string => {
  const name = languageName(language)
  return name === null ? "Write in the language that is spoken in the data." : `Write in ${name}.`
}

const summaryInstructions = (language: string | null, most: number, isLast: boolean): string =>
  [
    "You summarize the transcript of a recording. Each line of the data has a number or several, and what was said there, or a note about it.",
    isLast
      ? `Say what the recording is about and what matters most in it, in at most ${most} plain sentences that read as one text.`
      : `Note what matters most in this part, in at most ${most} short sentences.`,
    "Say only what the lines say. With each sentence name the numbers of the lines that it is taken from.",
    writeIn(language),
  ].join(" ")

const chapterInstructions = (language: string | null, most: number): string =>
  [
    "You divide the transcript of a recording into chapters. Each line of the data has a number, and what was said there, or the title of a part that begins there.",
    `Find where the subject changes, and name at most ${most} chapters in their order, the first of them beginning with the first line. Fewer are better than chapters about the same thing.`,
    "Of each chapter give the number of its first line, a title of two to eight words, and a summary of one sentence.",
    writeIn(language),
  ].join(" ")

const makeSummarize = ({ ask, names }: ChatEndpoint, tokens: number) =>
  Effect.fn("WriterChat.summarize")(function* (transcript: Transcript) {
    const lines = linesOf(transcript)
    if (lines.length === 0) return ""
    const sentences = yield* condense<Sentence>(lines, {
      tokens,
      modelSetting: names.llmModel,
      ask: (part, isLast) => {
        const most = isLast ? MOST_SENTENCES : MOST_NOTES
        return ask({
          name: "summary",
          instructions: summaryInstructions(transcript.language, most, isLast),
          data: dataOf(part),
          schema: SummaryAnswer,
          judge: judgeSummary(part, most),
          answerTokens: ANSWER_TOKENS,
        })
      },
      lineOf: (sentence) => ({
        ids: sentence.lines,
        text: dataLine(sentence.lines.slice(0, 4), sentence.text),
      }),
    })
    return joinUnits(sentences.map(({ text }) => text))
  })

const chapterMarks = ({ segments, duration }: Transcript, topics: ReadonlyArray<Topic>) => {
  const spoken = segments.reduce((latest, { end }) => Math.max(latest, end), 0)
  const begun = topics.map(({ segment, ...topic }, at) => ({
    ...topic,
    start: at === 0 ? 0 : (segments[segment - 1]?.start ?? 0),
  }))
  // Segments may begin at once; chapters do not.
  const apart = begun.filter(
    ({ start }, at) => at === 0 || start > Math.max(...begun.slice(0, at).map((each) => each.start)),
  )
  return apart.map(({ start, title, summary }, at) => ({
    start,
    end: apart[at + 1]?.start ?? Math.max(duration, spoken),
    title,
    ...(summary === "" ? {} : { summary }),
  }))
}

const makeChapters = ({ ask, names }: ChatEndpoint, tokens: number) =>
  Effect.fn("WriterChat.chapters")(function* (transcript: Transcript) {
    const lines = linesOf(transcript)
    if (lines.length === 0) return []
    const wanted = Math.ceil(transcript.duration / CHAPTER_MILLISECONDS)
    const topics = yield* condense<Topic>(lines, {
      tokens,
      modelSetting: names.llmModel,
      ask: (part, isLast) => {
        const most = isLast ? Math.max(1, Math.min(MOST_CHAPTERS, wanted)) : MOST_TOPICS
        return ask({
          name: "chapters",
          instructions: chapterInstructions(transcript.language, most),
          data: dataOf(part),
          schema: ChaptersAnswer,
          judge: judgeChapters(part, most),
          answerTokens: ANSWER_TOKENS,
        })
      },
      lineOf: ({ segment, title, summary }) => ({ ids: [segment], text: dataLine(segment, title, summary) }),
    })
    return chapterMarks(transcript, topics)
  })

/** Summaries and chapters by a text model. Segments are cited by number, and times are those of the segments: a model never names one. */
export const make = (options: ChatOptions): Effect.Effect<Writer["Type"], never, Fetcher> =>
  Effect.map(makeChat(options), (chat) => {
    const tokens = options.partTokens ?? PART_TOKENS
    const summarize = makeSummarize(chat, tokens)
    const chapters = makeChapters(chat, tokens)
    return Writer.of({
      id: chat.id,
      isRemote: true,
      summarize: (transcript) => patient(summarize(transcript), options, chat),
      chapters: (transcript) => patient(chapters(transcript), options, chat),
    })
  })

export const layer = (options: ChatOptions): Layer.Layer<Writer, never, Fetcher> =>
  Layer.effect(Writer, make(options))
