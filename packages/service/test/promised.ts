/** An Earmark as programs make it, with an account and a file of media. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { Duration } from "effect"
import { makeEarmark, Scripted, StoreMemory } from "../src/index.js"

export type Earmark = Awaited<ReturnType<typeof makeEarmark>>

export const start = (surroundings = Scripted.layer()) =>
  makeEarmark({ store: StoreMemory.layer, surroundings, worker: { grace: Duration.millis(100) } })

/** With the account of Ann, and `talk.mp3` in a folder. */
export const startWithTalk = async () => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-promise-"))
  writeFileSync(join(folder, "talk.mp3"), "123456")
  const earmark = await start()
  const { id: account } = await earmark.accounts.create({ name: "Ann" })
  const stop = async () => {
    await earmark.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { earmark, account, folder, stop }
}

export const refusal = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => assert.fail("it should have been refused"),
    (error: unknown) => error,
  )
  return error instanceof Error ? error : assert.fail(String(error))
}
