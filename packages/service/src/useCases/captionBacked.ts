import { type CaptionFile, transcriptFromCues } from "@earmark/core/captions"
import {
  type CaptionsFacts,
  type CaptionsRefusal,
  captionsRefusals,
  type OptionsSnapshot,
  type Warning,
  warningOf,
} from "@earmark/core/jobs"
import { SOCIAL_CLIP_SECONDS } from "@earmark/core/links"
import { labelSpeakers, namesOfSpeakers, type Transcript, trim, wordCountOf } from "@earmark/core/transcripts"
import { Effect } from "effect"
import type { JobSource, StoredJob } from "../ports/records.js"
import type { SourceResolver } from "../ports/SourceResolver.js"
import type { EmbeddedCaptions, Media } from "../ports/Speech.js"
import type { ServiceConfig } from "./ServiceConfig.js"

/** A job never waits for more files than this. */
const FILES_AT_MOST = 3

interface Asked {
  readonly source: JobSource
  readonly options: OptionsSnapshot
  readonly durationSeconds: number | null
}

/** What is asked of captions; subtitles inside a file have no source of their own. */
type Weighable = Pick<Asked, "options" | "durationSeconds"> & Partial<Pick<Asked, "source">>

const isInOrder = ({ format, cues }: CaptionFile): boolean =>
  format !== "html" && cues.every(({ start }, index) => start >= (cues[index - 1]?.start ?? 0))

/** What is known of captions beside what their file says. */
type Offered = Pick<CaptionsFacts, "origin" | "language" | "mediaLanguage" | "only">

const factsOf = (
  offered: Offered,
  file: CaptionFile,
  transcript: Transcript,
  durationSeconds: number | null,
): CaptionsFacts => ({
  ...offered,
  hasSpeakers: transcript.segments.some(({ speaker }) => speaker !== null),
  inOrder: isInOrder(file),
  lastCueEnd: file.cues.reduce((latest, { end }) => Math.max(latest, end), 0),
  duration: durationSeconds === null ? null : Math.round(durationSeconds * 1000),
  words: wordCountOf(transcript.segments),
  bytes: file.cues.reduce((sum, { lines }) => sum + Buffer.byteLength(lines.join("\n")), 0),
})

/** Whether there is more of the clip than is used of it. */
const isClipCapped = (
  { source, durationSeconds }: Weighable,
  { lastCueEnd }: Pick<CaptionsFacts, "lastCueEnd">,
): boolean => source?.shown.kind === "social" && (durationSeconds ?? lastCueEnd / 1000) >= SOCIAL_CLIP_SECONDS

/** A transcript made of captions, its speakers called as everywhere, and what the captions call them. */
interface Shaped {
  readonly transcript: Transcript
  readonly speakerNames: StoredJob["speakerNames"]
}

/** The part asked for. Speakers are told when they were asked for, and nobody is named otherwise. */
const shapedFor = (transcript: Transcript, { diarize, startAt, endAt }: OptionsSnapshot): Shaped => {
  const part = trim(transcript, {
    ...(startAt !== null && { start: startAt }),
    ...(endAt !== null && { end: endAt }),
  })
  if (diarize) {
    const segments = labelSpeakers(part.segments)
    return { transcript: { ...part, segments }, speakerNames: namesOfSpeakers(part.segments) }
  }
  const nameless = part.segments.map((segment) => ({
    ...segment,
    speaker: null,
    words: segment.words.map((word) => ({ ...word, speaker: null })),
  }))
  return { transcript: { ...part, segments: nameless }, speakerNames: {} }
}

/** The transcript that captions of the source give, or why none of them can stand for it. */
export interface CaptionSearch {
  readonly transcript: Transcript | null
  readonly speakerNames: StoredJob["speakerNames"]
  readonly warnings: ReadonlyArray<Warning>
}

interface Weighed {
  readonly shaped: Shaped | null
  readonly refusals: ReadonlyArray<CaptionsRefusal>
  readonly isCapped: boolean
}

/** Cues with gaps of more than half of the media say little about what is spoken in it. */
const LEAST_SHARE = 0.5

const isSparse = ({ cues }: CaptionFile, durationSeconds: number | null): boolean => {
  if (durationSeconds === null) return false
  const shown = cues.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0)
  return shown < LEAST_SHARE * durationSeconds * 1000
}

