import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { misnamed } from "../src/results/fileFormat.js"
import { readDestination, type WrittenDestination } from "../src/results/readDestination.js"
import { STANDARD_INPUT } from "../src/sources/named.js"

const ALONE: WrittenDestination = {
  output: null,
  formats: [],
  sources: ["talk.mp3"],
  isSeveral: false,
  isOutputTaken: false,
}

const place = mkdtempSync(join(tmpdir(), "earmark-destination-"))
mkdirSync(join(place, "notes"))
writeFileSync(join(place, "taken"), "")

it.effect("puts one result on standard output, and several beside their sources", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* readDestination(ALONE), { type: "output" })
    const beside = { type: "folder", path: null } as const
    for (const given of [
      { sources: ["a.mp3", "b.mp3"] },
      { sources: ["*.mp3"] },
      { sources: [place] },
      { formats: ["srt", "vtt"] },
      { isSeveral: true },
      { isOutputTaken: true },
    ] as const)
      assert.deepStrictEqual(yield* readDestination({ ...ALONE, ...given }), beside)
  }),
)

it.effect(
  "takes a name for a folder that ends with a slash, that is one, or where there are several results",
  () =>
    Effect.gen(function* () {
      for (const output of [`${place}/new/`, `${place}/notes`])
        assert.deepStrictEqual(yield* readDestination({ ...ALONE, output }), { type: "folder", path: output })
      const output = `${place}/new`
      const several = { ...ALONE, output, isSeveral: true }
      assert.deepStrictEqual(yield* readDestination(several), { type: "folder", path: output })
      assert.deepStrictEqual(yield* readDestination({ ...ALONE, output: "talk.srt" }), {
        type: "file",
        path: "talk.srt",
      })
    }),
)

it.effect("refuses a place that cannot hold what is asked for, in the names of the host", () =>
  Effect.gen(function* () {
    const wrong: ReadonlyArray<readonly [Partial<WrittenDestination>, string]> = [
      [{ output: "" }, "<output> is empty"],
      [{ output: STANDARD_INPUT, isSeveral: true }, "<output> - takes one source"],
      [{ output: "talk.srt", isSeveral: true }, "such as <output> talk/."],
      [{ output: `${place}/taken`, isSeveral: true }, "is a file"],
      [{ output: `${place}/taken` }, "Choose one with <format>."],
      [{ output: "talk" }, "Write talk.txt for a file"],
      [{ output: "talk.srr" }, "Unknown format .srr."],
      [{ output: "talk.srt", formats: ["vtt"] }, "name it talk.vtt, or leave out <format>."],
    ]
    for (const [given, part] of wrong) {
      const refused = yield* Effect.flip(readDestination({ ...ALONE, ...given }, (option) => `<${option}>`))
      assert.strictEqual(refused.subject, "output")
      assert.include(refused.message, part)
    }
  }),
)

it("lets every kind of JSON be named .json", () => {
  assert.isNull(misnamed("a.json", "podcast_json", String))
  assert.isNull(misnamed("a", "srt", String))
  assert.isNotNull(misnamed("a.txt", "podcast_json", String))
})
