import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readList } from "../src/reading/readList.js"

const read = (text: string) => readList(text, { from: "list", written: { language: "en", format: "srt" } })

describe("a list of sources", () => {
  it.effect("has a source a line, and lines of JSON that ask for more or something else", () =>
    Effect.gen(function* () {
      const listed = yield* read(
        '\ufefftalk.mp3\r\n\n# not this\n{"source":"b.mp3","format":["vtt","txt"],"end":"1:30","word_level":true}\n',
      )
      assert.deepStrictEqual(
        listed.map(({ source, asked: { formats, wordLevel, options } }) => [
          source,
          formats,
          wordLevel,
          options.language,
          options.endAt,
        ]),
        [
          ["talk.mp3", ["srt"], false, "en", undefined],
          ["b.mp3", ["vtt", "txt"], true, "en", 90_000],
        ],
      )
    }),
  )

  it.effect("is what an earlier run has told: the same file, link or episode", () =>
    Effect.gen(function* () {
      const feed = "https://media.example/feed"
      const listed = yield* read(
        [
          { source: "a.mp3", status: "done", words: 3 },
          { source: "Five", status: "failed", guid: "5" },
          { source: "Six", status: "done", feed, guid: "6", index: 0 },
        ]
          .map((line) => JSON.stringify(line))
          .join("\n"),
      )
      assert.deepStrictEqual(
        listed.map(({ source, asked, episode }) => ({ source, one: asked.episode, whole: episode })),
        [
          { source: "a.mp3", one: null, whole: undefined },
          { source: "Five", one: { guid: "5" }, whole: undefined },
          { source: "Six", one: null, whole: { feed, guid: "6", index: 0 } },
        ],
      )
    }),
  )

  it.effect("may be names with NULs between, or the feeds of OPML", () =>
    Effect.gen(function* () {
      const names = yield* read("a\nb.mp3\u0000#c.mp3\u0000")
      assert.deepStrictEqual(
        names.map(({ source }) => source),
        ["a\nb.mp3", "#c.mp3"],
      )
      const feeds = yield* read(
        '<opml version="2.0"><body><outline type="rss" xmlUrl="https://media.example/feed"/></body></opml>',
      )
      assert.deepStrictEqual(
        feeds.map(({ source }) => source),
        ["https://media.example/feed"],
      )
    }),
  )

  it.effect("is refused whole, with every line that is wrong", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(
        read('{"source":"a.mp3","strat":1}\n{"sauce":2}\n{"source":"b.mp3","start":"x"}\n{nothing\nfine.mp3'),
      )
      assert.deepInclude(refused, { reason: "list_invalid", subject: "list" })
      const lines = refused.message.split("\n")
      assert.lengthOf(lines, 4)
      assert.match(lines[0] ?? "", /^Line 1 of list: there is no field "strat"; .* Did you mean start\?$/)
      assert.match(lines[2] ?? "", /^Line 3 of list: "start" needs a time/)
      assert.match(lines[3] ?? "", /^Line 4 of list: this line is no JSON object/)
      const binary = yield* Effect.flip(read("\u0000\u0001\u0002"))
      assert.match(binary.message, /^The list list is no text\./)
    }),
  )
})
