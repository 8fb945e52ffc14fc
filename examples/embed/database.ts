// Earmark on a database in a folder: what was acknowledged is still there after the process ends.
import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeEarmark, ObjectStoreMemory, Scripted } from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { Layer } from "effect"

const folder = mkdtempSync(join(tmpdir(), "earmark-"))

// #region open
const open = () =>
  makeEarmark({
    store: Layer.merge(
      SqlStore.layerEmbedded({ directory: join(folder, "postgres") }),
      ObjectStoreMemory.layer, // uploaded files
    ),
    surroundings: Scripted.layer(),
    // 32 bytes of your own in base64. Keep them: what the database seals opens only with them.
    secretsKey: "kR0Ef3mQ0n0k2c8v7m8tq8Jx5o0m8m1dJ0b2Qe4r5sI=",
  })
// #endregion

// #region use
const before = await open()
const { id: account } = await before.accounts.create({ name: "Ann" })
const { id } = await before.transcriptions.create(account, {
  url: "https://media.example/interview.mp3?seconds=95",
})
await before.transcriptions.get(account, id, { wait: 30 })
await before.close()

const after = await open()
const job = await after.transcriptions.get(account, id)
console.log(`${job.status} before the restart, with ${job.word_count} words`)
await after.close()
// #endregion

assert.equal(job.status, "done")
rmSync(folder, { recursive: true })
