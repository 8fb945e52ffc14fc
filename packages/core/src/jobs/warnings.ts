import * as Schema from "effect/Schema"

export const WarningCode = Schema.Literal(
  "vocabulary_ignored",
  "vocabulary_truncated",
  "language_guessed",
  "no_word_times",
  "no_confidence",
  "quality_ignored",
  "draft_quality",
  "media_truncated",
  "media_damaged",
  "channels_cancel",
  "channels_alike",
  "narrowband",
  "vad_energy",
  "speech_lost",
  "text_doubtful",
  "parts_doubtful",
  "captions_incomplete",
  "diarization_failed",
  "clip_capped",
  "translation_incomplete",
  "word_times_estimated",
)
export type WarningCode = typeof WarningCode.Type

const SENTENCES: Readonly<Record<WarningCode, string>> = {
  vocabulary_ignored: "The engine cannot use a vocabulary, so it was left out.",
  vocabulary_truncated: "The engine takes fewer terms, so only the first ones of the vocabulary were used.",
  language_guessed: "The language was assumed: the engine did not detect it.",
  no_word_times: "The source has no times for single words, so exports by word are not possible.",
  no_confidence: "The engine does not say how sure it is of a word.",
  quality_ignored: "The engine has one quality only.",
  draft_quality: "Made by a small offline engine: expect mistakes.",
  media_truncated: "The file ends before its announced length; what is there was transcribed.",
  media_damaged: "The file is damaged: parts of it could not be decoded; the rest was transcribed.",
  channels_cancel: "The two channels cancel each other out; the louder one was used.",
  channels_alike:
    "The recording has one channel, or several with the same sound: they are not labelled as different speakers. Use diarize to tell voices apart.",
  narrowband: "The sound is that of a telephone, with nothing above 6 kHz: engines mishear more of it.",
  vad_energy: "Speech was detected by loudness alone.",
  speech_lost: "The engine found no words in parts where a voice was detected; integrity.gaps lists them.",
  text_doubtful:
    "The text hardly fits the sound: it may be another language than the engine's, music or noise. Listen before you use it.",
  parts_doubtful: "Parts of the text may not be what was said; integrity.doubts lists them.",
  captions_incomplete: "The source has captions, but they do not cover it, so the sound was transcribed.",
  diarization_failed: "The speakers could not be told apart; the job was billed without diarization.",
  clip_capped: "Clips of social links are cut at 90 seconds.",
  word_times_estimated:
    "Some words could not be found in the sound; their times are estimated from the lengths of words and sounds.",
  translation_incomplete:
    "Some lines could not be translated; they stand in the translation as they were said.",
}

/** Something that a user should know about a transcript that is otherwise fine. */
export const Warning = Schema.Struct({ code: WarningCode, detail: Schema.String })
export type Warning = typeof Warning.Type

export const warningOf = (code: WarningCode): Warning => ({ code, detail: SENTENCES[code] })
