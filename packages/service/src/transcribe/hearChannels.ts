/** Recordings in which each person has a channel: every channel is heard by itself, and the transcripts are joined by time. */
import type { ChannelLevels } from "@earmark/core/audio"
import { type OptionsSnapshot, warningOf } from "@earmark/core/jobs"
import {
  type HeardWindow,
  type IntegrityInput,
  joinChannels,
  type LevelAt,
  ownVoice,
  removeEchoes,
  type Span,
  speakerOfChannel,
  type Transcript,
  united,
  type Word,
} from "@earmark/core/transcripts"
import { Effect } from "effect"
import type { Span as HeardSpan } from "../ports/JobQueue.js"
import { type EngineCapabilities, type Media, type MediaChannels, WorkFailed } from "../ports/Speech.js"
import { type Checkpoints, planOf } from "./Checkpoints.js"
import { openChannelCheckpoints } from "./channelCheckpoints.js"
import { inTimeOrder } from "./inTimeOrder.js"
import { mediaLength } from "./mediaLength.js"
import { SHORTEST_GAP } from "./mendGaps.js"
import { noWords } from "./noWords.js"
import type { Heard, Hearing, makeTranscriber } from "./Transcriber.js"
import { distinct } from "./warnings.js"
import { joinTimings } from "./wordTimes.js"

const MOST_CHANNELS = 8

/** What the integrity of one channel is judged by. */
export type ChannelPart = Pick<IntegrityInput, "segments" | "voice" | "lost" | "windows">

interface HeardAlone extends Heard {
  readonly channel: number
}

/** The channels that are to be heard by themselves: one that holds the sound of an earlier one is not. Fewer than two are none. */
export const separateChannels = Effect.fnUntraced(function* ({ channels }: Media) {
  if (channels === undefined) return null
  const { count } = channels
  if (count > MOST_CHANNELS) {
    return yield* new WorkFailed({
      code: "unsupported_media",
      isTransient: false,
      detail: `The recording has ${count} channels, and at most ${MOST_CHANNELS} can be taken as speakers. Extract the ones with a microphone, or transcribe it without channels.`,
    })
  }
  const levels = yield* channels.levels
  const separate = levels.sameAs.flatMap((first, channel) => (first === channel ? [channel] : []))
  return separate.length < 2 ? null : { ...channels, separate, levels }
})

const hasWordIn = (words: ReadonlyArray<Word>, { start, end }: Span): boolean =>
  words.some((word) => word.start + word.end >= 2 * start && word.start + word.end < 2 * end)

/** A window that holds nothing but echoes says nothing about this channel. */
const ownWindows = (
  windows: ReadonlyArray<HeardWindow>,
  words: ReadonlyArray<Word>,
  echoes: ReadonlyArray<Word>,
): ReadonlyArray<HeardWindow> =>
  windows.filter((window) => hasWordIn(words, window) || !hasWordIn(echoes, window))

/** The language of most words. */
const languageOf = (channels: ReadonlyArray<HeardAlone>): Pick<Heard, "language" | "detectedLanguage"> => {
  const [most] = channels
    .filter(({ language }) => language !== null)
    .sort((left, right) => right.words.length - left.words.length)
  return { language: most?.language ?? null, detectedLanguage: most?.detectedLanguage ?? null }
}

/** What was heard of all channels as one transcript, each channel judged by itself. */
const joined = (
  media: Pick<Media, "durationSeconds">,
  options: OptionsSnapshot,
  heard: ReadonlyArray<HeardAlone>,
  levelAt: LevelAt,
) => {
  const channels = removeEchoes(heard, levelAt)
  const segments = joinChannels(channels)
  const parts = channels.map(({ channel, words, echoes, voice, lost, windows }): ChannelPart => {
    const others = channels.flatMap((other) => (other.channel === channel ? [] : [other.channel]))
    const own = (spans: ReadonlyArray<Span>) => ownVoice(channel, spans, { others, echoes, levelAt })
    return {
      segments: segments.filter(({ speaker }) => speaker === speakerOfChannel(channel)),
      voice: own(voice),
      lost: own(lost).filter(({ start, end }) => end - start >= SHORTEST_GAP),
      windows: ownWindows(windows, words, echoes),
    }
  })
  const seconds = Math.max(...heard.map((each) => mediaLength(media.durationSeconds, each, options)))
  const { language, detectedLanguage } = languageOf(channels)
  const transcript: Transcript = { language, duration: Math.round(seconds * 1000), segments }
  const lost = parts.flatMap((part) => part.lost ?? [])
  const warnings = distinct(heard.flatMap((each) => each.warnings))
  return {
    transcript,
    detectedLanguage,
    channels: parts,
    voice: united(heard.flatMap(({ voice }) => voice)),
    lost,
    windows: parts.flatMap((part) => part.windows ?? []),
    timing: joinTimings(channels),
    warnings: warnings.filter(({ code }) => code !== "speech_lost" || lost.length > 0),
  }
}

const spokenBy = (span: HeardSpan, channel: number): HeardSpan => {
  const speaker = speakerOfChannel(channel)
  return { ...span, words: span.words.map((word) => ({ ...word, speaker })) }
}

/** Hears channels side by side, so that spans can be followed in the order of time. A word that is in two channels is kept in the louder one. */
export const makeHearChannels = ({
  engine: { capabilities },
  transcribe,
}: Pick<Effect.Effect.Success<ReturnType<typeof makeTranscriber>>, "transcribe"> & {
  readonly engine: { readonly capabilities: EngineCapabilities }
}) =>
  Effect.fnUntraced(function* <E, E2>(
    media: Media,
    {
      count,
      open,
      separate,
      levels,
    }: Omit<MediaChannels, "levels"> & {
      readonly separate: ReadonlyArray<number>
      readonly levels: ChannelLevels
    },
    options: OptionsSnapshot,
    checkpoints: Checkpoints<E>,
    follow: Hearing<E2>["follow"] = () => Effect.void,
  ) {
    const { fingerprint, cut } = media
    const plan = planOf({ fingerprint, cut: `${cut} in ${count} channels` }, capabilities, options)
    const from = (options.startAt ?? 0) / 1000
    const kept = yield* openChannelCheckpoints(checkpoints, plan, { count, heard: separate, from })
    const ordered = yield* inTimeOrder(separate, follow)
    const hear = Effect.fnUntraced(function* (channel: number) {
      const heard = yield* transcribe(yield* open(channel, levels), options, kept.of(channel), {
        follow: (span) => ordered.add(channel, spokenBy(span, channel)),
      })
      yield* kept.end(channel)
      yield* ordered.end(channel)
      return { ...heard, channel }
    })
    const heard = yield* Effect.forEach(separate, hear, { concurrency: "unbounded" })
    if (heard.every(({ words }) => words.length === 0))
      return yield* noWords({
        voice: united(heard.flatMap(({ voice }) => voice)),
        warnings: heard.flatMap(({ warnings }) => warnings),
        startAt: options.startAt,
        durationSeconds: media.durationSeconds,
      })
    const listened = joined(media, options, heard, levels.levelAt)
    const isAlike = separate.length < count
    return {
      ...listened,
      warnings: [...listened.warnings, ...(isAlike ? [warningOf("channels_alike")] : [])],
    }
  })
