import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { BatchClosed } from "../src/BatchClosed.js"
import { BatchRefused } from "../src/BatchRefused.js"
import { LibraryRefused } from "../src/library/LibraryRefused.js"
import { makeBatch } from "../src/promise.js"
import { layerOf, newPlace } from "./world.js"

const TALK = "talk?seconds=600&.mp3"

describe("makeBatch", () => {
  it("runs, lists and exports in promises, and rejects with the errors themselves", async () => {
    const place = newPlace("talk?seconds=60&.mp3")
    const batch = makeBatch({ layer: layerOf(), state: join(place, "state") })
    const told: Array<string> = []
    const { counts } = await batch.runBatch({
      sources: [place],
      output: join(place, "out"),
      onEvent: ({ type }) => told.push(type),
    })
    assert.strictEqual(counts.done, 1)
    assert.include(told, "result")
    const [job] = (await batch.library.list({})).data
    assert.strictEqual((await batch.library.show(job?.id ?? "", false)).status, "done")
    const refused = await batch.runBatch({ sources: [place], name: "{foo}" }).catch((error: unknown) => error)
    assert.instanceOf(refused, BatchRefused)
    const missing = await batch.library.show("tr_none", false).catch((error: unknown) => error)
    assert.instanceOf(missing, LibraryRefused)
    await batch.library.remove(job?.id ?? "")
    assert.lengthOf((await batch.library.list({})).data, 0)
    await batch.close()
  })

  it("stops by a signal, and keeps what was heard", async () => {
    const place = newPlace(TALK)
    const batch = makeBatch({ layer: layerOf(100), state: join(place, "state") })
    const stop = new AbortController()
    const reason = await batch
      .runBatch({
        sources: [join(place, TALK)],
        signal: stop.signal,
        onEvent: (event) => {
          if (event.type === "progress" && event.progress.heardSeconds > 30) stop.abort(new Error("enough"))
        },
      })
      .catch((error: unknown) => error)
    assert.strictEqual(reason instanceof Error && reason.message, "enough")
    const [stopped] = (await batch.library.list({ status: "canceled" })).data
    const { job } = await batch.library.retry(stopped?.id ?? "")
    assert.strictEqual(job.status, "done")
    await batch.close()
  })

  it("once it is closed, what was under way has stopped and nothing begins", async () => {
    const place = newPlace(TALK)
    const batch = makeBatch({ layer: layerOf(100), state: join(place, "state") })
    let hears = () => {}
    const hearing = new Promise<void>((resolve) => {
      hears = resolve
    })
    const stopped = batch
      .runBatch({
        sources: [join(place, TALK)],
        onEvent: ({ type }) => {
          if (type === "progress") hears()
        },
      })
      .catch((error: unknown) => error)
    await hearing
    await batch.close()
    assert.instanceOf(await stopped, BatchClosed)
    for (const asked of [batch.runBatch({ sources: [place] }), batch.library.list({})])
      assert.instanceOf(await asked.catch((error: unknown) => error), BatchClosed)
  })
})
