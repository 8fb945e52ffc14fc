import { cleanText } from "../../text/cleanText.js"
import { escapeMarkup } from "../../xml/escapeMarkup.js"
import { stampPrinter } from "../timestamps.js"
import type { CueSheet, CueWriter } from "./CueSheet.js"
import { cleanLines } from "./cueText.js"

const NAMESPACES =
  'xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xmlns:ttp="http://www.w3.org/ns/ttml#parameter"'

const hasName = (speaker: string): boolean => cleanText(speaker) !== ""

/** TTML: one paragraph for each cue, speakers as agents. */
export const writeTtml = (sheet: CueSheet): CueWriter => {
  const stamp = stampPrinter(".")
  const agents = new Map(
    sheet.speakers.filter(hasName).map((speaker, index) => [speaker, `speaker${index + 1}`]),
  )
  const title = sheet.title === null ? "" : `<ttm:title>${escapeMarkup(sheet.title)}</ttm:title>\n`
  const people = Array.from(
    agents,
    ([speaker, id]) =>
      `<ttm:agent xml:id="${id}" type="person"><ttm:name type="full">${escapeMarkup(speaker)}</ttm:name></ttm:agent>\n`,
  )
  const language = escapeMarkup(sheet.language ?? "")
  return {
    head:
      `<?xml version="1.0" encoding="UTF-8"?>\n<tt ${NAMESPACES} ttp:timeBase="media" xml:lang="${language}">\n` +
      `<head><metadata>\n${title}${people.join("")}</metadata></head>\n<body><div>\n`,
    cues: sheet.cues,
    cue: (cue) => {
      const lines = cleanLines(cue)
      if (lines.length === 0) return ""
      const id = agents.get(cue.speaker ?? "")
      const agent = id === undefined ? "" : ` ttm:agent="${id}"`
      const times = `begin="${stamp(cue.start)}" end="${stamp(Math.max(cue.end, cue.start + 1))}"`
      return `<p ${times}${agent}>${lines.map(escapeMarkup).join("<br/>")}</p>\n`
    },
    tail: () => "</div></body>\n</tt>\n",
  }
}
