import {
  type EditOperation,
  newestTranscript,
  type Revision,
  replayRevisions,
  speakersByLabel,
} from "@earmark/core/edits"
import type { Transcript } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"

const lines = [{ speaker: "Speaker 1" }, { speaker: "Speaker 3" }, { speaker: null }]

const speakerOf = (speaker: string, names: Readonly<Record<string, string>>) => {
  const [operation] = speakersByLabel([{ type: "speaker", line: 0, speaker }], lines, names)
  return operation?.type === "speaker" ? operation.speaker : undefined
}

describe("a speaker of an operation", () => {
  it("is the label that is shown under the name; another name stays", () => {
    assert.strictEqual(speakerOf("Ann", { "Speaker 1": "Ann" }), "Speaker 1")
    assert.strictEqual(speakerOf("Bob", { "Speaker 1": "Ann" }), "Bob")
    assert.strictEqual(speakerOf("Speaker 9", {}), "Speaker 9")
  })

  it("is a label first, whatever another label is called", () => {
    assert.strictEqual(speakerOf("Speaker 3", { "Speaker 1": "Speaker 3" }), "Speaker 3")
  })

  it("is one who speaks, where two have the same name", () => {
    const names = { "Speaker 2": "Ann", "Speaker 3": "Ann" }
    assert.strictEqual(speakerOf("Ann", names), "Speaker 3")
  })

  it("is a label in every operation that names speakers, and nothing else changes", () => {
    const names = { "Speaker 1": "Ann", "Speaker 3": "Bob" }
    const given: ReadonlyArray<EditOperation> = [
      { type: "rename_speaker", from: "Ann", to: "Cleo" },
      { type: "merge_speakers", from: "Bob", into: "Ann" },
      { type: "speaker", line: 0, speaker: null },
      { type: "text", line: 0, text: "Ann" },
    ]
    assert.deepStrictEqual(speakersByLabel(given, lines, names), [
      { type: "rename_speaker", from: "Speaker 1", to: "Cleo" },
      { type: "merge_speakers", from: "Speaker 3", into: "Speaker 1" },
      ...given.slice(2),
    ])
  })
})

describe("the newest transcript", () => {
  it("is the last of all revisions, with undos and undos of undos", () => {
    const segments = ["one", "two", "three"].map((text, at) => {
      return { start: at * 1000, end: at * 1000 + 900, speaker: null, text, words: [] }
    })
    const heard: Transcript = { language: "en", duration: 3000, segments }
    const to = (line: number, text: string): Revision => ({ operations: [{ type: "text", line, text }] })
    const revisions: ReadonlyArray<Revision> = [
      to(0, "uno"),
      to(2, "tre"),
      { undo: 1 },
      { undo: 3 },
      { operations: [{ type: "merge", line: 1 }] },
      { undo: 5 },
    ]
    for (let count = 0; count <= revisions.length; count++) {
      const some = revisions.slice(0, count)
      const all = Either.getOrThrow(replayRevisions(heard, some))
      assert.deepStrictEqual(Either.getOrThrow(newestTranscript(heard, some)), all.at(-1))
    }
    const unknown = Either.flip(newestTranscript(heard, [...revisions, { undo: 9 }]))
    assert.deepInclude(Either.getOrThrow(unknown), { reason: "unknown_revision" })
  })
})
