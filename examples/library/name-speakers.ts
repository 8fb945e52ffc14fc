import { readFileSync } from "node:fs"
import { readCaptions, transcriptFromCues } from "@earmark/core/captions"
import { labelSpeakers, renameSpeakers, textOf } from "@earmark/core/transcripts"
import { Either } from "effect"

const file = Either.getOrThrow(readCaptions(readFileSync("examples/quickstart/interview.vtt")))
const transcript = transcriptFromCues(file.cues, { language: "en" })
const anonymous = { ...transcript, segments: labelSpeakers(transcript.segments) }
const named = renameSpeakers(anonymous, { "Speaker 1": "Ann Marsh", "Speaker 2": "Ben" })

for (const { segments } of [transcript, anonymous, named]) console.log(segments[0]?.speaker)
console.log(textOf(named.segments))
