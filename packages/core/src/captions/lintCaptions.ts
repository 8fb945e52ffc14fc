import * as Either from "effect/Either"
import { identifyLanguage } from "../text/identifyLanguage.js"
import type { CaptionFile } from "./CaptionFile.js"
import { type CaptionProfileName, captionProfile } from "./CaptionProfile.js"
import type { CaptionFormat } from "./captionFormats.js"
import { type LintReport, lintCues } from "./lintCues.js"
import type { NotCaptions } from "./NotCaptions.js"
import { readCaptions } from "./readCaptions.js"

/** Under this confidence the language of a text is not known. */
const LEAST_CONFIDENCE = 0.5

/** The language that the file tells, or that its text is in: the limits of a profile depend on it. */
export const languageOfCaptions = ({
  language,
  cues,
}: Pick<CaptionFile, "cues" | "language">): string | null => {
  if (language !== null) return language
  const identified = identifyLanguage(cues.flatMap(({ lines }) => lines).join(" "))
  return identified !== null && identified.confidence >= LEAST_CONFIDENCE ? identified.code : null
}

export interface LintCaptionsOptions {
  readonly format?: CaptionFormat | undefined
  /** `standard` when left out. */
  readonly profile?: CaptionProfileName | undefined
  readonly maxCharsPerLine?: number | undefined
  readonly maxLines?: number | undefined
  /** That of the file when left out. */
  readonly language?: string | undefined
  /** What is known of the file that the text was made of. */
  readonly doubts?: CaptionFile["doubts"] | undefined
}

/** Judges the text of a caption file as it stands. */
export const lintCaptions = (
  text: string,
  { format, profile = "standard", doubts, language, ...limits }: LintCaptionsOptions = {},
): Either.Either<LintReport, NotCaptions> =>
  Either.map(readCaptions(text, format === undefined ? {} : { format }), (file) =>
    lintCues(
      file.cues,
      captionProfile(profile, { ...limits, language: language ?? languageOfCaptions(file) }),
      { source: text, doubts: doubts ?? file.doubts },
    ),
  )
