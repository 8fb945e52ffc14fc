import { applyEdits, type EditOperation, type Revision, replayRevisions } from "@earmark/core/edits"
import type { Transcript } from "@earmark/core/transcripts"
import { cpuMilliseconds, generatedRecording } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { anyLine, anyOperation, anyTranscript, edited, line, transcriptOf } from "./world.js"

const refusal = (transcript: Transcript, ...operations: ReadonlyArray<EditOperation>) =>
  Either.getOrThrow(Either.flip(applyEdits(transcript, operations)))

const wordTimes = (transcript: Transcript, at = 0) =>
  transcript.segments[at]?.words.map(({ text, start, end, confidence }) => [text, start, end, confidence])

const short = () => transcriptOf(line(0, "we met in berlin"), line(1000, "and then left", "Speaker 2"))

describe("text", () => {
  it("keeps the times of words that stay; new words share the gap and have no confidence", () => {
    const after = edited(short(), { type: "text", line: 0, text: "We met Ann Lee in Berlin." })
    assert.deepStrictEqual(wordTimes(after), [
      ["We", 0, 250, 0.9],
      ["met", 250, 500, 0.9],
      ["Ann", 500, 500, null],
      ["Lee", 500, 500, null],
      ["in", 500, 750, 0.9],
      ["Berlin.", 750, 1000, 0.9],
    ])
    assert.isTrue(after.segments[0]?.edited)
    assert.isUndefined(after.segments[1]?.edited)
  })

  it("gives replaced words the time of those they replace", () => {
    const after = edited(short(), { type: "text", line: 0, text: "we drove to the lake near berlin" })
    assert.deepStrictEqual(wordTimes(after)?.[0], ["we", 0, 250, 0.9])
    assert.deepStrictEqual(wordTimes(after)?.at(-1), ["berlin", 750, 1000, 0.9])
    assert.deepStrictEqual(wordTimes(after)?.[1]?.slice(1), [250, 389, null])
  })

  it("keeps markup and instructions as text, on one line and without control characters", () => {
    const text = "<script>alert(1)</script>\n\nNOTE \u0000--> {{x}} __proto__"
    const after = edited(short(), { type: "text", line: 0, text })
    assert.strictEqual(after.segments[0]?.text, "<script>alert(1)</script> NOTE --> {{x}} __proto__")
  })

  it("leaves a line without word times without them, and an unchanged line unmarked", () => {
    const bare = transcriptOf({ ...line(0, "we met"), words: [] })
    assert.deepStrictEqual(edited(bare, { type: "text", line: 0, text: "They met" }).segments[0]?.words, [])
    const same = short()
    assert.strictEqual(
      edited(same, { type: "text", line: 0, text: " we met  in berlin " }).segments[0],
      same.segments[0],
    )
  })
})

it("splits and merges lines between words", () => {
  const after = edited(short(), { type: "split", line: 0, at: 6 })
  assert.deepStrictEqual(
    after.segments.map(({ text, start, end }) => [text, start, end]),
    [
      ["we met", 0, 500],
      ["in berlin", 500, 1000],
      ["and then left", 1000, 2000],
    ],
  )
  const merged = edited(after, { type: "merge", line: 1 })
  assert.isUndefined(merged.segments[1]?.edited)
  assert.strictEqual(merged.segments[1]?.text, "in berlin and then left")
  assert.isTrue(merged.segments[1]?.words.every(({ speaker }) => speaker === "Speaker 1"))
})

it("gives lines to speakers, renames and merges speakers", () => {
  const speakers = (...operations: ReadonlyArray<EditOperation>) =>
    edited(short(), ...operations).segments.map(({ speaker, words }) => [speaker, words[0]?.speaker])
  assert.deepStrictEqual(speakers({ type: "speaker", line: 1, speaker: null }), [
    ["Speaker 1", "Speaker 1"],
    [null, null],
  ])
  assert.deepStrictEqual(speakers({ type: "rename_speaker", from: "Speaker 2", to: "Ann" })[1], [
    "Ann",
    "Ann",
  ])
  assert.deepStrictEqual(speakers({ type: "merge_speakers", from: "Speaker 1", into: "Speaker 2" })[0], [
    "Speaker 2",
    "Speaker 2",
  ])
})

it("moves a line in time with its words", () => {
  const cut = edited(short(), { type: "times", line: 0, start: 100, end: 900 })
  assert.deepStrictEqual(
    wordTimes(cut)?.map(([, start, end]) => [start, end]),
    [
      [100, 250],
      [250, 500],
      [500, 750],
      [750, 900],
    ],
  )
  const moved = edited(short(), { type: "times", line: 1, start: 2100, end: 2900 })
  assert.isTrue(
    moved.segments[1]?.words.every(({ start, end }) => start >= 2100 && end <= 2900 && start < end),
  )
})

