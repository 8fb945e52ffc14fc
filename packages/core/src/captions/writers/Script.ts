import type { Chapter } from "../../text/chapters.js"
import type { Segment } from "../../transcripts/Transcript.js"

/** A document made ready for the writers: names in place of labels, the chosen language, safe text. */
export interface Script {
  readonly id: string | null
  readonly title: string | null
  readonly summary: string | null
  readonly language: string | null
  readonly duration: number
  readonly chapters: ReadonlyArray<Chapter>
  /** Every name that occurs, in order of first appearance. */
  readonly speakers: ReadonlyArray<string>
  /** May be read several times; made anew each time, so that a long transcript is never copied whole. */
  readonly segments: Iterable<Segment>
  readonly wordLevel: boolean
}
