// Bytes that are at hand, and lines as they are recognised.
import { makeEarmark, Scripted, StoreMemory } from "@earmark/service"

const earmark = await makeEarmark({ store: StoreMemory.layer, surroundings: Scripted.layer() })
const { id: account } = await earmark.accounts.create({ name: "Ann" })

const bytes = new TextEncoder().encode("stands for a recording")
const { media_ref } = await earmark.uploads.add(account, bytes, { filename: "talk.mp3" })
const { id } = await earmark.transcriptions.create(account, { media_ref })

// #region follow
for await (const { event, data } of earmark.transcriptions.events(account, id)) {
  console.log(event === "segment" ? data.text : event)
}
// #endregion

await earmark.close()