it("refuses what cannot be applied, with the operation and a reason", () => {
  const cases: ReadonlyArray<readonly [EditOperation, string]> = [
    [{ type: "text", line: 2, text: "x" }, "unknown_line"],
    [{ type: "text", line: -1, text: "x" }, "unknown_line"],
    [{ type: "text", line: 0.5, text: "x" }, "unknown_line"],
    [{ type: "text", line: 0, text: " \n" }, "invalid_text"],
    [{ type: "text", line: 0, text: "x".repeat(10_001) }, "invalid_text"],
    [{ type: "split", line: 0, at: 1 }, "invalid_split"],
    [{ type: "split", line: 0, at: 0 }, "invalid_split"],
    [{ type: "merge", line: 1 }, "unknown_line"],
    [{ type: "remove", line: 2 }, "unknown_line"],
    [{ type: "speaker", line: 0, speaker: "a\nb" }, "invalid_speaker"],
    [{ type: "rename_speaker", from: "Ann", to: "Ben" }, "unknown_speaker"],
    [{ type: "rename_speaker", from: "Speaker 1", to: "Speaker 2" }, "invalid_speaker"],
    [{ type: "merge_speakers", from: "Speaker 1", into: "Ann" }, "unknown_speaker"],
    [{ type: "times", line: 1, start: 1500, end: 1500 }, "invalid_times"],
    [{ type: "times", line: 1, start: Number.NaN, end: 1500 }, "invalid_times"],
    [{ type: "times", line: 1, start: 1500, end: 99_000 }, "invalid_times"],
    [{ type: "times", line: 0, start: 1001, end: 1500 }, "invalid_times"],
  ]
  for (const [operation, reason] of cases) {
    const refused = refusal(
      short(),
      { type: "merge_speakers", from: "Speaker 2", into: "Speaker 2" },
      operation,
    )
    assert.deepStrictEqual([refused.reason, refused.operation], [reason, 1], JSON.stringify(operation))
    assert.match(refused.message, /^Operation 2: /)
  }
})

it("refuses 100,000 operations before it applies one", () => {
  const operation: EditOperation = { type: "text", line: 99, text: "x" }
  const refused = refusal(short(), ...Array.from({ length: 100_000 }, () => operation))
  assert.strictEqual(refused.reason, "too_many_operations")
  assert.strictEqual(
    refused.message,
    "100,000 operations are too many for one revision; send at most 1,000 operations at a time.",
  )
})

/** The operations that apply, one revision each. */
const applicable = (transcript: Transcript, operations: ReadonlyArray<EditOperation>) => {
  const revisions: Array<Revision> = []
  let now = transcript
  for (const operation of operations) {
    const next = applyEdits(now, [operation])
    if (Either.isLeft(next)) continue
    now = next.right
    revisions.push({ operations: [operation] })
  }
  return { revisions, newest: now }
}

describe("laws", () => {
  it.prop(
    "split then merge is nothing",
    { transcript: anyTranscript, at: anyLine, cut: fc.nat(20) },
    ({ transcript, at, cut }) => {
      const split: EditOperation = { type: "split", line: at, at: cut }
      if (Either.isLeft(applyEdits(transcript, [split]))) return
      assert.deepStrictEqual(edited(transcript, split, { type: "merge", line: at }), transcript)
    },
  )

  it.prop(
    "undo after apply is nothing",
    { transcript: anyTranscript, operations: fc.array(anyOperation, { maxLength: 8 }) },
    ({ transcript, operations }) => {
      const { revisions } = applicable(transcript, operations)
      if (revisions.length === 0) return
      const all = Either.getOrThrow(replayRevisions(transcript, [...revisions, { undo: revisions.length }]))
      assert.deepStrictEqual(all.at(-1), all.at(-3))
    },
  )

  it.prop(
    "revision n is applyEdits of what is before it",
    { transcript: anyTranscript, operations: fc.array(anyOperation) },
    ({ transcript, operations }) => {
      const { revisions, newest } = applicable(transcript, operations)
      const all = Either.getOrThrow(replayRevisions(transcript, revisions))
      assert.lengthOf(all, revisions.length + 1)
      assert.deepStrictEqual(all.at(-1), newest)
    },
  )

  it.prop(
    "times never go back",
    { transcript: anyTranscript, operations: fc.array(anyOperation, { maxLength: 12 }), undo: fc.nat(12) },
    ({ transcript, operations, undo }) => {
      const { revisions, newest } = applicable(transcript, operations)
      const taken = replayRevisions(transcript, [...revisions, { undo }])
      for (const { segments } of [newest, ...(Either.isRight(taken) ? taken.right : [])])
        segments.forEach((segment, at) => {
          assert.isAtMost(segment.start, segment.end)
          assert.isAtLeast(segment.start, segments[at - 1]?.start ?? 0)
          segment.words.forEach((word, index) => {
            assert.isAtMost(word.start, word.end)
            assert.isAtLeast(word.start, segment.words[index - 1]?.start ?? 0)
          })
        })
    },
  )
})

