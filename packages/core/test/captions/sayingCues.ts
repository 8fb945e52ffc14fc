/** Words said evenly, and the cues that are made of them. */
import { buildCues, type CaptionProfileOptions, captionProfile } from "@earmark/core/captions"
import type { Word } from "@earmark/core/transcripts"

/** Words said evenly, about three a second unless told. */
export const say = (
  text: string,
  options: { readonly from?: number; readonly each?: number; readonly speaker?: string | null } = {},
): ReadonlyArray<Word> => {
  const { from = 0, each = 350, speaker = null } = options
  return text.split(" ").map((word, index) => ({
    text: word,
    start: from + index * each,
    end: from + (index + 1) * each,
    confidence: null,
    speaker,
  }))
}

export const heard = (text: string, start: number, end: number, speaker: string | null = null): Word => ({
  text,
  start,
  end,
  confidence: null,
  speaker,
})

export const standard = (options: CaptionProfileOptions = {}) =>
  captionProfile("standard", { language: "en", ...options })

export const cuesOf = (words: ReadonlyArray<Word>, options: CaptionProfileOptions = {}) =>
  buildCues(words, { profile: standard(options) })

export const linesOf = (words: ReadonlyArray<Word>, options: CaptionProfileOptions = {}) =>
  cuesOf(words, options).map((cue) => cue.lines)

export const timesOf = (words: ReadonlyArray<Word>, options: CaptionProfileOptions = {}) =>
  cuesOf(words, options).map((cue) => [cue.start, cue.end])
