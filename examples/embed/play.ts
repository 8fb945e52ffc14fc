import { decodeWords } from "@earmark/core/text"
import { makeEarmark, Scripted, StoreMemory } from "@earmark/service"

const earmark = await makeEarmark({
  store: StoreMemory.layer,
  surroundings: Scripted.layer(),
  settings: { billing: false },
})
const { id: account } = await earmark.accounts.create({ name: "Ann" })
const talk = await earmark.transcribeFile(account, "examples/quickstart/museum.ogg")

// #region play
const recording = await earmark.transcriptions.mediaLink(account, talk.id)
console.log(recording.content_type, recording.exact_seek)

const lines = decodeWords(await earmark.transcriptions.words(account, talk.id))
const { offset = 0, length = 0, start = 0 } = lines[0]?.[0] ?? {}
const text = talk.segments[0]?.text.slice(offset, offset + length)
console.log(`"${text}" from ${start / 1000} s`)
// #endregion

await earmark.close()
