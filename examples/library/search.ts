import { readFileSync } from "node:fs"
import { readCaptions, transcriptFromCues } from "@earmark/core/captions"
import { prepareSearch } from "@earmark/core/text"
import { Either } from "effect"

const file = Either.getOrThrow(readCaptions(readFileSync("examples/quickstart/interview.vtt")))
const transcript = transcriptFromCues(file.cues, { language: "en" })

const index = prepareSearch(transcript.segments)
const { total, hits } = index.search({ query: "guilt", context: 1 })

console.log(`${total} segments`)
for (const { start, speaker, text, highlights } of hits) {
  const found = highlights.map(([from, to]) => text.slice(from, to))
  console.log(`${start} ${speaker}: ${found.join(", ")}`)
}
console.log(index.search({ query: '"books I never"' }).total)
console.log(index.search({ query: "marks", speaker: "Ben" }).total)
