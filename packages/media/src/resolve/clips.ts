import type { CaptionFile } from "@earmark/core/captions"
import { SOCIAL_CLIP_SECONDS } from "@earmark/core/links"

/** As media fragments are written; a fragment is never sent to a server. */
const MARK = `#t=0,${SOCIAL_CLIP_SECONDS}`

/** The address of a text of which only the beginning counts. */
export const clipped = (url: string): string => url.replace(/#.*/s, "") + MARK

export const isClipped = (url: string): boolean => url.endsWith(MARK)

/** The beginning of a text, as much as is heard of a clip. */
export const clip = (file: CaptionFile): CaptionFile => {
  const end = SOCIAL_CLIP_SECONDS * 1000
  const cues = file.cues.filter(({ start }) => start < end)
  return {
    ...file,
    cues: cues.map((cue) => ({
      ...cue,
      end: Math.min(cue.end, end),
      words: cue.words.filter((word) => word.end <= end),
    })),
  }
}
