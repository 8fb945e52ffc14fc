/**
 * The model that readers, engines, the cue builder and the writers share.
 * Every time is a whole number of milliseconds from the start of the media; seconds exist on the wire only.
 */

/** One spoken word. Engines may deliver disordered or zero-length times; `repairWords` puts them right. */
export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
  /** 0 to 1, or null when the engine gives none. */
  readonly confidence: number | null
  /** A label of the form `Speaker <n>`, or the name a caption file gives; null when unknown. */
  readonly speaker: string | null
}

/** A line of a transcript: one speaker, read in one go. */
export interface Segment {
  readonly start: number
  readonly end: number
  readonly speaker: string | null
  readonly text: string
  /** Empty when the source has no word times. */
  readonly words: ReadonlyArray<Word>
  /** Present when a person changed the text, the speaker or the times of the line. */
  readonly edited?: true
}

/** A whole transcript, in reading order. */
export interface Transcript {
  /** ISO language code, or null when it is not known. */
  readonly language: string | null
  /** Length of the media in milliseconds. */
  readonly duration: number
  readonly segments: ReadonlyArray<Segment>
}

/** A caption as it is shown: what readers return, the cue builder makes, writers print and the lint judges. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly speaker: string | null
  readonly lines: ReadonlyArray<string>
  /** The words shown, with their times; empty when the file has none. */
  readonly words: ReadonlyArray<Word>
}