const weigh = (file: CaptionFile, offered: Offered, asked: Weighable, config: Operator): Weighed => {
  const { options, durationSeconds } = asked
  const transcript = transcriptFromCues(file.cues, {
    language: offered.language ?? offered.mediaLanguage,
    ...(durationSeconds !== null && { duration: Math.round(durationSeconds * 1000) }),
  })
  const facts = factsOf(offered, file, transcript, durationSeconds)
  const refusals = captionsRefusals(options, facts, { allowAutomatic: config.allowAutomaticCaptions })
  return {
    shaped: refusals.length === 0 ? shapedFor(transcript, options) : null,
    refusals,
    isCapped: isClipCapped(asked, facts),
  }
}

const found = (
  { transcript, speakerNames }: Shaped,
  warnings: ReadonlyArray<Warning> = [],
): CaptionSearch => ({
  transcript,
  speakerNames,
  warnings: [
    ...(transcript.segments.every(({ words }) => words.length > 0) ? [] : [warningOf("no_word_times")]),
    ...warnings,
  ],
})

const notFound = (refused: ReadonlySet<CaptionsRefusal>): CaptionSearch => ({
  transcript: null,
  speakerNames: {},
  warnings: refused.has("incomplete") ? [warningOf("captions_incomplete")] : [],
})

type Operator = Pick<ServiceConfig["Type"], "allowAutomaticCaptions">

/** Who brings the text of a recording wants no other one. */
const bringsText = ({ transcriptText }: OptionsSnapshot): boolean => transcriptText !== undefined

/** Reads the captions of a source, those that people made first. Costs nothing when there are none. */
export const searchCaptions = Effect.fnUntraced(function* (
  asked: Asked,
  resolver: SourceResolver["Type"],
  config: Operator,
) {
  if (bringsText(asked.options)) return notFound(new Set())
  const given = asked.source.facts?.captions ?? []
  const offers = [...given].sort(
    (left, right) => Number(left.madeBy === "machine") - Number(right.madeBy === "machine"),
  )
  const refused = new Set<CaptionsRefusal>()
  for (const offer of offers.slice(0, FILES_AT_MOST)) {
    const file = yield* resolver.captions(offer)
    if (file === null) continue
    const { shaped, refusals, isCapped } = weigh(
      file,
      {
        origin: offer.madeBy === "people" ? "publisher" : "automatic",
        language: offer.language ?? file.language,
        mediaLanguage: asked.source.facts?.language ?? null,
        only: given.every(({ language }) => language === offer.language),
      },
      asked,
      config,
    )
    if (shaped !== null) return found(shaped, isCapped ? [warningOf("clip_capped")] : [])
    for (const refusal of refusals) refused.add(refusal)
  }
  return notFound(refused)
})

const base = (language: string): string => language.toLowerCase().split("-", 1).join("")

/** Whether it is worth the walk through the file: subtitles in another language than the one wanted are not even read. */
const mayFit =
  ({ language: wanted, quality, qualityExplicit }: OptionsSnapshot, media: Pick<Media, "language">) =>
  ({ language }: EmbeddedCaptions): boolean => {
    const expected = wanted ?? media.language
    if (qualityExplicit && quality === "accurate") return false
    return language === null || expected === null || base(language) === base(expected)
  }

/** Reads the subtitles inside a media file: no sound is decoded for them. */
export const searchSubtitles = Effect.fnUntraced(function* (
  media: Pick<Media, "captions" | "language" | "durationSeconds">,
  options: OptionsSnapshot,
  config: Operator,
) {
  if (bringsText(options)) return notFound(new Set())
  const refused = new Set<CaptionsRefusal>()
  const { captions, durationSeconds } = media
  const offers = [...captions].sort((left, right) => Number(right.isDefault) - Number(left.isDefault))
  for (const { language, isDefault, read } of offers.filter(mayFit(options, media)).slice(0, FILES_AT_MOST)) {
    const file = yield* read
    if (file === null) continue
    const offered: Offered = {
      origin: "embedded",
      language: language ?? file.language,
      mediaLanguage: media.language,
      only: captions.length === 1 || isDefault,
    }
    const { shaped, refusals } = weigh(file, offered, { options, durationSeconds }, config)
    if (shaped !== null && !isSparse(file, durationSeconds)) return found(shaped)
    for (const refusal of shaped === null ? refusals : (["incomplete"] as const)) refused.add(refusal)
  }
  return notFound(refused)
})
