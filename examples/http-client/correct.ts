// Needs a service: SERVICE_URL is where it is, SERVICE_KEY a key, MEDIA_URL something that speaks.
import { EarmarkClient, ProblemError } from "@earmark/api/client"

const earmark = new EarmarkClient({
  baseUrl: process.env.SERVICE_URL ?? "http://127.0.0.1:8787",
  apiKey: process.env.SERVICE_KEY ?? "",
})

const talk = await earmark.transcribe(process.env.MEDIA_URL ?? "https://example.com/talk.mp3")
// #region correct
const { revision } = await earmark.transcriptions.edit(talk.id, {
  base_revision: talk.revision ?? 0,
  operations: [
    { type: "text", line: 0, text: "Welcome to the museum." },
    { type: "speaker", line: 0, speaker: "Ann" },
  ],
})
console.log(`revision ${revision}`)

const captions = await earmark.transcriptions.export(talk.id, { format: "vtt" }).text()
console.log(captions.includes("<v Ann>Welcome to the museum.</v>"))

const heard = await earmark.transcriptions.get(talk.id, { revision: 0 })
console.log(heard.status === "done" && heard.segments[0]?.text === talk.segments[0]?.text)
// #endregion

// #region conflict
try {
  await earmark.transcriptions.edit(talk.id, {
    base_revision: 0,
    operations: [{ type: "text", line: 0, text: "Welcome." }],
  })
} catch (error) {
  if (!(error instanceof ProblemError) || error.code !== "revision_conflict") throw error
  console.log(`somebody was faster: revision ${error.problem.revision}`)
}
// #endregion

// #region undo
await earmark.transcriptions.undoEdit(talk.id, 1)
for await (const { revision, operations, undoes } of earmark.transcriptions.edits(talk.id)) {
  console.log(revision, undoes === null ? `${operations} operations` : `undoes ${undoes}`)
}
// #endregion
