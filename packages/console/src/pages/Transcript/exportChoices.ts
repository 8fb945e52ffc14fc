/** What was chosen for an export, in the address: loading the page again, and coming back to it, keep it. */
import type { TranscriptionsExportQuery } from "@earmark/api/client"
import { query, setQuery } from "../../router.js"

export const FORMATS = [
  "srt",
  "vtt",
  "txt",
  "md",
  "docx",
  "html",
  "json",
  "csv",
  "tsv",
  "chapters",
  "podcast_json",
] as const
export const PROFILES = ["standard", "podcast", "netflix"] as const
export const LINE_LENGTH = { min: 16, max: 80 }
export const LINES = { min: 1, max: 4 }

const numberIn = (text: string | null, { min, max }: typeof LINES): number | undefined => {
  const number = Number(text)
  return Number.isInteger(number) && number >= min && number <= max ? number : undefined
}

/** What the address names. What it cannot mean is left out. */
export const choicesInAddress = (translations: ReadonlyArray<string>): TranscriptionsExportQuery => {
  const given = query.peek()
  const one = <Value extends string>(name: string, of: ReadonlyArray<Value>) =>
    of.find((each) => each === given.get(name))
  return {
    format: one("format", FORMATS) ?? "srt",
    profile: one("profile", PROFILES),
    max_chars_per_line: numberIn(given.get("max_chars_per_line"), LINE_LENGTH),
    max_lines: numberIn(given.get("max_lines"), LINES),
    language: one("language", translations),
    speakers: given.get("speakers") === "false" ? false : undefined,
    word_level: given.get("word_level") === "true" ? true : undefined,
  }
}

export const choicesToAddress = ({ format, speakers, ...rest }: TranscriptionsExportQuery): void =>
  setQuery({
    ...rest,
    format: format === "srt" ? null : format,
    speakers: speakers === false ? "false" : null,
  })
