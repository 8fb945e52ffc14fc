/** What a client may ask of a job, and what a job was made with. */
import * as Schema from "effect/Schema"
import { field, integer, LanguageCode, optional, optionalField, Seconds, sometimes, text } from "./fields.js"

export const Quality = Schema.Literal("fast", "accurate")
export type Quality = typeof Quality.Type

const VOCABULARY_TERMS = 200
/** More than ten hours of speech hold. */
const TRANSCRIPT_CHARACTERS = 500_000
const MOST_SPEAKERS = 32

/** How many people speak, as far as the client knows. */
export const SpeakerRange = Schema.Struct({
  min: optional(integer(1, MOST_SPEAKERS)),
  max: optional(integer(1, MOST_SPEAKERS)),
}).pipe(
  Schema.filter(({ min = 1, max = MOST_SPEAKERS }) =>
    min <= max ? undefined : { path: ["max"], message: "max is less than min" },
  ),
)
export type SpeakerRange = typeof SpeakerRange.Type

const Vocabulary = Schema.Array(text(100)).pipe(
  Schema.maxItems(VOCABULARY_TERMS, { description: `at most ${VOCABULARY_TERMS} terms` }),
)

/** Off when left out, so that writing the default out makes no other request. */
const Switch = Schema.optionalWith(Schema.Boolean, { nullable: true, default: () => false })

/** The options of a request, all optional: `POST /transcriptions` and whole feeds take the same ones. */
export const requestedOptions = {
  language: optional(LanguageCode),
  diarize: Switch,
  summary: Switch,
  chapters: Switch,
  translateTo: optionalField("translate_to", LanguageCode),
  quality: optional(Quality),
  speakers: optional(SpeakerRange),
  vocabulary: optional(Vocabulary),
  startAt: optionalField("start_at", Seconds),
  endAt: optionalField("end_at", Seconds),
}

const RequestedOptions = Schema.Struct(requestedOptions)
export type RequestedOptions = typeof RequestedOptions.Type

/** What is said in the recording, as the client has it: its words are found in the sound, and nothing else is recognised. */
export const TranscriptText = text(TRANSCRIPT_CHARACTERS)

/** Options of no use to a request that brings its text. */
export const transcriptTextConflicts = ({
  transcriptText,
  quality,
  vocabulary,
}: Pick<RequestedOptions, "quality" | "vocabulary"> & {
  readonly transcriptText?: string | undefined
}): Array<Schema.FilterIssue> => {
  if (transcriptText === undefined) return []
  const unused = (name: string) => ({
    path: [name],
    message: `${name} is of no use with transcript_text: its words are aligned, not recognized`,
  })
  return [
    ...(/[\p{L}\p{N}]/u.test(transcriptText)
      ? []
      : [{ path: ["transcript_text"], message: "transcript_text has no words" }]),
    ...(quality === undefined ? [] : [unused("quality")]),
    ...(vocabulary === undefined || vocabulary.length === 0 ? [] : [unused("vocabulary")]),
  ]
}

/** Problems of options that are each fine alone. */
export const optionConflicts = (options: RequestedOptions): Array<Schema.FilterIssue> => {
  const conflicts: Array<Schema.FilterIssue> = []
  if (options.endAt !== undefined && options.endAt <= (options.startAt ?? 0)) {
    conflicts.push({ path: ["end_at"], message: "end_at must come after start_at" })
  }
  if (options.speakers !== undefined && options.diarize !== true) {
    conflicts.push({ path: ["speakers"], message: "speakers is of use only with diarize: true" })
  }
  return conflicts
}

const effective = {
  language: Schema.NullOr(LanguageCode),
  diarize: Schema.Boolean,
  summary: Schema.Boolean,
  chapters: Schema.Boolean,
  translateTo: field("translate_to", Schema.NullOr(LanguageCode)),
  quality: Quality,
  speakers: Schema.NullOr(SpeakerRange),
  vocabulary: Schema.Array(Schema.String),
  startAt: field("start_at", Schema.NullOr(Seconds)),
  endAt: field("end_at", Schema.NullOr(Seconds)),
}

/** The options that a job runs with, as its record shows them. */
export const Options = Schema.Struct(effective)
export type Options = typeof Options.Type

/** The options as they are stored with the job, once and for all: a retry or a restart can never drop one. */
export const OptionsSnapshot = Schema.Struct({
  ...effective,
  /** Only a quality that somebody asked for rules out a caption-backed answer. */
  qualityExplicit: field("quality_explicit", Schema.Boolean),
  /** Each channel of the sound is one speaker. Only where this machine works for itself: a job cannot ask for it. */
  channels: sometimes(Schema.Boolean),
  /** Only where the request brought one. Records do not show it: it becomes their text. */
  transcriptText: sometimes(TranscriptText).pipe(Schema.fromKey("transcript_text")),
  /** So long after the end of the job its text is deleted. Records show when that is. */
  deleteAfterSeconds: sometimes(integer(1)).pipe(Schema.fromKey("delete_after_seconds")),
})
export type OptionsSnapshot = typeof OptionsSnapshot.Type

export const effectiveOptions = (
  requested: Partial<RequestedOptions> & {
    readonly transcriptText?: string | undefined
    readonly channels?: boolean | undefined
    readonly deleteAfterSeconds?: number | undefined
  },
  defaults: { readonly quality: Quality } = { quality: "accurate" },
): OptionsSnapshot => ({
  language: requested.language ?? null,
  diarize: requested.diarize ?? false,
  summary: requested.summary ?? false,
  chapters: requested.chapters ?? false,
  translateTo: requested.translateTo ?? null,
  quality: requested.quality ?? defaults.quality,
  qualityExplicit: requested.quality !== undefined,
  speakers: requested.speakers ?? null,
  vocabulary: requested.vocabulary ?? [],
  startAt: requested.startAt ?? null,
  endAt: requested.endAt ?? null,
  ...(requested.channels === true && { channels: true }),
  ...(requested.transcriptText !== undefined && { transcriptText: requested.transcriptText }),
  ...(requested.deleteAfterSeconds !== undefined && { deleteAfterSeconds: requested.deleteAfterSeconds }),
})
