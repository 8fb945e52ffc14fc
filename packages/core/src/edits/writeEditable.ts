import { stampPrinter } from "../captions/timestamps.js"
import { cleanText } from "../text/cleanText.js"
import type { Segment, Transcript } from "../transcripts/Transcript.js"

/** What an editable file was made of, so that it is never applied to anything else. */
export interface EditableBase {
  readonly id: string
  readonly revision: number
}

const EXPLANATION = `
# Each line is: [start - end speaker] text. Lines that begin with # are ignored.
# Change times, speakers and text where they stand. Delete a line to remove it.
# Join two lines: move the text of one into the other, and delete the empty one.
# Split a line: begin a new line with [+] or [+ Speaker] in front of its second part.
`

const BASE = /^# Transcript (\w{1,64}), revision (\d{1,9})\b/m

const PLAIN_NAME = /^[^\]"[]+$/

/** A name that could be taken for something else stands in quotes, as JSON. */
const nameIn = (speaker: string): string =>
  PLAIN_NAME.test(speaker) && cleanText(speaker) === speaker ? speaker : JSON.stringify(cleanText(speaker))

const LONGEST_TITLE = 80

const titleIn = (title: string | null): string => {
  const clean = cleanText(title ?? "")
  return clean === "" ? "" : `: ${clean.slice(0, LONGEST_TITLE)}`
}

/** A transcript as a text that people edit: a line for each line, with its times and its speaker. `readEdited` reads it. */
export const writeEditable = (
  { segments }: Pick<Transcript, "segments">,
  { id, revision, title = null }: EditableBase & { readonly title?: string | null },
): string => {
  const stamp = stampPrinter(".")
  const lineOf = ({ start, end, speaker, text }: Segment): string => {
    const name = speaker === null ? "" : ` ${nameIn(speaker)}`
    return `[${stamp(start)} - ${stamp(end)}${name}] ${cleanText(text)}\n`
  }
  const head = `# Transcript ${id}, revision ${revision}${titleIn(title)}${EXPLANATION}\n`
  return head + segments.map(lineOf).join("")
}

/** What the first lines of an editable file say that it was made of; null where they do not say. */
export const editableBaseOf = (file: string): EditableBase | null => {
  const [, id, revision] = BASE.exec(file.slice(0, 2000)) ?? []
  return id === undefined || revision === undefined ? null : { id, revision: Number(revision) }
}
