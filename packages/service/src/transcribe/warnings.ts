import { type Warning, warningOf } from "@earmark/core/jobs"
import type { EngineCapabilities } from "../ports/Speech.js"
import type { HearingOptions } from "./Checkpoints.js"

/** Each warning once. */
export const distinct = (warnings: ReadonlyArray<Warning>): ReadonlyArray<Warning> => [
  ...new Map(warnings.map((warning) => [warning.code, warning])).values(),
]

/** What a user should know about an engine beforehand. It follows from engine and options alone, so whoever resumes has the same. */
export const engineWarnings = (
  capabilities: EngineCapabilities,
  { language, vocabulary, quality, qualityExplicit }: HearingOptions,
): ReadonlyArray<Warning> => [
  ...(capabilities.isDraft ? [warningOf("draft_quality")] : []),
  ...(language === null && !capabilities.detectsLanguage ? [warningOf("language_guessed")] : []),
  ...(capabilities.confidence ? [] : [warningOf("no_confidence")]),
  ...(capabilities.vocabulary === "none" && vocabulary.length > 0 ? [warningOf("vocabulary_ignored")] : []),
  ...(qualityExplicit && !capabilities.qualities.includes(quality) ? [warningOf("quality_ignored")] : []),
]
