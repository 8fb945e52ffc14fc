import { escapeMarkup } from "../../xml/escapeMarkup.js"
import { clock } from "../timestamps.js"
import { chapteredParagraphs, summaryLines } from "./chapteredParagraphs.js"
import type { Script } from "./Script.js"

const STYLE =
  "body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}cite{font-style:normal;font-weight:600;margin-right:.5rem}time{color:#666;font-size:.875rem}p{margin:.25rem 0 1rem}"

/** A whole page of `cite`, `time` and `p`: no script, nothing loaded from anywhere. */
export function* writeHtml(script: Script): Generator<string> {
  const title = escapeMarkup(script.title ?? "Transcript")
  const language = script.language === null ? "" : ` lang="${escapeMarkup(script.language)}"`
  yield `<!DOCTYPE html>\n<html${language}>\n<head>\n<meta charset="utf-8">\n`
  yield `<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${title}</title>\n`
  yield `<style>${STYLE}</style>\n</head>\n<body dir="auto">\n`
  if (script.title !== null) yield `<h1>${title}</h1>\n`
  for (const line of summaryLines(script)) yield `<p>${escapeMarkup(line)}</p>\n`
  for (const { chapters, speaker, start, text } of chapteredParagraphs(script)) {
    for (const chapter of chapters) yield `<h2>${escapeMarkup(chapter)}</h2>\n`
    if (text === "") continue
    const cite = speaker === null ? "" : `<cite>${escapeMarkup(speaker)}:</cite>`
    yield `${cite}<time>${clock(start)}</time>\n<p>${escapeMarkup(text)}</p>\n`
  }
  yield "</body>\n</html>\n"
}
