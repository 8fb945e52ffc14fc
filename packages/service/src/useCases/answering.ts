import type { JobId } from "@earmark/core/jobs"
import {
  type AskedTranscript,
  answerOfDraft,
  answerOfPassages,
  type CheckedAnswer,
  type NumberedLine,
  type Passage,
  rankingSteps,
} from "@earmark/core/questions"
import { speakerName } from "@earmark/core/transcripts"
import type { Answer } from "@earmark/core/wire"
import { Duration, Effect } from "effect"
import type { Answerer, ShownLine } from "../ports/Answerer.js"
import type { Content, StoredJob } from "../ports/records.js"
import { WorkFailed } from "../ports/Speech.js"
import * as TimeLimit from "../TimeLimit.js"
import { inSlices } from "../transcribe/inSlices.js"

/** A transcript that a question is about. */
export interface Questioned {
  readonly job: Pick<StoredJob, "id" | "title" | "speakerNames">
  readonly content: Pick<Content, "segments">
}

interface Asking {
  readonly question: string
  /** Those that are read, and how many there are in all. */
  readonly sources: ReadonlyArray<Questioned>
  readonly total: number
  /** Null: the passages answer. */
  readonly answer: Answerer["Type"]["answer"]
  /** How long a language model may take. */
  readonly patience?: Duration.Duration
}

/** How many passages answer where no model does. */
const MOST_PASSAGES = 5
/** A model reads everything up to this many characters, some three hours of speech; of more, only the passages that fit best. */
const MOST_CHARACTERS = 150_000
const MOST_PASSAGES_SHOWN = 60
/** Clients that wait for an answer of the service give up after a minute. */
const PATIENCE = Duration.seconds(50)

const LATE = "The language model took too long. These are the passages that fit best."
const AWAY = "The language model gave no answer that can be used. These are the passages that fit best."
const UNPROVEN =
  "Nothing that the language model claimed is in the transcripts. These are the passages that fit best."

/** By the names of its speakers, as answers show them. Who says each single word does not matter. */
const askedOf = ({ job, content }: Questioned): AskedTranscript => ({
  id: job.id,
  segments: content.segments.map((segment) => {
    const { speaker } = segment
    const name = speaker === null ? null : speakerName(job.speakerNames, speaker)
    return name === speaker ? segment : { ...segment, speaker: name }
  }),
})

type Place = Omit<NumberedLine, "line">

const placesOf = (transcript: AskedTranscript): ReadonlyArray<Place> =>
  transcript.segments.map((_, segmentId) => ({ transcript, segmentId }))

const textAt = ({ transcript, segmentId }: Place): string => transcript.segments[segmentId]?.text ?? ""

/** The lines that a model is shown, in the order of their transcripts. */
const linesFor = (
  asked: ReadonlyArray<AskedTranscript>,
  passages: ReadonlyArray<Passage>,
): ReadonlyArray<NumberedLine> => {
  const all = asked.flatMap((each) => placesOf(each))
  const characters = all.reduce((sum, place) => sum + textAt(place).length, 0)
  const inPassages = () =>
    asked.flatMap((transcript) => {
      const around = passages
        .filter((passage) => passage.transcript === transcript)
        .map((passage) => passage.around)
      return placesOf(transcript).filter(({ segmentId }) =>
        around.some(({ from, to }) => from <= segmentId && segmentId < to),
      )
    })
  const chosen = characters <= MOST_CHARACTERS ? all : inPassages()
  return chosen
    .filter((place) => textAt(place).trim() !== "")
    .map((place, at) => ({ ...place, line: at + 1 }))
}

const shownOf = ({ line, transcript, segmentId }: NumberedLine): ShownLine => ({
  line,
  speaker: transcript.segments[segmentId]?.speaker ?? null,
  text: transcript.segments[segmentId]?.text ?? "",
})

interface Reached {
  readonly answer: CheckedAnswer
  readonly linesShown: number
  readonly note: string | null
}

const citedIn = ({ claims }: CheckedAnswer, titles: ReadonlyMap<JobId, string | null>) => {
  const ids = new Set(claims.flatMap(({ citations }) => citations.map((each) => each.transcriptionId)))
  return [...ids].map((transcriptionId) => ({ transcriptionId, title: titles.get(transcriptionId) ?? null }))
}

/**
 * Answers a question from transcripts: by a language model where there is one, as far as its quotes are in them, else by the passages
 * that fit best. A model that fails never fails the question.
 */
export const answerQuestion = Effect.fn("answerQuestion")(function* ({
  question,
  sources,
  total,
  answer,
  patience = PATIENCE,
}: Asking): Effect.fn.Return<Answer> {
  const asked = sources.map(askedOf)
  const most = answer === null ? MOST_PASSAGES : MOST_PASSAGES_SHOWN
  const passages = yield* inSlices(rankingSteps(asked, question, most))

  const byPassages = (note: string | null, given?: CheckedAnswer["dropped"]): Reached => {
    const found = answerOfPassages(passages.slice(0, MOST_PASSAGES))
    return { answer: { ...found, dropped: given ?? found.dropped }, linesShown: 0, note }
  }

  const byModel = (ask: NonNullable<typeof answer>) => {
    const lines = linesFor(asked, passages)
    if (lines.length === 0) return Effect.succeed(byPassages(null))
    return ask(question, lines.map(shownOf)).pipe(
      TimeLimit.fail({
        duration: patience,
        onTimeout: () => new WorkFailed({ code: "engine_timeout", isTransient: true }),
      }),
      Effect.map((draft): Reached => {
        const { answer, dropped } = answerOfDraft(draft, lines)
        return answer === null
          ? byPassages(UNPROVEN, dropped)
          : { answer, linesShown: lines.length, note: null }
      }),
      Effect.catchTag("WorkFailed", (failure) =>
        Effect.as(
          Effect.logWarning("A question was answered without the language model", failure),
          byPassages(failure.code === "engine_timeout" ? LATE : AWAY),
        ),
      ),
    )
  }

  const reached = answer === null ? byPassages(null) : yield* byModel(answer)
  const { status, text, claims, dropped } = reached.answer
  return {
    status,
    text,
    claims,
    coverage: {
      transcripts: total,
      transcriptsRead: sources.length,
      linesRead: asked.reduce((sum, { segments }) => sum + segments.length, 0),
      linesShown: reached.linesShown,
      droppedClaims: dropped.claims,
      droppedCitations: dropped.citations,
      note: reached.note,
      cited: citedIn(reached.answer, new Map(sources.map(({ job }) => [job.id, job.title]))),
    },
  }
})
