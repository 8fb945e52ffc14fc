import { stamp } from "../timestamps.js"
import type { CueSheet } from "./CueSheet.js"
import { cleanLines } from "./cueText.js"
import { escapeMarkup } from "./markupText.js"

const NAMESPACES =
  'xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xmlns:ttp="http://www.w3.org/ns/ttml#parameter"'

/** TTML: one paragraph for each cue, speakers as agents. */
export function* writeTtml(sheet: CueSheet): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<tt ${NAMESPACES} ttp:timeBase="media" xml:lang="${escapeMarkup(sheet.language ?? "")}">\n`
  yield "<head><metadata>\n"
  if (sheet.title !== null) yield `<ttm:title>${escapeMarkup(sheet.title)}</ttm:title>\n`
  const agents = new Map<string, string>()
  for (const speaker of sheet.speakers) {
    const id = `speaker${agents.size + 1}`
    agents.set(speaker, id)
    yield `<ttm:agent xml:id="${id}" type="person"><ttm:name type="full">${escapeMarkup(speaker)}</ttm:name></ttm:agent>\n`
  }
  yield "</metadata></head>\n<body><div>\n"
  for (const cue of sheet.cues) {
    const lines = cleanLines(cue)
    if (lines.length === 0) continue
    const id = agents.get(cue.speaker ?? "")
    const agent = id === undefined ? "" : ` ttm:agent="${id}"`
    const times = `begin="${stamp(cue.start, ".")}" end="${stamp(Math.max(cue.end, cue.start + 1), ".")}"`
    yield `<p ${times}${agent}>${lines.map(escapeMarkup).join("<br/>")}</p>\n`
  }
  yield "</div></body>\n</tt>\n"
}
