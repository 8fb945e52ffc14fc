import type { WordTiming } from "../../jobs/content.js"
import type { Chapter } from "../../text/chapters.js"
import type { Doubt } from "../../transcripts/doubts.js"
import type { Transcript } from "../../transcripts/Transcript.js"

/** The text of a transcript in another language. It has no word times. */
export interface Translation {
  readonly language: string
  readonly segments: Transcript["segments"]
}

/** A transcript with all that an export may show beside the words. */
export interface ExportDocument extends Transcript {
  readonly id?: string | null | undefined
  readonly title?: string | null | undefined
  readonly summary?: string | null | undefined
  readonly chapters?: ReadonlyArray<Chapter> | null | undefined
  /** The names shown in place of the labels, such as `{"Speaker 1": "Ann"}`. */
  readonly speakerNames?: Readonly<Record<string, string>> | null | undefined
  readonly translation?: Translation | null | undefined
  /** Where the times of the words come from; not known when left out. */
  readonly wordTiming?: WordTiming | null | undefined
  /** Where the text may not be what was said. */
  readonly doubts?: ReadonlyArray<Doubt> | undefined
}
