import { chaptersOf, identifyLanguage, summarize } from "@earmark/core/text"
import { textOf } from "@earmark/core/transcripts"
import { generatedRecording } from "@earmark/testkit"

// A made-up conversation about three topics, in invented words: half an hour without a recording.
const { transcript } = generatedRecording({ topics: 3 })

const chapters = chaptersOf(transcript)
console.log(`${chapters.length} chapters, the first from ${chapters[0]?.start}`)

const summary = summarize(transcript, { sentences: 3, chapters })
console.log(`${summary.sentences.length} sentences, the first said at ${summary.sentences[0]?.start}`)
console.log(textOf(transcript.segments).includes(summary.sentences[0]?.text ?? "?"))

console.log(
  identifyLanguage("Wer ein Buch aufschlägt, liest auch, was andere an den Rand geschrieben haben."),
)
