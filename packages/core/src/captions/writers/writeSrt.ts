import { stampPrinter } from "../timestamps.js"
import type { CueSheet, CueWriter } from "./CueSheet.js"
import { areAllBy, SpeakerChange, safeText, wordCues } from "./cueText.js"
import { printPlain } from "./printPlain.js"

const RISKY = /-->|[<{]/
const ARROW = /-->/g
const TAG_START = /<(?=[A-Za-z/!])|\{(?=\\)/g

/** SubRip has no escaping: what players would take for a tag gets an invisible word joiner behind its first character. */
const neutral = (line: string): string =>
  RISKY.test(line) ? line.replace(ARROW, "→").replace(TAG_START, "$&\u2060") : line

const FRAME = { emptyLine: "after", separator: "," } as const

/** SubRip: numbered cues, the name of the speaker before the text where another speaker begins. */
export const writeSrt = (sheet: CueSheet): CueWriter => {
  const stamp = stampPrinter(",")
  const speakers = new SpeakerChange()
  let number = 0
  return {
    head: "",
    cues: sheet.wordLevel ? wordCues(sheet.cues) : sheet.cues,
    cue: (cue) => {
      const text = safeText(cue, neutral)
      if (text === null) return ""
      const prefix = sheet.speakerAs === "text" ? "" : speakers.prefix(cue.speaker)
      const name = prefix === "" ? "" : neutral(prefix)
      const end = Math.max(cue.end, cue.start + 1)
      return `${++number}\n${stamp(cue.start)} --> ${stamp(end)}\n${name}${text}\n\n`
    },
    plainCues: (cues) => {
      if (sheet.speakerAs !== "text" && !areAllBy(cues, speakers.last)) return null
      const text = printPlain(cues, number + 1, FRAME)
      if (text !== null) number += cues.length
      return text
    },
    tail: () => "",
  }
}
