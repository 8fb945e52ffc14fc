import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SocialVideo, YtDlp } from "../../src/index.js"
import { said } from "../resolve/world.js"
import { POST, record, withProgram } from "./withProgram.js"

describe("what the program says of a post", () => {
  const track = (url: string) => [
    { ext: "vtt", url: `${url}.vtt` },
    { ext: "json3", url },
  ]

  it.live("title, length, language, captions of people and of machines", () =>
    withProgram(
      record({
        title: "A\u0000 clip\n",
        subtitles: {
          de: track("https://a.example/de"),
          live_chat: track("https://a.example/chat"),
          "../x": track("https://a.example/x"),
        },
        automatic_captions: { "en-orig": track("https://a.example/en"), fr: track("https://a.example/fr") },
      }),
      (social) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* social.describe(POST), {
            title: "A clip",
            durationSeconds: 61.4,
            language: "en",
            captions: [
              { url: "https://a.example/de", language: "de", madeBy: "people" },
              { url: "https://a.example/en", language: "en", madeBy: "machine" },
            ],
          })
          // What this site lists was heard by a machine.
          const clip = yield* social.describe("https://www.tiktok.com/@a/video/123")
          assert.deepInclude(clip.captions[0], { language: "de", madeBy: "machine" })
        }),
    ),
  )

  it.live("of several clips in one post the first counts", () =>
    withProgram(
      `console.log(JSON.stringify({ _type: "playlist", title: "Post", entries: [{ title: "First", duration: 5 }] }))`,
      (social) =>
        Effect.map(social.describe(POST), ({ title, durationSeconds }) =>
          assert.deepStrictEqual([title, durationSeconds], ["First", 5]),
        ),
    ),
  )

  const complaints: ReadonlyArray<readonly [string, string]> = [
    [
      "[youtube] x: Private video. Sign in if you've been granted access",
      "unresolvable_link source_forbidden",
    ],
    ["[youtube] x: Sign in to confirm you’re not a bot", "unresolvable_link source_forbidden"],
    [
      "[youtube] x: Video unavailable. This video has been removed by the uploader",
      "unresolvable_link source_not_found",
    ],
    [
      "[TikTok] 1: Unable to download webpage: HTTP Error 404: Not Found",
      "unresolvable_link source_not_found",
    ],
    ["[Instagram] x: HTTP Error 429: Too Many Requests", "unresolvable_link download_failed later"],
    ["[vimeo] 1: <urlopen error timed out>", "unresolvable_link download_failed later"],
    ["[x] Unable to download: Tunnel connection failed: 403 Forbidden", "unresolvable_link source_blocked"],
    ["No suitable extractor found for URL https://bsky.app/", "unresolvable_link source_unresolvable"],
    ["[x] a message that is not known", "unresolvable_link source_unresolvable"],
  ]
  for (const [complaint, outcome] of complaints) {
    it.live(`${complaint}: ${outcome}`, () =>
      withProgram(
        `console.error("WARNING: private"); console.error(${JSON.stringify(`ERROR: ${complaint}`)}); process.exit(1)`,
        (social) =>
          Effect.gen(function* () {
            const refused = yield* Effect.flip(social.describe(POST))
            assert.strictEqual(yield* said(Effect.fail(refused)), outcome)
            assert.notInclude(refused.detail, "ERROR")
          }),
      ),
    )
  }

  const rubbish: ReadonlyArray<readonly [string, string, string]> = [
    ["live", record({ is_live: true }), "source_not_supported source_unresolvable"],
    ["not begun", record({ live_status: "is_upcoming" }), "source_not_supported source_unresolvable"],
    ["no JSON", `console.log("<html>")`, "unresolvable_link source_unresolvable"],
    ["nothing", "", "unresolvable_link source_unresolvable"],
    ["wrong types", record({ title: { a: 1 } }), "unresolvable_link source_unresolvable"],
    [
      "no end of words",
      `const more = () => { while (process.stdout.write("x".repeat(65536))); process.stdout.once("drain", more) }; more()`,
      "unresolvable_link source_unresolvable",
    ],
    [
      "no end of files",
      `for (let i = 0; ; i++) fs.writeFileSync("f" + i, Buffer.alloc(1 << 22))`,
      "unresolvable_link media_too_large",
    ],
  ]
  for (const [what, body, outcome] of rubbish) {
    it.live(`${what}: ${outcome}`, () =>
      withProgram(body, (social) =>
        Effect.map(said(social.describe(POST)), (says) => assert.strictEqual(says, outcome)),
      ),
    )
  }

  it.live("a program that is not there is said to be missing", () =>
    Effect.gen(function* () {
      const social = yield* SocialVideo
      assert.match((yield* social.missing) ?? "", /install yt-dlp/)
      assert.strictEqual(yield* said(social.describe(POST)), "unresolvable_link internal_error later")
    }).pipe(Effect.provide(YtDlp.layer({ program: "/nowhere/yt-dlp" }))),
  )
})
