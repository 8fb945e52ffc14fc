import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Span } from "@earmark/service"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { keepUnfinished } from "../src/state/unfinished.js"

const place = mkdtempSync(join(tmpdir(), "earmark-unfinished-"))
afterAll(() => {
  chmodSync(place, 0o700)
  rmSync(place, { recursive: true })
})

let folders = 0
const newFolder = () => join(place, String(folders++))

const spanOf = (index: number): Span => ({
  index,
  start: index * 1000,
  end: index * 1000 + 900,
  words: [
    { text: `w${index}`, start: index * 1000, end: index * 1000 + 500, confidence: 0.5, speaker: null },
  ],
})

const opened = (folder: string) => {
  const troubles: Array<string> = []
  const shares: Array<number | null> = []
  const unfinished = keepUnfinished({
    folder,
    report: ({ share }) => Effect.sync(() => void shares.push(share)),
    onResume: Effect.void,
    onTrouble: (message) => Effect.sync(() => void troubles.push(message)),
  })
  return { ...unfinished, troubles, shares }
}

describe("what is left unfinished", () => {
  it.effect("is there again for the same plan, and for no other", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const first = opened(folder)
      assert.deepStrictEqual(yield* first.checkpoints.load("plan"), [])
      yield* first.checkpoints.save(spanOf(1))
      yield* first.checkpoints.save(spanOf(0))
      const second = opened(folder)
      assert.deepStrictEqual(yield* second.checkpoints.load("plan"), [spanOf(0), spanOf(1)])
      yield* second.checkpoints.save(spanOf(2))
      assert.closeTo(second.kept().freshShare, 1 / 3, 0.001)
      assert.deepInclude(second.kept(), { spans: 3, seconds: 2.9, folder })
      const nowhere = opened("/sys/unfinished")
      yield* nowhere.checkpoints.load("plan")
      assert.deepInclude(nowhere.kept(), { spans: 0, folder: null })
      assert.deepStrictEqual(yield* opened(folder).checkpoints.load("other"), [])
    }),
  )

  it.effect("says that it begins, so that the time left is judged by all of the work", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const first = opened(folder)
      yield* first.checkpoints.load("plan")
      assert.deepStrictEqual(first.shares, [0])
      yield* first.checkpoints.save(spanOf(0))
      const second = opened(folder)
      yield* second.checkpoints.load("plan")
      assert.deepStrictEqual(second.shares, [])
    }),
  )

  it.effect("survives a line at every place where a killed process may have torn it", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const first = opened(folder)
      yield* first.checkpoints.load("plan")
      yield* first.checkpoints.save(spanOf(0))
      const one = readFileSync(join(folder, "plan.jsonl"), "utf8")
      yield* first.checkpoints.save(spanOf(1))
      const two = readFileSync(join(folder, "plan.jsonl"), "utf8")
      for (let length = one.length; length < two.length; length++) {
        writeFileSync(join(folder, "plan.jsonl"), two.slice(0, length))
        const torn = opened(folder)
        const kept = yield* torn.checkpoints.load("plan")
        // The end of line alone may be missing: then the span is whole.
        assert.deepStrictEqual(kept, length < two.length - 1 ? [spanOf(0)] : [spanOf(0), spanOf(1)])
        yield* torn.checkpoints.save(spanOf(2))
        const after = yield* opened(folder).checkpoints.load("plan")
        assert.deepStrictEqual(after.at(-1), spanOf(2))
      }
    }),
  )

  it.effect("holds nothing that is no span", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const { checkpoints } = opened(folder)
      yield* checkpoints.load("plan")
      yield* checkpoints.save(spanOf(4))
      const file = join(folder, "plan.jsonl")
      writeFileSync(file, `null\n{"index":-1}\n[]\n{"index":1,"start":0}\n${readFileSync(file, "utf8")}`)
      assert.deepStrictEqual(yield* opened(folder).checkpoints.load("plan"), [spanOf(4)])
    }),
  )

  it.effect("is gone when the work is done, and after a month", () =>
    Effect.gen(function* () {
      const folder = newFolder()
      const { checkpoints, discard } = opened(folder)
      yield* checkpoints.load("plan")
      yield* checkpoints.save(spanOf(0))
      writeFileSync(join(folder, "old.jsonl"), "")
      utimesSync(join(folder, "old.jsonl"), 0, 86_400)
      yield* TestClock.setTime(32 * 86_400_000)
      yield* opened(folder).checkpoints.load("another")
      assert.deepStrictEqual(readdirSync(folder), ["plan.jsonl"])
      yield* discard
      assert.deepStrictEqual(readdirSync(folder), [])
    }),
  )

  it.effect("cannot be kept where nothing can be written: that is told once, and the work goes on", () =>
    Effect.gen(function* () {
      writeFileSync(join(place, "file"), "")
      const { checkpoints, discard, troubles } = opened(join(place, "file"))
      assert.deepStrictEqual(yield* checkpoints.load("plan"), [])
      yield* checkpoints.save(spanOf(0))
      yield* checkpoints.save(spanOf(1))
      yield* discard
      assert.strictEqual(troubles.length, 1)
    }),
  )
})
