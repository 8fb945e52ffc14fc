import * as Either from "effect/Either"
import { chaptersOf } from "../text/chapters.js"
import type { Cue } from "../transcripts/Transcript.js"
import type { CaptionFile } from "./CaptionFile.js"
import { languageOfCaptions } from "./lintCaptions.js"
import { transcriptFromCues } from "./transcriptFromCues.js"
import type { CueSheet } from "./writers/CueSheet.js"
import type { ExportRefused } from "./writers/ExportRefused.js"
import { exportFormats } from "./writers/exportFormats.js"
import { type Export, type ExportOptions, exportTranscript } from "./writers/exportTranscript.js"
import { isCueFormat, writeCueSheet } from "./writers/writeCueSheet.js"

export interface ConvertOptions extends Omit<ExportOptions, "format" | "language"> {
  readonly to: ExportOptions["format"]
  readonly title?: string | undefined
  /** When the file does not say it. */
  readonly language?: string | undefined
}

/**
 * A caption file in another format. From captions to captions the cues stay as they are, line by line, unless a profile
 * or a line length asks for new ones: by the language of the text, where nobody says it. Chapters are found in the text.
 */
export const convertCaptions = (
  file: Pick<CaptionFile, "cues" | "language">,
  options: ConvertOptions,
): Either.Either<Export, ExportRefused> => {
  const { to, title, language: given, ...rest } = options
  const keepsLayout =
    rest.profile === undefined && rest.maxCharsPerLine === undefined && rest.maxLines === undefined
  const isCut = !keepsLayout && isCueFormat(to)
  const language = given ?? (isCut ? languageOfCaptions(file) : file.language)
  if (isCut || !isCueFormat(to)) {
    const transcript = transcriptFromCues(file.cues, { language })
    const chapters = to === "chapters" ? chaptersOf(transcript) : undefined
    return exportTranscript({ ...transcript, title, chapters }, { ...rest, format: to })
  }
  const wordLevel = rest.wordLevel === true
  const refusal = wordLevel ? wordLevelRefusal(file, to) : null
  if (refusal !== null) return Either.left(refusal)
  const cues = rest.speakers === false ? file.cues.map((cue) => ({ ...cue, speaker: null })) : file.cues
  const sheet: CueSheet = {
    cues,
    language,
    title: title ?? null,
    get speakers() {
      return speakersOf(cues)
    },
    speakerAs: "voice",
    wordLevel,
    note: rest.provenance ?? null,
  }
  const { contentType, extension } = exportFormats[to]
  const chunks = { [Symbol.iterator]: () => writeCueSheet(to, sheet)[Symbol.iterator]() }
  return Either.right({ format: to, contentType, extension, title: title ?? null, chunks })
}

const speakersOf = (cues: ReadonlyArray<Cue>): ReadonlyArray<string> => {
  const speakers = new Set<string>()
  for (const cue of cues) if (cue.speaker !== null) speakers.add(cue.speaker)
  return [...speakers]
}

/** Asked of the same judge that exports answer to. */
const wordLevelRefusal = (file: Pick<CaptionFile, "cues">, format: ExportOptions["format"]) => {
  const asked = exportTranscript(transcriptFromCues(file.cues), { format, wordLevel: true })
  return Either.isLeft(asked) ? asked.left : null
}
