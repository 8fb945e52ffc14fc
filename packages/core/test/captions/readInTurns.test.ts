import { readCaptions, readCaptionsInTurns } from "@earmark/core/captions"
import { cpuMilliseconds } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"

/** The largest file that is fetched. */
const BYTES = 5 * 1024 * 1024

const two = (value: number) => String(Math.trunc(value) % 60).padStart(2, "0")
const time = (seconds: number) => `${two(seconds / 3600)}:${two(seconds / 60)}:${two(seconds)}`

const filled = (head: string, block: (index: number) => string, tail = ""): Uint8Array => {
  const blocks: Array<string> = [head]
  for (let length = 0, index = 0; length < BYTES; index++) {
    const next = block(index)
    blocks.push(next)
    length += next.length
  }
  return Buffer.from(blocks.join("") + tail)
}

const files: Readonly<Record<string, Uint8Array>> = {
  srt: filled(
    "",
    (index) => `${index + 1}\n${time(index)},000 --> ${time(index + 1)},000\nSome <i>words</i>\n\n`,
  ),
  vtt: filled(
    "WEBVTT\n\n",
    (index) => `${time(index)}.000 --> ${time(index + 1)}.000\n<v Ann>Some words\n\n`,
  ),
  sbv: filled("", (index) => `${time(index)}.000,${time(index + 1)}.000\nSome words\n\n`),
  ass: filled(
    "[Events]\n",
    (index) => `Dialogue: 0,${time(index)}.00,${time(index + 1)}.00,,,0,0,0,,words\n`,
  ),
  ttml: filled("<tt>", (index) => `<p begin="${index}s" end="${index + 1}s">Some words</p>`, "</tt>"),
  html: filled("", (index) => `<cite>Ann:</cite><time>${time(index)}</time><p>Some words</p>`),
  podcast_json: filled(
    '{"version":"1.0.0","segments":[',
    (index) => `{"startTime":${index},"endTime":${index + 1},"body":"Some words"},`,
    '{"startTime":0,"endTime":1,"body":"a"}]}',
  ),
}

const TRIES = 3

/** The CPU time of the longest turn, of the best of several tries: the machine has other work. */
const longestTurn = (bytes: Uint8Array): number => {
  const tries = Array.from({ length: TRIES }, () => {
    const turns = readCaptionsInTurns(bytes)
    let longest = 0
    for (let done = false; !done; ) {
      const started = cpuMilliseconds()
      done = turns.next().done === true
      longest = Math.max(longest, cpuMilliseconds() - started)
    }
    return longest
  })
  return Math.min(...tries)
}

describe("the largest caption files", () => {
  for (const [format, bytes] of Object.entries(files)) {
    it(`${format}: no turn of reading holds the thread for long`, () => {
      assert.isBelow(longestTurn(bytes), 100)
      const file = Either.getOrThrow(readCaptions(bytes))
      assert.strictEqual(file.format, format)
      assert.isAbove(file.cues.length, 10_000)
    })
  }
})
