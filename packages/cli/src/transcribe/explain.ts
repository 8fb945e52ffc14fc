/** What happened and what to do, for the one who runs the machine. */

import { withStop } from "@earmark/batch"
import { type FailureCode, type WarningCode, warningOf } from "@earmark/core/jobs"
import { troubleOf } from "@earmark/engines"
import { FetchFailed, MachineTrouble, type WorkFailed } from "@earmark/service"
import { BLOCKED } from "./sentences.js"

const AGAIN = "run the same command again: it goes on where it was"

/** The codes of a service in the words of a command: there is no job to retry here, no plan and no upload. */
const FAILURES: Readonly<Record<FailureCode, string>> = {
  source_unresolvable:
    "No media could be found behind the link; check that it opens in a browser, or give the address of the media file itself.",
  source_forbidden:
    "The server refused to hand out the media; download it with your browser, and give the file.",
  source_not_found: "There is nothing there; check the address or the path.",
  source_blocked: BLOCKED,
  download_failed: `The media could not be downloaded completely; ${AGAIN}.`,
  download_timeout: "The server was too slow; try again later, or download it yourself and give the file.",
  unsupported_media:
    "This file cannot be decoded as audio or video. Convert it, for example: ffmpeg -i FILE out.mp3",
  empty_media: "It has no sound. Check that the file has an audio track and is complete.",
  no_speech: "No speech was found in it; check that this is the right file and that the voice is not muted.",
  media_too_long:
    "It is longer than EARMARK_MAX_MEDIA_SECONDS allows; take a part with --start and --end, or raise the setting.",
  media_too_large:
    "It is larger than EARMARK_MAX_MEDIA_BYTES allows; extract the sound alone, or raise the setting.",
  feed_invalid: "This cannot be read as a podcast feed; check its address, or give the episode itself.",
  episode_not_found: "The feed has no such episode with sound; earmark feed ADDRESS lists those it has.",
  upload_missing: "The file is not there any more; check the path.",
  language_unsupported:
    "The engine does not know this language; earmark doctor shows how to get one that does, or leave out --language.",
  insufficient_credits: "The account has too few credits.",
  engine_error: `The speech engine failed; ${AGAIN}, or try another one with --engine.`,
  engine_timeout: `The speech engine took too long; ${AGAIN}, or try --quality fast.`,
  engine_unavailable: "The speech engine cannot be started; earmark doctor shows what is missing.",
  internal_error:
    "Something went wrong on this machine. Run the same command again; if it fails again, add --verbose to see why.",
  canceled: `It was stopped; ${AGAIN}.`,
  expired: `It took too long; ${AGAIN}.`,
}

/** What the decoder says of a feed, and how its episodes are named here. */
const FEED_GIVEN = "of a feed, name the episodes that you want"
const FEED_OPTIONS =
  "of a feed, name the episodes that you want: add --latest 1, --episode, --all, --since or --match"

const isEngineTrouble = ({ code }: WorkFailed): boolean =>
  code.startsWith("engine_") || code === "language_unsupported"

/** A failure in one sentence, with what the engine itself says where that helps. */
export const explainFailure = (failure: WorkFailed, address: string | null = null): string => {
  if (isEngineTrouble(failure) && failure.cause instanceof Error) {
    const trouble = withStop(troubleOf(failure))
    // An engine that is missing says by itself how to get one.
    return failure.code === "engine_unavailable" ? trouble : `${FAILURES[failure.code]} It says: ${trouble}`
  }
  // An episode is known by its title, so its address is said with what its server answered.
  if (failure.cause instanceof FetchFailed && address !== null) {
    const { detail, status } = failure.cause
    // Where nothing answered, the reason says it all: the sentence of the code is about pages that answer without media.
    const isSaid = failure.code === "source_unresolvable" && status === null
    return `${address}: ${withStop(detail)}${isSaid ? "" : ` ${FAILURES[failure.code]}`}`
  }
  if (failure.cause instanceof MachineTrouble) return withStop(failure.cause.message)
  if (failure.code === "internal_error" && failure.cause instanceof Error) {
    return `${FAILURES.internal_error} It says: ${withStop(failure.cause.message)}`
  }
  // Of limits the decoder does not know which setting they come from.
  const detail = failure.code.startsWith("media_too_") ? undefined : failure.detail
  return withStop(detail?.replace(FEED_GIVEN, FEED_OPTIONS) ?? FAILURES[failure.code])
}

