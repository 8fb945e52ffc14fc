import { mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { placesBeside } from "../src/results/placesBeside.js"

const newFiles = (...names: ReadonlyArray<string>) => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-beside-"))
  for (const name of names) writeFileSync(join(folder, name), "")
  return { folder, files: names.map((name) => join(folder, name)) }
}

it.effect("names results after their files, beside them or in a folder that is made", () =>
  Effect.gen(function* () {
    const { folder, files } = newFiles("a.vtt", "b.vtt")
    const beside = yield* placesBeside(files, "srt", null)
    assert.deepStrictEqual(beside, [join(folder, "a.srt"), join(folder, "b.srt")])
    const into = yield* placesBeside(files, "srt", join(folder, "new"))
    assert.deepStrictEqual(into, [join(folder, "new/a.srt"), join(folder, "new/b.srt")])
    assert.include(readdirSync(folder), "new")
  }),
)

it.effect("never takes the place of a source, of another result, or beside the files of what is there", () =>
  Effect.gen(function* () {
    const { folder, files } = newFiles("a.vtt", "a.ttml", "b.vtt", "b.srt")
    const [a = "", other = "", b = ""] = files
    const reasonOf = (given: ReadonlyArray<string>, format: "srt" | "vtt", place: string | null) =>
      Effect.map(Effect.flip(placesBeside(given, format, place)), ({ reason }) => reason)
    assert.strictEqual(yield* reasonOf([b], "srt", null), "result_present")
    assert.strictEqual(yield* reasonOf([a], "vtt", folder), "option_invalid")
    assert.strictEqual(yield* reasonOf([a, other], "srt", join(folder, "new")), "option_invalid")
    assert.strictEqual(yield* reasonOf([a], "srt", join(folder, "b.srt")), "option_invalid")
  }),
)
