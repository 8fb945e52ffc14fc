import { cleanText } from "../../text/cleanText.js"
import type { Cue } from "../../transcripts/Transcript.js"
import { printable, stampPrinter } from "../timestamps.js"
import type { CueSheet, CueWriter } from "./CueSheet.js"
import { areAllBy, cleanLines, lineParts, SpeakerChange, safeText } from "./cueText.js"
import { printPlain } from "./printPlain.js"

const SPECIAL = /[&<>]/

const escapeText = (text: string): string =>
  SPECIAL.test(text) ? text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;") : text

/** Look-alikes instead of entities: some players print the entities of a voice name into the text. */
const voiceName = (speaker: string): string =>
  cleanText(speaker).replaceAll("&", "＆").replaceAll("<", "‹").replaceAll(">", "›")

/** Text with a stamp before every word but the first; a stamp that does not rise inside the cue is left out. */
const stampedText = (cue: Cue, stamp: (time: number) => string): string | null => {
  const parts = lineParts(cleanLines(cue), cue.words)
  if (parts === null) return null
  let last = printable(cue.start)
  const end = printable(cue.end)
  return parts
    .map((line) => {
      let text = ""
      for (const part of line) {
        const start = printable(part.word?.start ?? 0)
        if (part.word !== null && part.word !== cue.words[0] && start > last && start < end) {
          text += `<${stamp(start)}>`
          last = start
        }
        text += escapeText(part.text)
      }
      return text
    })
    .join("\n")
}

const FRAME = { emptyLine: "before", separator: "." } as const

/** WebVTT with everything escaped, numbered cues, hours always, and no style of its own. */
export const writeVtt = (sheet: CueSheet): CueWriter => {
  const stamp = stampPrinter(".")
  const note = sheet.note === null ? "" : `\nNOTE\n${cleanText(sheet.note).replaceAll("-->", "→")}\n`
  const change = new SpeakerChange()
  const tags = new Map<string, string>()
  const voiceTag = (speaker: string): string => {
    let tag = tags.get(speaker)
    if (tag === undefined) {
      const name = voiceName(speaker)
      // The arrow of a timing line may not stand in a text; readers trim the space.
      tag = name === "" ? "" : `<v ${name}${name.endsWith("--") ? " " : ""}>`
      tags.set(speaker, tag)
    }
    return tag
  }
  const areUnnamed = (cues: ReadonlyArray<Cue>): boolean =>
    sheet.speakerAs === "text" || areAllBy(cues, sheet.speakerAs === "prefix" ? change.last : null)
  const voiced = (speaker: string | null, text: string): string => {
    if (sheet.speakerAs === "prefix") return escapeText(change.prefix(speaker)) + text
    const tag = sheet.speakerAs === "text" || speaker === null ? "" : voiceTag(speaker)
    return tag === "" ? text : `${tag}${text}</v>`
  }
  let number = 0
  return {
    head: `WEBVTT\n${note}`,
    cues: sheet.cues,
    cue: (cue) => {
      const stamped = sheet.wordLevel && cue.words.length > 1 ? stampedText(cue, stamp) : null
      const text = stamped ?? safeText(cue, escapeText)
      if (text === null) return ""
      const end = Math.max(cue.end, cue.start + 1)
      return `\n${++number}\n${stamp(cue.start)} --> ${stamp(end)}\n${voiced(cue.speaker, text)}\n`
    },
    plainCues: (cues) => {
      if (sheet.wordLevel || !areUnnamed(cues)) return null
      const text = printPlain(cues, number + 1, FRAME)
      if (text !== null) number += cues.length
      return text
    },
    tail: () => "",
  }
}
