import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { because } from "../../servers/because.js"
import { startEarmark } from "../../servers/earmarkServer.js"
import { JOBS } from "../http/asking.js"
import { clientOf, ffmpegMissing, startWeb, type Web } from "../http/world.js"
import { answerOf, newFolder, removeFolders } from "./operator.js"

const WANTED = 40

afterAll(removeFolders)

describe.skipIf(ffmpegMissing !== null)(
  `one data folder for several processes${because(ffmpegMissing)}`,
  () => {
    let web: Web

    beforeAll(async () => {
      web = await startWeb()
    })
    afterAll(() => web?.stop())

    it("loses no job and does none twice when the process that began is killed", async () => {
      const folder = { EARMARK_DATA_DIR: newFolder(), EARMARK_LEASE_SECONDS: "5" }
      const first = await startEarmark({ ...folder, EARMARK_ROLE: "api" })
      const worker = { ...first.environment, EARMARK_ROLE: "worker" }
      const [one, two] = await Promise.all([startEarmark(worker), startEarmark(worker)])
      const call = clientOf(first)
      const made: Array<string> = []
      for (let count = 0; count < WANTED; count++) {
        const { body } = await call(JOBS, { body: { url: `${web.base}/${count}.wav` } })
        made.push(String(body.id))
      }
      first.child.kill("SIGKILL")
      one.child.kill("SIGKILL")
      const second = await startEarmark({ ...folder, EARMARK_ROLE: "api" })
      const [account] = (await answerOf(folder, "accounts", "list")).data
      assert.deepInclude(await answerOf(folder, "credits", "verify"), { ok: true, total: 0 })
      for (const id of made) {
        const { body } = await clientOf(second)(`${JOBS}/${id}?wait=60`)
        assert.strictEqual(body.status, "done", JSON.stringify(body))
      }
      const { data } = await answerOf(folder, "credits", "entries", "--account", account.id, "--limit", "100")
      const settled = data.filter(({ kind }: { readonly kind: string }) => kind === "settlement")
      assert.lengthOf(settled, WANTED)
      for (const { log } of [second, two]) assert.notMatch(log(), /StorageError|in use/)
      await Promise.all([second.stop(), two.stop()])
    }, 180_000)
  },
)
