// #region program
import { Runtime } from "@earmark/runtime"
import { makeEarmark, StoreMemory } from "@earmark/service"

const settings = { billing: false }
const earmark = await makeEarmark({ store: StoreMemory.layer, surroundings: Runtime.surroundings, settings })
const { id: account } = await earmark.accounts.create({ name: "Ann" })

const talk = await earmark.transcribeFile(account, process.argv[2] ?? "talk.wav")
console.log(talk.text)

await earmark.close()
// #endregion
