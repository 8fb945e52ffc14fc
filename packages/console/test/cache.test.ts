import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"

const resourceOf = async () => {
  vi.stubGlobal("location", { origin: "http://localhost", pathname: "/console", search: "" })
  return (await import("../src/cache.js")).resource
}

describe("what is read from the service", () => {
  it("is read again after a change, also when an answer from before is on its way", async () => {
    const resource = await resourceOf()
    let name = "Speaker 2"
    const waiting: Array<() => void> = []
    const asked: Array<string> = []
    const speaker = resource((id: string) => {
      asked.push(id)
      const answer = name
      return new Promise<string>((resolve) => waiting.push(() => resolve(answer)))
    })
    const before = speaker.refresh(["tr_1"])
    await vi.waitFor(() => assert.lengthOf(waiting, 1))
    name = "Ben"
    const changes = [speaker.refresh(["tr_1"]), speaker.refresh(["tr_1"])]
    waiting[0]?.()
    await before
    await vi.waitFor(() => assert.lengthOf(waiting, 2))
    waiting[1]?.()
    await Promise.all(changes)
    // Two that waited for the same answer ask once.
    assert.deepStrictEqual(asked, ["tr_1", "tr_1"])
  })
})
