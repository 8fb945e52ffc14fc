import { cleanText } from "../../text/cleanText.js"
import { seconds } from "../timestamps.js"
import type { CueSheet, CueWriter } from "./CueSheet.js"
import { cueText, wordCues } from "./cueText.js"
import { jsonText } from "./jsonText.js"

/** The JSON transcript of Podcasting 2.0. */
export const writePodcastJson = (sheet: CueSheet): CueWriter => {
  let separator = "\n"
  return {
    head: '{"version":"1.0.0","segments":[',
    cues: sheet.wordLevel ? wordCues(sheet.cues) : sheet.cues,
    cue: (cue) => {
      const body = cueText(cue)
      if (body === "") return ""
      const times = { startTime: seconds(cue.start), endTime: seconds(Math.max(cue.end, cue.start)) }
      const name = cleanText(cue.speaker ?? "")
      const speaker = name === "" ? {} : { speaker: name }
      const row = separator + jsonText({ ...speaker, ...times, body })
      separator = ",\n"
      return row
    },
    tail: () => (separator === "\n" ? "]}\n" : "\n]}\n"),
  }
}
