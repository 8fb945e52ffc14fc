import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readSources } from "../src/reading/readSources.js"

const OPML = '<opml version="2.0"><body><outline type="rss" xmlUrl="https://a.example/feed"/></body></opml>'

const FILES: Readonly<Record<string, string>> = {
  "pods.opml": OPML,
  "none.opml": '<opml version="2.0"><body/></opml>',
  list: 'c.mp3\n{"source": "d.mp3", "diarize": true}\n',
  empty: "# nothing\n",
}

const given = (sources: ReadonlyArray<string>, from: string | null) => ({
  sources,
  from,
  written: { diarize: false },
  read: (path: string) => {
    const text = FILES[path]
    return text === undefined ? Effect.fail({ message: `No ${path}.` }) : Effect.succeed(text)
  },
})

it.effect("reads what was named, then what the list names; OPML stands for its feeds", () =>
  Effect.gen(function* () {
    const named = yield* readSources(given(["a.mp3", "pods.opml"], "list"))
    assert.deepStrictEqual(
      named.map(({ source, asked }) => [source, asked.options.diarize]),
      [
        ["a.mp3", false],
        ["https://a.example/feed", false],
        ["c.mp3", false],
        ["d.mp3", true],
      ],
    )
  }),
)

it.effect("refuses lists that cannot be read or name nothing", () =>
  Effect.gen(function* () {
    for (const [sources, from, part] of [
      [["none.opml"], null, "none.opml lists no feed"],
      [[], "empty", "The list empty names no source"],
      [[], "gone", "The list cannot be read. No gone."],
    ] as const)
      assert.include((yield* Effect.flip(readSources(given(sources, from)))).message, part)
  }),
)
