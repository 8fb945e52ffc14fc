import { clock, stampPrinter } from "../timestamps.js"
import { chapteredParagraphs, summaryLines } from "./chapteredParagraphs.js"
import type { Script } from "./Script.js"

const INLINE = /[\\`*_[\]<>&|~$]/g
/** What makes a block of a line when it stands at its start. */
const BLOCK = /^(?:[#+=-]|:(?=\s|$))/
const NUMBERED = /^(\d{1,9})([.)])(?=\s|$)/

/** Text that Markdown shows as it is. */
const escapeMarkdown = (text: string): string =>
  text.replace(INLINE, "\\$&").replace(BLOCK, "\\$&").replace(NUMBERED, "$1\\$2")

/** Markdown: title, summary, chapters as headings, each paragraph under its speaker and time; at word level as a list of its words. */
export function* writeMarkdown(script: Script): Generator<string> {
  const stamp = stampPrinter(".")
  if (script.title !== null) yield `# ${escapeMarkdown(script.title)}\n\n`
  for (const line of summaryLines(script)) yield `${escapeMarkdown(line)}\n\n`
  for (const { chapters, speaker, start, text, pieces } of chapteredParagraphs(script)) {
    for (const title of chapters) yield `## ${escapeMarkdown(title)}\n\n`
    if (text === "") continue
    const name = speaker === null ? "" : `**${escapeMarkdown(speaker)}** `
    const words = pieces.map((piece) => `- ${stamp(piece.start)} ${escapeMarkdown(piece.text)}\n`)
    const body = script.wordLevel ? words.join("") : `${escapeMarkdown(text)}\n`
    yield `${name}[${clock(start)}]\n\n${body}\n`
  }
}
