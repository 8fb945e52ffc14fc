import { type Done, type Facts, jsonOf, readList } from "@earmark/batch"
import { type WarningCode, warningOf } from "@earmark/core/jobs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { lineOf, remarkLines } from "../../src/transcribe/results.js"

const factsWith = (codes: ReadonlyArray<WarningCode>, more: Partial<Facts> = {}): Facts => ({
  id: null,
  origin: "engine",
  engine: "sherpa",
  language: "en",
  durationSeconds: 60,
  words: 100,
  speakers: 0,
  heardSeconds: 0,
  summary: null,
  warnings: codes.map(warningOf),
  gaps: [],
  doubts: [],
  wordTiming: "aligned",
  enrichment: {},
  ...more,
})

const doneWith = (facts: Facts): Done => ({
  status: "done",
  source: "talk.mp3",
  identity: { title: "talk.mp3", path: "/a/talk.mp3", feed: null, guid: null, index: null, mediaUrl: null },
  facts,
  partSeconds: 60,
  outputs: [],
  tookSeconds: 5,
})

const doubts = [
  { start: 12.3, end: 40.2, reason: "misfit" },
  { start: 50, end: 55, reason: "looping" },
] as const

describe("a line of a result", () => {
  const link = "https://example.org/feed.xml"
  const episode: Done = {
    ...doneWith(factsWith([])),
    source: link,
    identity: { title: "The old books", path: null, feed: link, guid: "g1", index: null, mediaUrl: null },
  }

  it("names an episode by its title where a link to its feed was given", () => {
    assert.match(lineOf(episode), /^The old books: 1:00, /)
    assert.match(lineOf({ ...episode, identity: { ...episode.identity, feed: null } }), /^https:\/\/example/)
  })

  it("names the address where it failed", () => {
    const { source, identity } = episode
    const failed = {
      status: "failed",
      source,
      identity,
      code: "x",
      message: "No.",
      remembered: false,
    } as const
    assert.strictEqual(lineOf(failed), `${link}: failed: No.`)
  })
})

describe("what a person should look at", () => {
  it("is nothing in a good text, whose language may have been assumed", () => {
    const facts = factsWith(["language_guessed", "no_confidence"])
    assert.deepStrictEqual(remarkLines(facts), [])
    assert.strictEqual(lineOf(doneWith(facts)), "talk.mp3: 1:00, 100 words, by sherpa")
  })

  it("are the doubtful places, in one line", () => {
    assert.deepStrictEqual(remarkLines(factsWith(["language_guessed", "parts_doubtful"], { doubts })), [
      "  the text is in doubt, listen to it there: 0:12 to 0:41, 0:50 to 0:55",
    ])
  })

  it("is all of a doubtful text, with the language that was assumed", () => {
    const facts = factsWith(["language_guessed", "text_doubtful"], { doubts })
    assert.deepStrictEqual(remarkLines(facts), [
      "  the text hardly fits the sound (the language was assumed: en): listen to it before you use it",
    ])
    assert.match(lineOf(doneWith(facts)), /\(language assumed, text doubtful\)$/)
    assert.deepStrictEqual(remarkLines(factsWith(["text_doubtful"], { doubts })), [
      "  the text hardly fits the sound: listen to it before you use it",
    ])
  })

  it("is where the file is damaged, which the line for programs says too", () => {
    const detail = "Damaged at 12:31: 0.4 s could not be decoded."
    const damaged = factsWith([], { warnings: [{ code: "media_damaged", detail }] })
    assert.deepStrictEqual(remarkLines(damaged), [`  ${detail}`])
    assert.match(lineOf(doneWith(damaged)), /\(file is damaged\)/)
    assert.deepStrictEqual(JSON.parse(jsonOf(doneWith(damaged))).warnings, [
      { code: "media_damaged", detail },
    ])
  })

  it("are doubts before gaps, each told to the fifth place", () => {
    const many = Array.from({ length: 7 }, (_, at) => ({ start: at * 10, end: at * 10 + 5 }))
    const misfits = many.map((span) => ({ ...span, reason: "misfit" as const }))
    const lines = remarkLines(factsWith(["parts_doubtful", "speech_lost"], { doubts: misfits, gaps: many }))
    assert.strictEqual(lines.length, 2)
    assert.match(lines[0] ?? "", /listen to it there: .* 0:40 to 0:45, and 2 more$/)
    assert.match(lines[1] ?? "", /no words, although a voice was detected: .*, and 2 more$/)
  })
})

describe("the fields of a result", () => {
  it("tell doubts and where times come from, and can be given back as a list", () =>
    Effect.gen(function* () {
      const line = jsonOf(doneWith(factsWith(["parts_doubtful"], { doubts })))
      const { doubts: told, word_timing } = JSON.parse(line)
      assert.deepStrictEqual([told, word_timing], [doubts, "aligned"])
      const listed = yield* readList(line, { from: "results.jsonl" })
      assert.deepStrictEqual(
        listed.map(({ source }) => source),
        ["talk.mp3"],
      )
    }).pipe(Effect.runPromise))
})
