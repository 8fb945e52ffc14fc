import { makeEarmark, Scripted, StoreMemory } from "@earmark/service"

const earmark = await makeEarmark({ store: StoreMemory.layer, surroundings: Scripted.layer() })

const account = await earmark.accounts.create({ name: "Ann" })
const { id } = await earmark.transcriptions.create(account.id, { url: "https://media.example/talk.mp3" })
const job = await earmark.transcriptions.get(account.id, id, { wait: 30 })
if (job.status === "done") console.log(job.segments[0]?.text)

await earmark.close()
