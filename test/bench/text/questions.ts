/** Questions with known answers, and how long the passages for a question take. */
import { randomBytes } from "node:crypto"
import { AccountId, effectiveOptions, ID_RANDOM_BYTES, JobId, makeId } from "@earmark/core/jobs"
import { type AskedTranscript, rankPassages } from "@earmark/core/questions"
import { wordsOf } from "@earmark/core/text"
import type { Segment } from "@earmark/core/transcripts"
import {
  Accounts,
  answerQuestion,
  type EditStore,
  type ExtraStore,
  JobStore,
  Questions,
  StoreMemory,
} from "@earmark/service"
import { generatedRecording } from "@earmark/testkit"
import { Effect } from "effect"
import { atLeast, atMost, least, type Outcome, sized } from "../harness.js"
import { publicSpeeches, unanswered } from "./publicSpeeches.js"

const newJobId = () => JobId.make(makeId("job", 0, randomBytes(ID_RANDOM_BYTES)))

const lineOf = (text: string, at: number): Segment => ({
  start: at * 8000,
  end: at * 8000 + 7800,
  speaker: null,
  text,
  words: [],
})

const FIRST = 3

/** The plain way: the lines with most words of the question, as they are written, each with its neighbours. */
const byCommonWords = (transcripts: ReadonlyArray<AskedTranscript>, question: string) => {
  const asked = new Set(wordsOf(question.toLowerCase()))
  return transcripts
    .flatMap(({ segments }) =>
      segments.map(({ text }, at) => ({
        text: segments
          .slice(Math.max(0, at - 1), at + 2)
          .map((each) => each.text)
          .join(" "),
        score: wordsOf(text.toLowerCase()).filter((word) => asked.has(word)).length,
      })),
    )
    .sort((a, b) => b.score - a.score)
    .slice(0, FIRST)
    .map(({ text }) => text)
}

const bySelf = (transcripts: ReadonlyArray<AskedTranscript>, question: string) =>
  rankPassages(transcripts, question, FIRST).map(({ transcript, from, to }) =>
    transcript.segments
      .slice(from, to)
      .map(({ text }) => text)
      .join(" "),
  )

/** How many of the questions have the line that answers them among the first three passages. */
const recall = (): ReadonlyArray<Outcome> => {
  const transcripts = publicSpeeches.map(
    ({ lines }): AskedTranscript => ({ id: newJobId(), segments: lines.map(lineOf) }),
  )
  const all = publicSpeeches.flatMap(({ questions }) => questions)
  const share = (rank: typeof bySelf) =>
    all.filter(([question, answer]) => rank(transcripts, question).some((text) => text.includes(answer)))
      .length / all.length
  const [ours, rival] = [share(bySelf), share(byCommonWords)]
  for (const [question, answer] of all)
    if (!bySelf(transcripts, question).some((text) => text.includes(answer)))
      console.error(`not found: ${question}`)
  const silent =
    unanswered.filter((question) => bySelf(transcripts, question).length === 0).length / unanswered.length
  return [
    {
      bench: `questions, answer in the first ${FIRST} of ${all.length}`,
      ours,
      rival,
      rivalName: "most common words",
      ratio: ours / rival,
      bar: ">= 0.85",
      pass: ours >= 0.85,
    },
    atLeast(`questions without an answer, not found of ${unanswered.length}`, silent, 0.7),
  ]
}

const withoutWords = (seed: number): ReadonlyArray<Segment> =>
  generatedRecording({ seed, topics: 13, sentences: [30, 80] }).transcript.segments.map((segment) => ({
    ...segment,
    words: [],
  }))

const hoursOf = (segments: ReadonlyArray<Segment>): number => (segments.at(-1)?.end ?? 0) / 3_600_000

/** Words that some of the recordings have, between words that all of them have. */
const questionsFrom = (segments: ReadonlyArray<Segment>): ReadonlyArray<string> =>
  Array.from({ length: sized(25, 2) }, (_, at) => {
    const words = wordsOf(segments[(at * 37) % segments.length]?.text ?? "")
    return `What did they say about ${words.slice(0, 4).join(" ")} and ${words.at(-1)}?`
  })

