import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { linesOfTalk, talkOf, withWriter } from "./chatServers.js"
import { sendContent, willing } from "./standIns/chatModel.js"
import type { Reply } from "./standIns/jsonServer.js"

describe("chapters by a text model", () => {
  const chaptersOf =
    (chapters: ReadonlyArray<readonly [line: number, title: string]>): Reply =>
    (_, response) =>
      sendContent(response, {
        chapters: chapters.map(([first_line, title]) => ({ first_line, title, summary: "" })),
      })

  it.live("begin with segments, the first at 0, and end with the recording", () =>
    withWriter(
      chaptersOf([
        [2, "Hello"],
        [7, "Later\u0000\non"],
      ]),
      (writer) =>
        Effect.gen(function* () {
          const long = talkOf(linesOfTalk(40))
          assert.deepStrictEqual(yield* writer.chapters({ ...long, duration: 500_000 }), [
            { start: 0, end: 60_000, title: "Hello" },
            { start: 60_000, end: 500_000, title: "Later on" },
          ])
        }),
    ),
  )

  it.live("that are unordered, unknown, untitled or too many are refused", () =>
    Effect.gen(function* () {
      const wrong: ReadonlyArray<
        readonly [problem: RegExp, chapters: ReadonlyArray<readonly [number, string]>]
      > = [
        [
          /not in the order/,
          [
            [7, "B"],
            [2, "A"],
          ],
        ],
        [
          /not in the order/,
          [
            [2, "A"],
            [2, "B"],
          ],
        ],
        [
          /not in the data/,
          [
            [1, "A"],
            [41, "B"],
          ],
        ],
        [/not in the data/, [[0, "A"]]],
        [/empty or longer/, [[1, " \n "]]],
        [/empty or longer/, [[1, "x".repeat(101)]]],
        [/no chapter/, []],
        [
          /more than 3/,
          [
            [1, "A"],
            [2, "B"],
            [3, "C"],
            [4, "D"],
          ],
        ],
      ]
      for (const [problem, chapters] of wrong) {
        yield* withWriter(chaptersOf(chapters), (writer, requests) =>
          Effect.gen(function* () {
            const failure = yield* Effect.flip(writer.chapters(talkOf(linesOfTalk(40))))
            assert.match(String(failure.cause), problem)
            assert.match(requests[1]?.text ?? "", problem)
          }),
        )
      }
    }),
  )

  it.live("of a long recording are chosen among those of its parts", () =>
    withWriter(
      willing,
      (writer) =>
        Effect.gen(function* () {
          const long = talkOf(linesOfTalk(900))
          const chapters = yield* writer.chapters(long)
          assert.strictEqual(chapters[0]?.start, 0)
          assert.strictEqual(chapters.at(-1)?.end, long.duration)
          const starts = new Set(long.segments.map(({ start }) => start))
          assert.isAbove(chapters.length, 1)
          chapters.forEach(({ start, end, summary }, at) => {
            assert.isTrue(starts.has(start))
            assert.isAbove(end, start)
            assert.strictEqual(end, chapters[at + 1]?.start ?? long.duration)
            assert.match(summary ?? "", /^It goes on/)
          })
        }),
      { partTokens: 1_000 },
    ),
  )

  it.live("that would begin at once are one", () =>
    withWriter(
      chaptersOf([
        [1, "A"],
        [2, "B"],
        [3, "C"],
      ]),
      (writer) =>
        Effect.gen(function* () {
          const [first, , third] = talkOf(linesOfTalk(3)).segments
          if (first === undefined || third === undefined) return assert.fail("no segments")
          const together = { ...talkOf([]), duration: 400_000, segments: [first, first, third] }
          const chapters = yield* writer.chapters(together)
          assert.deepStrictEqual(
            chapters.map(({ title }) => title),
            ["A", "C"],
          )
        }),
    ),
  )
})
