// Earmark inside a program of your own: no server, no Effect. Everything here runs in memory.
import assert from "node:assert/strict"
import { FeatureLocked, makeEarmark, Scripted, StoreMemory } from "@earmark/service"

const earmark = await makeEarmark({
  store: StoreMemory.layer,
  // Put real engines and a real network here; the scripted ones need neither.
  surroundings: Scripted.layer(),
})

const { id: account } = await earmark.accounts.create({ name: "Ann" })

const { id } = await earmark.transcriptions.create(account, {
  url: "https://media.example/interview.mp3?seconds=95",
  summary: true,
})
const job = await earmark.transcriptions.get(account, id, { wait: 30 })
assert.equal(job.status, "done")
console.log(`${job.word_count} words for ${job.billed_minutes} credits`)

const captions = await earmark.transcriptions.export(account, id, { format: "srt" })
assert.match(captions.bytes.toString("utf8"), /^1\n00:00:00,000 --> /)

const { available } = await earmark.credits.get(account)
assert.equal(available, 58)

// Errors are those of the use cases themselves.
await assert.rejects(
  earmark.transcriptions.create(account, { url: "https://media.example/talk.mp3", diarize: true }),
  (error) => error instanceof FeatureLocked && error.feature === "diarize",
)

await earmark.close()
console.log("closed")
