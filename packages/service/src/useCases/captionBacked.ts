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
import { labelSpeakers, type Transcript, trim, wordCountOf } from "@earmark/core/transcripts"
import { Effect } from "effect"
import type { JobSource } from "../ports/records.js"
import type { CaptionOffer, SourceResolver } from "../ports/SourceResolver.js"
import type { ServiceConfig } from "./ServiceConfig.js"

/** A job never waits for more files than this. */
const FILES_AT_MOST = 3

interface Asked {
  readonly source: JobSource
  readonly options: OptionsSnapshot
  readonly durationSeconds: number | null
}

const isInOrder = ({ format, cues }: CaptionFile): boolean =>
  format !== "html" && cues.every(({ start }, index) => start >= (cues[index - 1]?.start ?? 0))

const factsOf = (
  offer: CaptionOffer,
  file: CaptionFile,
  transcript: Transcript,
  { source, durationSeconds }: Asked,
): CaptionsFacts => {
  const offers = source.facts?.captions ?? []
  return {
    origin: offer.madeBy === "people" ? "publisher" : "automatic",
    language: offer.language ?? file.language,
    mediaLanguage: source.facts?.language ?? null,
    only: offers.every(({ language }) => language === offer.language),
    hasSpeakers: transcript.segments.some(({ speaker }) => speaker !== null),
    inOrder: isInOrder(file),
    lastCueEnd: file.cues.reduce((latest, { end }) => Math.max(latest, end), 0),
    duration: durationSeconds === null ? null : durationSeconds * 1000,
    words: wordCountOf(transcript.segments),
    bytes: file.cues.reduce((sum, { lines }) => sum + Buffer.byteLength(lines.join("\n")), 0),
  }
}

/** Whether there is more of the clip than is used of it. */
const isCapped = ({ source, durationSeconds }: Asked, { lastCueEnd }: CaptionsFacts): boolean =>
  source.shown.kind === "social" && (durationSeconds ?? lastCueEnd / 1000) >= SOCIAL_CLIP_SECONDS

/** The part asked for. Speakers are called as everywhere when they were asked for, and have no names otherwise. */
const shaped = (transcript: Transcript, { diarize, startAt, endAt }: OptionsSnapshot): Transcript => {
  const part = trim(transcript, {
    ...(startAt !== null && { start: startAt }),
    ...(endAt !== null && { end: endAt }),
  })
  const nameless = part.segments.map((segment) => ({
    ...segment,
    speaker: null,
    words: segment.words.map((word) => ({ ...word, speaker: null })),
  }))
  return { ...part, segments: diarize ? labelSpeakers(part.segments) : nameless }
}

/** The transcript that captions of the source give, or why none of them can stand for it. */
interface CaptionSearch {
  readonly transcript: Transcript | null
  readonly warnings: ReadonlyArray<Warning>
}

/** Reads the captions of a source, those that people made first. Costs nothing when there are none. */
export const searchCaptions = Effect.fnUntraced(function* (
  asked: Asked,
  resolver: SourceResolver["Type"],
  config: Pick<ServiceConfig["Type"], "allowAutomaticCaptions">,
) {
  const offers = [...(asked.source.facts?.captions ?? [])].sort(
    (left, right) => Number(left.madeBy === "machine") - Number(right.madeBy === "machine"),
  )
  const refused = new Set<CaptionsRefusal>()
  for (const offer of offers.slice(0, FILES_AT_MOST)) {
    const file = yield* resolver.captions(offer)
    if (file === null) continue
    const language = offer.language ?? file.language ?? asked.source.facts?.language ?? null
    const transcript = transcriptFromCues(file.cues, {
      language,
      ...(asked.durationSeconds !== null && { duration: asked.durationSeconds * 1000 }),
    })
    const facts = factsOf(offer, file, transcript, asked)
    const reasons = captionsRefusals(asked.options, facts, {
      allowAutomatic: config.allowAutomaticCaptions,
    })
    if (reasons.length === 0) {
      const found: CaptionSearch = {
        transcript: shaped(transcript, asked.options),
        warnings: [
          ...(transcript.segments.every(({ words }) => words.length > 0) ? [] : [warningOf("no_word_times")]),
          ...(isCapped(asked, facts) ? [warningOf("clip_capped")] : []),
        ],
      }
      return found
    }
    for (const reason of reasons) refused.add(reason)
  }
  const none: CaptionSearch = {
    transcript: null,
    warnings: refused.has("incomplete") ? [warningOf("captions_incomplete")] : [],
  }
  return none
})
