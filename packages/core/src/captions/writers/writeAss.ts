import { cleanText } from "../../text/cleanText.js"
import type { Cue } from "../../transcripts/Transcript.js"
import { centisecondStamp, printable } from "../timestamps.js"
import type { CueSheet, CueWriter } from "./CueSheet.js"
import { cleanLines, lineParts } from "./cueText.js"

const head = (title: string | null) => `[Script Info]
Title: ${cleanText(title ?? "")}
ScriptType: v4.00+
WrapStyle: 2
ScaledBorderAndShadow: yes
PlayResX: 1920
PlayResY: 1080

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,64,&H00FFFFFF,&H00BFBFBF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,3,1,2,80,80,60,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`

/** A spoken backslash must not join what follows to a command; braces hide text whatever stands before them. */
const escapeText = (text: string): string =>
  text.replaceAll("\\", "\\\u2060").replaceAll("{", "｛").replaceAll("}", "｝")

const fieldName = (speaker: string | null): string => cleanText(speaker ?? "").replaceAll(",", "，")

const inCentiseconds = (milliseconds: number): number => Math.round(printable(milliseconds) / 10)

/** Each word lasts until the next begins, so the lengths of a line add up. */
const karaokeText = (cue: Cue, lines: ReadonlyArray<string>): string => {
  const parts = lineParts(lines, cue.words)
  if (parts === null) return lines.map(escapeText).join("\\N")
  const starts = cue.words.map((word) => inCentiseconds(word.start))
  const begin = inCentiseconds(cue.start)
  const end = inCentiseconds(cue.end)
  let at = begin
  let word = 0
  const until = (next: number) => Math.min(end, Math.max(at, starts[next] ?? end))
  return parts
    .map((line) => {
      let text = ""
      for (const part of line) {
        if (part.word !== null) {
          const stop = until(++word)
          text += `{\\k${stop - at}}`
          at = stop
        }
        text += escapeText(part.text)
      }
      return text
    })
    .join("\\N")
}

const comment = (note: string | null): string =>
  note === null ? "" : `Comment: 0,0:00:00.00,0:00:00.00,Default,,0,0,0,,${escapeText(cleanText(note))}\n`

/** Advanced SubStation Alpha with one plain style. Hours go on past nine, which most players read. */
export const writeAss = (sheet: CueSheet): CueWriter => ({
  head: head(sheet.title) + comment(sheet.note),
  cues: sheet.cues,
  cue: (cue) => {
    const lines = cleanLines(cue)
    if (lines.length === 0) return ""
    const isTimed = sheet.wordLevel && cue.words.length > 0
    const text = isTimed ? karaokeText(cue, lines) : lines.map(escapeText).join("\\N")
    const times = `${centisecondStamp(cue.start)},${centisecondStamp(Math.max(cue.end, cue.start + 10))}`
    return `Dialogue: 0,${times},Default,${fieldName(cue.speaker)},0,0,0,,${text}\n`
  },
  tail: () => "",
})
