import { cleanText } from "../../text/cleanText.js"
import type { Cue } from "../../transcripts/Transcript.js"
import { printable, stamp } from "../timestamps.js"
import type { CueSheet } from "./CueSheet.js"
import { cleanLines, lineParts, SpeakerChange } from "./cueText.js"

const SPECIAL = /[&<>]/

const escapeText = (text: string): string =>
  SPECIAL.test(text) ? text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;") : text

/** Look-alikes instead of entities: some players print the entities of a voice name into the text. */
const voiceName = (speaker: string): string =>
  cleanText(speaker).replaceAll("&", "＆").replaceAll("<", "‹").replaceAll(">", "›")

const plainText = (lines: ReadonlyArray<string>): string => {
  let text = escapeText(lines[0] ?? "")
  for (let line = 1; line < lines.length; line++) text += `\n${escapeText(lines[line] ?? "")}`
  return text
}

/** Text with a stamp before every word but the first; a stamp that does not rise inside the cue is left out. */
const stampedText = (cue: Cue, lines: ReadonlyArray<string>): string => {
  const parts = lineParts(lines, cue.words)
  if (parts === null) return plainText(lines)
  let last = printable(cue.start)
  const end = printable(cue.end)
  return parts
    .map((line) => {
      let text = ""
      for (const part of line) {
        const start = printable(part.word?.start ?? 0)
        if (part.word !== null && part.word !== cue.words[0] && start > last && start < end) {
          text += `<${stamp(start, ".")}>`
          last = start
        }
        text += escapeText(part.text)
      }
      return text
    })
    .join("\n")
}

/** WebVTT with everything escaped, numbered cues, hours always, and no style of its own. */
export function* writeVtt(sheet: CueSheet): Generator<string> {
  yield "WEBVTT\n"
  if (sheet.note !== null) yield `\nNOTE\n${cleanText(sheet.note).replaceAll("-->", "→")}\n`
  const change = new SpeakerChange()
  const voices = new Map<string, string>()
  const voiceTag = (speaker: string): string => {
    let tag = voices.get(speaker)
    if (tag === undefined) {
      const name = voiceName(speaker)
      tag = name === "" ? "" : `<v ${name}>`
      voices.set(speaker, tag)
    }
    return tag
  }
  let number = 0
  for (const cue of sheet.cues) {
    const lines = cleanLines(cue)
    if (lines.length === 0) continue
    let text = sheet.wordLevel && cue.words.length > 1 ? stampedText(cue, lines) : plainText(lines)
    if (sheet.speakerAs === "prefix") text = escapeText(change.prefix(cue.speaker)) + text
    else if (sheet.speakerAs === "voice" && cue.speaker !== null) {
      const tag = voiceTag(cue.speaker)
      if (tag !== "") text = `${tag}${text}</v>`
    }
    const end = Math.max(cue.end, cue.start + 1)
    yield `\n${++number}\n${stamp(cue.start, ".")} --> ${stamp(end, ".")}\n${text}\n`
  }
}
