import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Reply, turn } from "./world.js"

const files: Readonly<Record<string, Reply>> = {
  "/a.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Good morning.",
  "/a.srt": "1\n00:00:01,000 --> 00:00:02,000\nAnn: Good morning.\n",
  "/a.json": JSON.stringify({
    version: "1.0.0",
    segments: [{ speaker: "Ann", startTime: 1, endTime: 2, body: "Good morning." }],
  }),
  "/a.json3": JSON.stringify({
    wireMagic: "pb3",
    events: [
      { tStartMs: 1000, dDurationMs: 1000, segs: [{ utf8: "Good" }, { utf8: " morning.", tOffsetMs: 400 }] },
    ],
  }),
  "/a.ttml": `<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s">Good morning.</p></div></body></tt>`,
  "/a.html": "<html><body><cite>Ann:</cite><time>0:01</time><p>Good morning.</p></body></html>",
  "/packed": gzipSync("WEBVTT\n\n00:01.000 --> 00:02.000\nGood morning."),
  "/latin.srt": Buffer.from("1\n00:00:01,000 --> 00:00:02,000\nGrüße: Good morning.\n", "latin1"),
}

const useless: Readonly<Record<string, Reply>> = {
  "/empty": "",
  "/text": "Good morning.",
  "/no-cues.vtt": "WEBVTT\n",
  "/gone": { status: 404 },
  "/busy": { status: 503 },
  "/page": "<!doctype html><title>Log in</title>",
  "/large": `WEBVTT\n\n${"00:01.000 --> 00:02.000\nGood morning.\n\n".repeat(150_000)}`,
  "/bomb": { headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(100_000_000, "a ")) },
  "/inside": { status: 302, headers: { location: "http://10.0.0.1/a.vtt" } },
  "/slow": () => undefined,
}

const offer = (url: string) => ({ url, language: "en", madeBy: "people" }) as const

describe("captions of a publisher", () => {
  it.effect("are read in every format", () =>
    turn(files, ({ base, captions }) =>
      Effect.gen(function* () {
        for (const path of Object.keys(files)) {
          const file = yield* captions(offer(base + path))
          const [cue] = file?.cues ?? []
          assert.match(cue?.lines.join(" ") ?? "", /Good morning\.$/, path)
          assert.strictEqual(cue?.start, 1000, path)
        }
      }),
    ),
  )

  it.live("are none when they cannot be had or read, and never an error", () =>
    turn(
      useless,
      ({ base, captions }) =>
        Effect.gen(function* () {
          for (const path of Object.keys(useless)) assert.isNull(yield* captions(offer(base + path)), path)
          for (const url of ["http://10.0.0.1/a.vtt", "file:///etc/passwd", "", "nonsense"]) {
            assert.isNull(yield* captions(offer(url)), url)
          }
        }),
      { captionsDeadline: 700 },
    ),
  )

  it.effect("of a clip end with it", () => {
    const vtt = [
      "WEBVTT",
      "00:00.000 --> 00:10.000\nOne",
      "01:25.000 --> 01:40.000\nTwo",
      "01:30.000 --> 01:50.000\nThree",
    ]
    return turn({ "/clip.vtt": vtt.join("\n\n") }, ({ base, captions }) =>
      Effect.gen(function* () {
        const file = yield* captions(offer(`${base}/clip.vtt#t=0,90`))
        assert.deepStrictEqual(
          file?.cues.map(({ start, end }) => [start, end]),
          [
            [0, 10_000],
            [85_000, 90_000],
          ],
        )
      }),
    )
  })
})
