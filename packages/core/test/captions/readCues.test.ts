import { readCaptions, readCues } from "@earmark/core/captions"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { documentOf, segment, textOf } from "./writing.js"

const document = documentOf([
  segment(0, 4000, "Ann", "Salt & <b>bread</b>, {\\an8} and a > b."),
  segment(5000, 9000, "Bob: Ann", "Note: tea -- for two, Ann said."),
  segment(10_000, 14_000, "Ann", "Tschüss, 你好。"),
])

const OTHERS = {
  vtt: "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>one\n\n00:02.000 --> 00:03.000\none\ntwo &amp; <00:02.500>three\n",
  srt: "1\n00:00:01,0 --> 00:00:02\nAnn: hi\n",
}

describe("cues of a file that is known to be WebVTT or SubRip", () => {
  for (const format of ["vtt", "srt"] as const)
    it.each([{}, { names: "in_text" as const }])(
      `are those that any reader finds in ${format}, %j`,
      (options) => {
        const written = textOf(document, { format })
        for (const file of [written, OTHERS[format], ""]) {
          const all = readCaptions(file, { format, ...options })
          assert.deepStrictEqual(
            readCues(file, format, options),
            Either.match(all, { onLeft: () => [], onRight: ({ cues }) => cues }),
          )
        }
        assert.isAbove(readCues(written, format, options).length, 2)
      },
    )
})
