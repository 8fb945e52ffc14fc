// #region program
import { Runtime } from "@earmark/runtime"
import { makeEarmark, StoreMemory } from "@earmark/service"

const settings = { billing: false }
const earmark = await makeEarmark({ store: StoreMemory.layer, surroundings: Runtime.surroundings, settings })
const { id: account } = await earmark.accounts.create({ name: "Ann" })

try {
  const talk = await earmark.transcribeFile(account, process.argv[2] ?? "talk.wav")
  console.log(talk.text)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

await earmark.close()
// #endregion