const ROUNDS = sized(3, 1)

/** The slowest of several, each by its best run: one slow run on a busy machine says nothing. */
const slowest = async (runs: ReadonlyArray<() => Promise<unknown>>): Promise<number> => {
  let most = 0
  for (const run of runs) {
    const times: Array<number> = []
    for (let round = 0; round < ROUNDS; round++) {
      const started = performance.now()
      await run()
      times.push(performance.now() - started)
    }
    most = Math.max(most, least(times))
  }
  return most
}

/** One transcript of ten hours: reading it is left out, ranking and checking are not. */
const ofTenHours = async (): Promise<Outcome> => {
  const { segments } = generatedRecording({ seed: 7, topics: sized(140, 6), sentences: [30, 80] }).transcript
  const job = { id: newJobId(), title: null, speakerNames: {} }
  const sources = [{ job, content: { language: "en", segments } }]
  const ask = (question: string) => () =>
    Effect.runPromise(answerQuestion({ question, sources, total: 1, answer: null }))
  const questions = questionsFrom(segments)
  await ask("What is warm?")()
  return atMost(
    `question, ${hoursOf(segments).toFixed(0)} h, slowest, ms`,
    await slowest(questions.map(ask)),
    150,
    " ms",
  )
}

/** A thousand transcripts of an account, in whatever store; the slowest of some questions about all of them. */
export const ofThousandHours = (
  where: string,
): Effect.Effect<Outcome, unknown, Accounts | EditStore | ExtraStore | JobStore> => {
  const count = sized(1000, 10)
  const recordings = Array.from({ length: sized(100, 2) }, (_, seed) => withoutWords(seed + 1))
  let hours = 0
  return Effect.gen(function* () {
    const jobs = yield* JobStore
    const account = AccountId.make(makeId("account", 0, randomBytes(ID_RANDOM_BYTES)))
    yield* (yield* Accounts).create({ id: account, name: "Ann", email: null, freeCredits: 0, createdAt: 0 })
    for (let at = 0; at < count; at++) {
      const recording = recordings[at % recordings.length] ?? []
      // Another order of the same sentences is another text.
      const turn = Math.floor((at / count) * recording.length)
      const texts = [...recording.slice(turn), ...recording.slice(0, turn)]
      const segments = recording.map((segment, place) => ({ ...segment, text: texts[place]?.text ?? "" }))
      hours += hoursOf(segments)
      const id = newJobId()
      const url = `https://media.example.org/${id}.mp3`
      yield* jobs.createDone(
        {
          id,
          account,
          title: null,
          source: { shown: { kind: "media", url }, mediaUrl: url, link: url, identity: null },
          options: effectiveOptions({}),
          metadata: null,
          key: null,
          durationSeconds: 3600,
          createdAt: at,
          expiresAt: null,
          hold: 0,
        },
        {
          content: {
            language: "en",
            segments,
            text: segments.map(({ text }) => text).join(" "),
            summary: null,
            chapters: null,
            translation: null,
          },
          origin: "captions",
          engine: null,
          wordTiming: null,
          detectedLanguage: null,
          durationSeconds: 3600,
          wordCount: 9000,
          credits: 0,
          billedMinutes: 0,
          minutes: 0,
          enrichment: {},
          integrity: null,
          warnings: [],
        },
        { guard: null },
      )
    }
    const questions = yield* Questions
    const runtime = yield* Effect.runtime<never>()
    const ask = (question: string) => () =>
      Effect.runPromise(Effect.provide(questions.askAll(account, { question, all: true }), runtime))
    yield* Effect.promise(ask("What is warm?"))
    const ours = yield* Effect.promise(() => slowest(questionsFrom(recordings[0] ?? []).map(ask)))
    return atMost(`question, ${hours.toFixed(0)} h ${where}, slowest, ms`, ours, 1000, " ms")
  }).pipe(Effect.provide(Questions.layer))
}

export const asking = async (): Promise<ReadonlyArray<Outcome>> => [
  ...recall(),
  await ofTenHours(),
  await Effect.runPromise(ofThousandHours("in memory").pipe(Effect.provide(StoreMemory.layer))),
]
