import { seconds } from "../timestamps.js"
import type { CueSheet } from "./CueSheet.js"
import { cueText, wordCues } from "./cueText.js"

/** The JSON transcript of Podcasting 2.0. */
export function* writePodcastJson(sheet: CueSheet): Generator<string> {
  yield '{"version":"1.0.0","segments":['
  let separator = "\n"
  for (const cue of sheet.wordLevel ? wordCues(sheet.cues) : sheet.cues) {
    const body = cueText(cue)
    if (body === "") continue
    const times = { startTime: seconds(cue.start), endTime: seconds(Math.max(cue.end, cue.start)) }
    const speaker = cue.speaker === null ? {} : { speaker: cue.speaker }
    yield separator + JSON.stringify({ ...speaker, ...times, body })
    separator = ",\n"
  }
  yield separator === "\n" ? "]}\n" : "\n]}\n"
}
