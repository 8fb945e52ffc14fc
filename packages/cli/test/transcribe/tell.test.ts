import type { Result } from "@earmark/batch"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { endOf } from "../../src/transcribe/tell.js"

const failed: Result = {
  status: "failed",
  source: "talk.mp3",
  identity: { title: null, path: null, feed: null, guid: null, index: null, mediaUrl: null },
  code: "download_failed",
  message: "No.",
  remembered: false,
}

const underWay: Result = { status: "under_way", source: "b.mp3", identity: failed.identity, pid: 1 }

const problemIn = (results: ReadonlyArray<Result>) => Effect.runSync(Effect.flip(endOf(results))).message

describe("the end of a run", () => {
  it("counts the sources that failed, where others did not", () => {
    assert.strictEqual(problemIn([failed]), "The source failed. The lines above say why.")
    assert.strictEqual(problemIn([failed, failed]), "All 2 sources failed. The lines above say why.")
    assert.match(problemIn([failed, underWay]), /^1 of 2 sources failed\. .* 1 of 2 sources is being /)
  })
})
