import { stamp } from "../timestamps.js"
import type { CueSheet } from "./CueSheet.js"
import { cleanLines, SpeakerChange, wordCues } from "./cueText.js"

const RISKY = /-->|[<{]/
const ARROW = /-->/g
const TAG_START = /<(?=[A-Za-z/!])|\{(?=\\)/g

/** SubRip has no escaping: what players would take for a tag gets an invisible word joiner behind its first character. */
const neutral = (line: string): string =>
  RISKY.test(line) ? line.replace(ARROW, "→").replace(TAG_START, "$&\u2060") : line

/** SubRip: numbered cues, the name of the speaker before the text where another speaker begins. */
export function* writeSrt(sheet: CueSheet): Generator<string> {
  const speakers = new SpeakerChange()
  let number = 0
  for (const cue of sheet.wordLevel ? wordCues(sheet.cues) : sheet.cues) {
    const lines = cleanLines(cue)
    if (lines.length === 0) continue
    let text = sheet.speakerAs === "text" ? "" : neutral(speakers.prefix(cue.speaker))
    for (let line = 0; line < lines.length; line++) text += `${neutral(lines[line] ?? "")}\n`
    yield `${++number}\n${stamp(cue.start, ",")} --> ${stamp(Math.max(cue.end, cue.start + 1), ",")}\n${text}\n`
  }
}
