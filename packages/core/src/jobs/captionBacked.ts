import { baseLanguage } from "../text/languages.js"
import type { OptionsSnapshot } from "./options.js"

/** Who made the captions of a source. */
export type CaptionsOrigin = "publisher" | "upload" | "embedded" | "automatic" | "machine_translated"

/** What is known of the captions of a source after they were read. Times in milliseconds. */
export interface CaptionsFacts {
  readonly origin: CaptionsOrigin
  readonly language: string | null
  /** The language of the media, where its publisher names it. */
  readonly mediaLanguage: string | null
  /** Whether the source has captions in no other language. */
  readonly only: boolean
  readonly hasSpeakers: boolean
  /** Whether every cue has a time and none starts before the one above it. False for plain text and HTML. */
  readonly inOrder: boolean
  readonly lastCueEnd: number
  readonly duration: number | null
  readonly words: number
  readonly bytes: number
}

export type CaptionsRefusal =
  | "automatic"
  | "machine_translated"
  | "other_language"
  | "no_speakers"
  | "accurate_asked"
  | "no_times"
  | "incomplete"
  | "longer_than_media"
  | "too_few_words"
  | "too_large"

const LARGEST_BYTES = 5 * 1024 * 1024
const LEAST_COVERAGE = 0.8
const OVERHANG = 5000
const LEAST_WORDS_PER_MINUTE = 20

/** `en` asks for any English; `en-GB` is not answered with `en-US`. */
const isSameLanguage = (asked: string, given: string): boolean => {
  const [left, right] = [asked.toLowerCase(), given.toLowerCase()]
  return left === right || left === baseLanguage(given) || right === baseLanguage(asked)
}

const fitsLanguage = (asked: string | null, captions: CaptionsFacts): boolean => {
  if (asked !== null) return captions.language !== null && isSameLanguage(asked, captions.language)
  if (captions.language === null || captions.mediaLanguage === null) return captions.only
  return isSameLanguage(captions.mediaLanguage, captions.language)
}

/**
 * Why captions cannot stand for the transcript of a job; an empty list means that they can.
 * `allowAutomatic` is the operator's switch for automatic captions, which also need `quality: fast`.
 */
export const captionsRefusals = (
  options: OptionsSnapshot,
  captions: CaptionsFacts,
  operator: { readonly allowAutomatic: boolean },
): ReadonlyArray<CaptionsRefusal> => {
  const length = captions.duration ?? captions.lastCueEnd
  const automaticIsFine = operator.allowAutomatic && options.quality === "fast"
  const rules: ReadonlyArray<readonly [CaptionsRefusal, boolean]> = [
    ["automatic", captions.origin === "automatic" && !automaticIsFine],
    ["machine_translated", captions.origin === "machine_translated"],
    ["other_language", !fitsLanguage(options.language, captions)],
    // Nothing in captions says who is in which channel.
    ["no_speakers", options.channels === true || (options.diarize && !captions.hasSpeakers)],
    ["accurate_asked", options.qualityExplicit && options.quality === "accurate"],
    ["no_times", !captions.inOrder],
    ["incomplete", captions.lastCueEnd < length * LEAST_COVERAGE],
    ["longer_than_media", captions.lastCueEnd > length + OVERHANG],
    ["too_few_words", captions.words * 60_000 < length * LEAST_WORDS_PER_MINUTE || captions.words === 0],
    ["too_large", captions.bytes > LARGEST_BYTES],
  ]
  return rules.filter(([, broken]) => broken).map(([reason]) => reason)
}

/** Whether the captions of a source can stand for its transcript, at no cost and at once. */
export const acceptsCaptions = (
  options: OptionsSnapshot,
  captions: CaptionsFacts,
  operator: { readonly allowAutomatic: boolean } = { allowAutomatic: false },
): boolean => captionsRefusals(options, captions, operator).length === 0
