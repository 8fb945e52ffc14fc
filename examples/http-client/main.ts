// Needs a service: SERVICE_URL is where it is, SERVICE_KEY a key, MEDIA_URL something that speaks.
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
// #region make
import { ConnectionError, EarmarkClient, ProblemError } from "@earmark/api/client"

const earmark = new EarmarkClient({
  baseUrl: process.env.SERVICE_URL ?? "http://127.0.0.1:8787",
  apiKey: process.env.SERVICE_KEY ?? "",
})
// #endregion

// #region errors
const orTell = async <Value>(call: Promise<Value>): Promise<Value | undefined> => {
  try {
    return await call
  } catch (error) {
    if (error instanceof ProblemError && error.code === "out_of_credits") {
      console.log(`Buy ${error.problem.needed} credits at ${error.problem.top_up_url}`)
    } else if (error instanceof ProblemError) {
      console.log(`${error.status} ${error.code}: ${error.detail}`)
    } else if (error instanceof ConnectionError) {
      console.log(error.message)
    } else throw error
    return undefined
  }
}
// #endregion

const file = process.env.MEDIA_FILE ?? "examples/quickstart/museum.ogg"
// #region transcribe
const museum = await earmark.transcribe(
  file,
  { title: "Museum", metadata: { shelf: "7" } },
  { onUpload: ({ sent, total }) => console.log(`${Math.round((100 * sent) / total)} % sent`) },
)
console.log(`${museum.word_count} words, ${museum.billed_minutes} minute`)
// #endregion

const url = process.env.MEDIA_URL ?? "https://example.com/talk.mp3"
// #region steps
const { id } = await earmark.transcriptions.create({ url }, { idempotencyKey: "talk-of-monday" })
const talk = await earmark.waitFor(id, {
  timeout: 60 * 60 * 1000,
  onProgress: ({ phase, progress }) => console.log(phase, progress),
})
console.log(talk.status === "done" ? talk.text.length > 0 : talk.failure.code)
// #endregion

// #region export
const captions = await earmark.transcriptions.export(id, { format: "srt" }).text()
console.log(captions.split("\n")[0])

const { filename, stream } = await earmark.transcriptions.export(id, { format: "docx" })
const kept = createWriteStream(join(tmpdir(), filename))
for await (const chunk of stream()) kept.write(chunk)
kept.end()
// #endregion
await once(kept, "close")
await rm(kept.path)

// #region lists
for await (const { title } of earmark.transcriptions.list({ status: "done", metadata: { shelf: "7" } })) {
  console.log(title)
}
const page = await earmark.transcriptions.list({ limit: 1 })
console.log(page.data.length, page.has_more)
// #endregion

await orTell(earmark.transcriptions.get("tr_nothing"))
const nobody = new EarmarkClient({ baseUrl: "http://127.0.0.1:65534", apiKey: "em_live_x", retries: 0 })
await orTell(nobody.credits.get())
