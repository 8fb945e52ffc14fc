import { deflateSync } from "node:zlib"
import type { Export } from "@earmark/core/captions"
import type { SpokenSegment, SpokenWord } from "@earmark/core/jobs"
import { languageNameOf } from "@earmark/core/text"
import { Effect } from "effect"
import { jsonReply, type Reply } from "../answers/Reply.js"
import type { Failure } from "../answers/refusalOf.js"
import { type Heard, wordsOf } from "./Heard.js"
import type { OpenAiRequest } from "./openAiRequest.js"

const seconds = (milliseconds: number): number => milliseconds / 1000

const usageOf = ({ durationSeconds }: Heard) => ({ type: "duration", seconds: durationSeconds })

/** How sure the engine is of a line: the mean logarithm over its words; 0, which is certain, where it does not say. */
const logProbability = ({ words = [] }: SpokenSegment): number => {
  const known = words.flatMap(({ confidence }) =>
    confidence === null ? [] : [Math.log(Math.max(confidence, 1e-6))],
  )
  return known.length === 0 ? 0 : known.reduce((sum, each) => sum + each, 0) / known.length
}

/** As Whisper measures it: a text that repeats itself compresses well. */
const compressionRatio = (text: string): number => {
  const bytes = Buffer.from(text)
  return bytes.length === 0 ? 1 : bytes.length / deflateSync(bytes).length
}

export const segmentOf = (segment: SpokenSegment, id: number) => ({
  id,
  seek: 0,
  start: seconds(segment.start),
  end: seconds(segment.end),
  text: segment.text,
  tokens: [],
  temperature: 0,
  avg_logprob: logProbability(segment),
  compression_ratio: compressionRatio(segment.text),
  no_speech_prob: 0,
})

export const wordOf = ({ text, start, end, confidence }: SpokenWord) => ({
  word: text,
  start: seconds(start),
  end: seconds(end),
  ...(confidence !== null && { probability: confidence }),
})

const verbose = (heard: Heard, { granularities }: OpenAiRequest) => ({
  task: heard.task,
  language: heard.language === null ? "" : languageNameOf(heard.language),
  duration: heard.durationSeconds,
  text: heard.text,
  ...(granularities.includes("segment") && { segments: heard.segments.map(segmentOf) }),
  ...(granularities.includes("word") && { words: wordsOf(heard).map(wordOf) }),
  usage: usageOf(heard),
})

const diarized = (heard: Heard) => ({
  task: heard.task,
  duration: heard.durationSeconds,
  text: heard.text,
  segments: heard.segments.map(({ start, end, speaker, text }, index) => ({
    type: "transcript.text.segment",
    id: `seg_${index}`,
    start: seconds(start),
    end: seconds(end),
    speaker: speaker ?? "",
    text,
  })),
  usage: usageOf(heard),
})

export const textReply = (body: Reply["body"], contentType = "text/plain"): Reply => ({
  status: 200,
  headers: { "Content-Type": `${contentType}; charset=utf-8` },
  body,
})

export const captionsReply = ({ chunks, contentType }: Export): Reply => textReply(chunks, contentType)

/** A transcript in the format that was asked for. */
export const openAiAnswer = (heard: Heard, request: OpenAiRequest): Effect.Effect<Reply, Failure> => {
  const { format } = request
  switch (format) {
    case "json":
      return Effect.succeed(jsonReply(200, { text: heard.text, usage: usageOf(heard) }))
    case "verbose_json":
      return Effect.sync(() => jsonReply(200, verbose(heard, request)))
    case "diarized_json":
      return Effect.succeed(jsonReply(200, diarized(heard)))
    case "text":
      return Effect.succeed(textReply(`${heard.text}\n`))
    case "srt":
    case "vtt":
      return Effect.map(heard.file(format), captionsReply)
  }
}