describe("undo", () => {
  const first: Revision = { operations: [{ type: "text", line: 0, text: "They met in Berlin" }] }
  const other: Revision = { operations: [{ type: "split", line: 1, at: 3 }] }

  it("takes back an earlier revision when later ones changed other lines", () => {
    const before = short()
    const all = Either.getOrThrow(replayRevisions(before, [first, other, { undo: 1 }]))
    assert.deepStrictEqual(
      all[3]?.segments.map(({ text }) => text),
      ["we met in berlin", "and", "then left"],
    )
    const again = Either.getOrThrow(replayRevisions(before, [first, { undo: 1 }, { undo: 2 }]))
    assert.deepStrictEqual(again[3], again[1])
  })

  it("refuses when a later revision changed the same lines, and a revision that is not there", () => {
    const later: Revision = { operations: [{ type: "merge", line: 0 }] }
    const reasonOf = (...revisions: ReadonlyArray<Revision>) =>
      Either.getOrThrow(Either.flip(replayRevisions(short(), revisions))).reason
    assert.strictEqual(reasonOf(first, later, { undo: 1 }), "changed_later")
    assert.strictEqual(reasonOf(first, { undo: 0 }), "unknown_revision")
    assert.strictEqual(reasonOf(first, { undo: 2 }), "unknown_revision")
  })
})

it("applies 500 operations on 10 hours in 50 ms of processor time", () => {
  const { transcript } = generatedRecording({ seed: 7, topics: 145, sentences: [30, 80] })
  assert.isAtLeast(transcript.duration, 10 * 3_600_000)
  const operations = Array.from({ length: 500 }, (_, at): EditOperation => {
    const place = (at * 13) % (transcript.segments.length - 1)
    if (at % 3 === 0) return { type: "merge", line: place % 3000 }
    return {
      type: "text",
      line: place % 3000,
      text: `Corrected ${transcript.segments[place]?.text ?? ""} indeed`,
    }
  })
  const once = () => {
    const start = cpuMilliseconds()
    assert.lengthOf(edited(transcript, ...operations).segments, transcript.segments.length - 167)
    return cpuMilliseconds() - start
  }
  assert.isBelow(Math.min(...Array.from({ length: 5 }, once)), 50)
})

describe("hostile lists", () => {
  const { transcript } = generatedRecording({ seed: 7, topics: 140, sentences: [30, 80] })
  const of = (count: number, make: (at: number) => EditOperation) =>
    Array.from({ length: count }, (_, at) => make(at))

  it("of speakers are refused before they take long", () => {
    const speaker = transcript.segments[0]?.speaker ?? ""
    const renames = of(1000, (at) => ({
      type: "rename_speaker",
      from: at === 0 ? speaker : `S${at - 1}`,
      to: `S${at}`,
    }))
    const start = cpuMilliseconds()
    assert.deepInclude(refusal(transcript, ...renames), { reason: "too_many_operations" })
    const taken = cpuMilliseconds() - start
    assert.isBelow(taken, 4000)
  })

  it("of long lines are refused before they take long, and no line grows without end", () => {
    const merges = of(1000, () => ({ type: "merge", line: 0 }))
    const refused = refusal(transcript, ...merges)
    assert.deepInclude(refused, { reason: "invalid_text" })
    assert.match(
      refused.message,
      /The merged line would have 10,?\d{3} characters; a line may have 10,?000 characters\.$/,
    )
    const texts = of(1000, (at) => ({
      type: "text",
      line: 0,
      text: `${at % 2 === 0 ? "a b" : "c d"} `.repeat(2499).trim(),
    }))
    const start = cpuMilliseconds()
    const all = [...merges.slice(0, (refused.operation ?? 0) - 1), ...texts]
    assert.deepInclude(refusal(transcript, ...all.slice(0, 1000)), { reason: "too_many_operations" })
    const taken = cpuMilliseconds() - start
    assert.isBelow(taken, 4000)
  })
})
