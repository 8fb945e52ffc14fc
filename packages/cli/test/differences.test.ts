import { assert, describe, it } from "@effect/vitest"
import { differencesAmong } from "../src/commands/differences.js"

const options = {
  language: null,
  diarize: false,
  summary: false,
  chapters: false,
  translate_to: null,
  quality: "accurate",
  speakers: null,
  vocabulary: [],
  start_at: null,
  end_at: null,
} as const

const run = (id: string, given: object = {}, results: ReadonlyArray<string> = ["/talks/a.txt"]) => ({
  id,
  source: { kind: "media", url: "file:///talks/a.mp3" } as const,
  options: { ...options, ...given },
  engine: "sherpa",
  metadata: { results },
})

describe("runs of one source", () => {
  it("show the options and files that differ", () => {
    const all = [
      run("tr_1"),
      run("tr_2", { diarize: true, language: "de" }),
      run("tr_3", { diarize: true, language: "de" }, ["/talks/a.srt"]),
    ]
    assert.deepStrictEqual(
      [...differencesAmong(all)],
      [
        ["tr_1", "a.txt, any language, no speakers"],
        ["tr_2", "a.txt, de, speakers"],
        ["tr_3", "a.srt, de, speakers"],
      ],
    )
  })

  it("need no words where they are alike, and sources with one run neither", () => {
    const other = {
      ...run("tr_2", { diarize: true }),
      source: { kind: "media", url: "file:///b.mp3" } as const,
    }
    assert.strictEqual(differencesAmong([run("tr_1"), other]).size, 0)
    assert.strictEqual(differencesAmong([run("tr_1"), run("tr_3")]).size, 0)
  })
})