interface WarningTexts {
  /** A few words, for the line of a result. */
  readonly short: string
  /** What it means and what helps, told once a run. */
  readonly help: string
}

const WARNINGS: Readonly<Record<WarningCode, WarningTexts>> = {
  draft_quality: {
    short: "draft",
    help: "The engine is a small one, so expect mistakes; earmark doctor shows how to get a better one.",
  },
  vocabulary_ignored: {
    short: "vocabulary not used",
    help: "The engine cannot use --vocabulary; another one may (--engine).",
  },
  vocabulary_truncated: {
    short: "vocabulary cut",
    help: "The engine takes fewer words than --vocabulary names: the first ones were used.",
  },
  language_guessed: {
    short: "language assumed",
    help: `${warningOf("language_guessed").detail} If another one was spoken, name it with --language.`,
  },
  no_word_times: {
    short: "no word times",
    help: "There are no times for single words, so --word-level cannot be used.",
  },
  word_times_estimated: {
    short: "some word times estimated",
    help: "Some words could not be found in the sound, so their times are estimated; the others are exact.",
  },
  no_confidence: {
    short: "no confidence",
    help: "Words have no confidence values: the engine gives none.",
  },
  quality_ignored: {
    short: "one quality only",
    help: "The engine has one quality only; --quality changed nothing.",
  },
  media_truncated: {
    short: "file is cut off",
    help: "The file ends before its announced length: what is there was transcribed. Fetch it again if you want the rest.",
  },
  media_damaged: {
    short: "file is damaged",
    help: "Parts of the file could not be decoded. Times after a damaged part can be too early, by at most its length. Get a complete copy of the file if you can.",
  },
  channels_cancel: {
    short: "one channel used",
    help: "The two channels cancel each other out; the louder one was heard.",
  },
  channels_alike: {
    short: "channels alike",
    help: "It has one channel, or the same sound in several, so --channels cannot label everybody: --diarize tells voices apart by their sound.",
  },
  narrowband: {
    short: "telephone sound",
    help: "The sound has nothing above 6 kHz, as on a telephone: engines mishear more of it. A recording at 16 kHz or more is heard better.",
  },
  vad_energy: {
    short: "speech found by loudness",
    help: "Speech was detected by loudness alone. For noisy recordings run: earmark models pull silero-vad",
  },
  speech_lost: {
    short: "parts without words",
    help: "A voice was detected where the engine found no words. It may be speech that was missed, or music and noise: listen to the places named.",
  },
  text_doubtful: {
    short: "text doubtful",
    help: "Engines write fluent text for a language they do not know, and some do for music and noise. If it is another language, name it with --language.",
  },
  parts_doubtful: {
    short: "parts doubtful",
    help: "Some of the text does not sound like the recording, goes in circles, or is too fast to be spoken: listen to the places named before you use it.",
  },
  captions_incomplete: {
    short: "captions incomplete",
    help: "The publisher's captions do not cover all of it, so it was listened to.",
  },
  diarization_failed: { short: "speakers unknown", help: "The speakers could not be told apart." },
  translation_incomplete: {
    short: "parts not translated",
    help: "Some segments could not be translated: they are in the language that was spoken.",
  },
  clip_capped: { short: "first 90 seconds", help: "Clips of social sites are cut at 90 seconds." },
}

export const shortWarning = (code: WarningCode): string => WARNINGS[code].short

export const helpOfWarning = (code: WarningCode): string => WARNINGS[code].help
