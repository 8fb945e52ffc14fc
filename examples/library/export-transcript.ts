import { exportTranscript } from "@earmark/core/captions"
import type { Transcript } from "@earmark/core/transcripts"
import { Either } from "effect"

const transcript: Transcript = {
  language: "en",
  duration: 9_000,
  segments: [
    { start: 400, end: 3_900, speaker: "Speaker 1", text: "Welcome back to the show.", words: [] },
    { start: 4_200, end: 8_600, speaker: "Speaker 2", text: "I never write in my books.", words: [] },
  ],
}

// #region export
const made = exportTranscript(
  { ...transcript, title: "The dog-eared page", speakerNames: { "Speaker 1": "Ann" } },
  { format: "vtt" },
)
if (Either.isRight(made)) {
  console.log(made.right.contentType, made.right.extension)
  for (const chunk of made.right.chunks) process.stdout.write(chunk)
}
// #endregion

// #region refused
const refused = exportTranscript(transcript, { format: "vtt", wordLevel: true })
if (Either.isLeft(refused)) console.log(`${refused.left.code}: ${refused.left.message}`)
// #endregion
