import { clock } from "../timestamps.js"
import { chapterTitle, paragraphsOf, summaryLines } from "./paragraphs.js"
import type { Script } from "./Script.js"

const INLINE = /[\\`*_[\]<>&|~$]/g
/** What makes a block of a line when it stands at its start. */
const BLOCK = /^(?:[#+=-]|:(?=\s|$))/
const NUMBERED = /^(\d{1,9})([.)])(?=\s|$)/

/** Text that Markdown shows as it is. */
const escapeMarkdown = (text: string): string =>
  text.replace(INLINE, "\\$&").replace(BLOCK, "\\$&").replace(NUMBERED, "$1\\$2")

/** Markdown: title, summary, chapters as headings, each paragraph under its speaker and time. */
export function* writeMarkdown(script: Script): Generator<string> {
  if (script.title !== null) yield `# ${escapeMarkdown(script.title)}\n\n`
  for (const line of summaryLines(script)) yield `${escapeMarkdown(line)}\n\n`
  for (const { chapters, speaker, start, text } of paragraphsOf(script)) {
    for (const chapter of chapters) yield `## ${escapeMarkdown(chapterTitle(chapter))}\n\n`
    if (text === "") continue
    const name = speaker === null ? "" : `**${escapeMarkdown(speaker)}** `
    yield `${name}[${clock(start)}]\n\n${escapeMarkdown(text)}\n\n`
  }
}
