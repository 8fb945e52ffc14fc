import { transcriptFromCues } from "@earmark/core/captions"
import type { Cue } from "@earmark/core/transcripts"
import { assert, it } from "@effect/vitest"

it("takes any number of cues at one and the same time", () => {
  const cue: Cue = { start: 0, end: 1000, speaker: null, lines: ["x"], words: [] }
  const { segments } = transcriptFromCues(Array.from({ length: 300_000 }, () => cue))
  assert.strictEqual(segments.length, 300_000)
  assert.deepStrictEqual([segments[0]?.start, segments.at(-1)?.end], [0, 1000])
})
