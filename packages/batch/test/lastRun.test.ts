import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { lastRunIn } from "../src/state/lastRun.js"

it.effect("knows the words of a run until it has ended, for each folder alone", () =>
  Effect.gen(function* () {
    const state = mkdtempSync(join(tmpdir(), "earmark-runs-"))
    const run = lastRunIn(state, "/a")
    assert.isNull(yield* run.words)
    const end = yield* run.keep(["transcribe", "talks/"], false)
    yield* run.keepList("a.mp3\n")
    assert.deepStrictEqual(yield* run.words, ["transcribe", "talks/"])
    assert.strictEqual(readFileSync(run.list, "utf8"), "a.mp3\n")
    assert.isNull(yield* lastRunIn(state, "/b").words)
    // A lone source in between leaves the run that was stopped as it was.
    yield* yield* run.keep(["transcribe", "b.mp3"], true)
    assert.deepStrictEqual(yield* run.words, ["transcribe", "talks/"])
    yield* end
    assert.isNull(yield* run.words)
  }),
)
