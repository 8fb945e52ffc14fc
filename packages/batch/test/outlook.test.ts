import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { makeOutlook, weightsOf } from "../src/run/outlook.js"
import type { Item } from "../src/sources/sources.js"

const folder = mkdtempSync(join(tmpdir(), "earmark-outlook-"))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, bytes: number): Item => {
  const path = join(folder, name)
  writeFileSync(path, "x".repeat(bytes))
  return { type: "file", name, path, below: "" }
}

describe("how long the rest of a run takes", () => {
  it("is not told before there is something to judge by", () => {
    const outlook = makeOutlook([1, 1])
    assert.isNull(outlook.secondsLeft(0))
    outlook.reach(0, 0, 0)
    assert.isNull(outlook.secondsLeft(60_000))
    outlook.reach(0, 0.5, 1000)
    assert.isNull(outlook.secondsLeft(1999))
  })

  it("is not told by one source of many: two are done, or a fifth of all", () => {
    const outlook = makeOutlook([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    outlook.reach(0, 0, 0)
    outlook.reach(0, 0.1, 5000)
    assert.isNull(outlook.secondsLeft(5000))
    outlook.end(0, true)
    outlook.reach(1, 0, 6000)
    assert.isNull(outlook.secondsLeft(6000))
    outlook.end(1, true)
    assert.strictEqual(outlook.secondsLeft(10_000), 50)
  })

  it("follows from the work of all that is under way", () => {
    const outlook = makeOutlook([1, 1, 2])
    outlook.reach(0, 0, 0)
    outlook.reach(1, 0, 0)
    outlook.reach(0, 0.5, 10_000)
    outlook.reach(1, 0.5, 10_000)
    assert.strictEqual(outlook.secondsLeft(10_000), 30)
    outlook.end(0, true)
    outlook.end(1, true)
    assert.strictEqual(outlook.over(), 2)
    assert.strictEqual(outlook.secondsLeft(20_000), 20)
  })

  it("does not count what an earlier run did, or what took no work", () => {
    const outlook = makeOutlook([1, 1, 1])
    outlook.end(0, false)
    outlook.reach(1, 0.5, 0)
    outlook.reach(1, 0.9, 10_000)
    assert.strictEqual(outlook.secondsLeft(10_000), 27.5)
    outlook.end(1, true)
    assert.strictEqual(outlook.secondsLeft(20_000), 40)
  })

  it("does not count as done what it leaves alone, nor waits for it", () => {
    const outlook = makeOutlook([1, 1, 1, 1])
    for (const index of [2, 3]) outlook.leave(index)
    outlook.reach(0, 0, 0)
    outlook.end(0, true)
    assert.strictEqual(outlook.over(), 1)
    outlook.reach(1, 0.5, 10_000)
    outlook.end(1, false)
    assert.strictEqual(outlook.secondsLeft(10_000), 0)
    assert.strictEqual(outlook.over(), 2)
  })

  it("weighs files by their sizes, and everything alike when one of them is not known", () => {
    const two = [file("a", 10), file("b", 30)]
    assert.deepStrictEqual(weightsOf(two), [10, 30])
    assert.deepStrictEqual(weightsOf([...two, { type: "link", name: "https://e.example" }]), [1, 1, 1])
    assert.deepStrictEqual(
      weightsOf([...two, { type: "file", name: "x", path: join(folder, "x"), below: "" }]),
      [1, 1, 1],
    )
  })
})
