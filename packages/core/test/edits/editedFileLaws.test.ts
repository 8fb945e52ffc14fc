import { applyEdits, type EditOperation, readEdited } from "@earmark/core/edits"
import type { Transcript } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { fileOf, operationsOf, short, shown } from "./editedFiles.js"
import { anyOperation, anyTranscript, edited, line, transcriptOf } from "./world.js"

const hostileText = fc.oneof(
  fc.constantFrom(
    "[00:00:01.000 - 00:00:02.000 Ann] hello",
    "# not a comment",
    "[+] no",
    "a\nb",
    "a\r\n[0:00 - 0:01] b",
    "\u2028[0:00 - 0:01]\u2028",
    "\u202eright to left\u202c",
    "مرحبا بالعالم",
    "שלום: עולם]",
    "東京で会いました。それから",
    "\u001b[31mred",
    "",
    " ",
  ),
  fc.string({ unit: "grapheme" }),
)

const hostileTranscript = fc
  .array(fc.tuple(hostileText, fc.oneof(fc.constant(null), hostileText)), { minLength: 1, maxLength: 5 })
  .map((lines) =>
    transcriptOf(...lines.map(([text, speaker], at) => ({ ...line(at * 1000, text, speaker), words: [] }))),
  )

/** The operations that apply, all together. */
const applicable = (transcript: Transcript, operations: ReadonlyArray<EditOperation>): Transcript =>
  operations.reduce((now, operation) => Either.getOrElse(applyEdits(now, [operation]), () => now), transcript)

/** Whether a joined line has just the times that one of its parts had: those are taken for times that nobody looked at. */
const hasOldTimes = (before: Transcript, after: Transcript): boolean =>
  after.segments.length < before.segments.length &&
  after.segments.some(({ start, end, text }) =>
    before.segments.some(
      (line) => line.start === start && line.end === end && line.text.length < text.length,
    ),
  )

const withoutTimes = (transcript: Transcript) => shown(transcript).map(([, , ...others]) => others)

describe("laws", () => {
  it.prop("an unchanged file asks for nothing", { transcript: anyTranscript }, ({ transcript }) => {
    assert.deepStrictEqual(operationsOf(fileOf(transcript), transcript), [])
  })

  it.prop(
    "no text and no name breaks the file, with any line breaks",
    { transcript: hostileTranscript, lineBreak: fc.constantFrom("\n", "\r\n", "\r") },
    ({ transcript, lineBreak }) => {
      const file = fileOf(transcript)
      assert.lengthOf(file.split("\n"), transcript.segments.length + 7)
      assert.deepStrictEqual(operationsOf(file.replaceAll("\n", lineBreak), transcript), [])
    },
  )

  it.prop(
    "the file of what operations made asks for what they made",
    { transcript: anyTranscript, operations: fc.array(anyOperation, { maxLength: 8 }) },
    ({ transcript, operations }) => {
      const wanted = applicable(transcript, operations)
      // No operation gives a line that is new such times.
      fc.pre(wanted.segments.every(({ start, end }) => start < end))
      const found = operationsOf(fileOf(wanted), transcript)
      const made = edited(transcript, ...found)
      assert.deepStrictEqual(withoutTimes(made), withoutTimes(wanted))
      if (!hasOldTimes(transcript, wanted)) assert.deepStrictEqual(shown(made), shown(wanted))
    },
    { fastCheck: { numRuns: 500 } },
  )

  it.prop(
    "any other text is refused or understood, and never throws",
    { text: fc.string(), hostile: hostileText },
    (given) => {
      for (const text of Object.values(given)) readEdited(text, short())
    },
  )
})
