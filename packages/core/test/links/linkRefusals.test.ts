import { classifyLink } from "@earmark/core/links"
import { cpuMilliseconds } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

describe("refusals", () => {
  it("carry the code of the wire and one sentence", () => {
    const refusal = (text: string) => Either.getOrThrow(Either.flip(classifyLink(text)))
    assert.strictEqual(refusal("").code, "missing_source")
    assert.strictEqual(refusal("ftp://example.com/").code, "invalid_request")
    assert.strictEqual(refusal("http://127.0.0.1/").code, "blocked_address")
    assert.strictEqual(refusal("https://example.com:22/").code, "blocked_address")
    assert.strictEqual(refusal("https://open.spotify.com/show/a").code, "source_not_supported")
    assert.include(refusal("https://open.spotify.com/show/a").message, "paste the RSS or Apple link")
  })

  const piece = FastCheck.oneof(
    FastCheck.fullUnicodeString({ maxLength: 5 }),
    FastCheck.constantFrom(
      "http",
      "https",
      ":",
      "//",
      "feed:",
      "@",
      ".",
      "www.",
      "example.com",
      "[",
      "](",
      ")",
      "<",
      ">",
    ),
    FastCheck.constantFrom(
      " ",
      "\n",
      "?",
      "#",
      "&",
      "=",
      "%",
      "\\",
      "127.0.0.1",
      "podcasts.apple.com",
      "/podcast/id1",
    ),
    FastCheck.constantFrom(
      "youtube.com/",
      "watch?v=",
      "uploads/",
      ".mp3",
      "“",
      "\ud800",
      "\u0000",
      "ｈ",
      "C:",
      "spotify:",
    ),
  )
  const pasted = FastCheck.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""))

  it.prop(
    "any text gets an answer, and no refusal repeats it",
    { text: pasted },
    ({ text }) => {
      Either.match(classifyLink(text), {
        onLeft: (refused) => assert.match(refused.message, /^[A-Z].*\.$/),
        onRight: (link) => {
          if (link.kind === "upload") return
          const url = new URL(link.url)
          assert.include(["http:", "https:"], url.protocol)
          assert.strictEqual(url.username + url.password, "")
        },
      })
    },
    { fastCheck: { numRuns: 3000 } },
  )

  it.prop(
    "the address of a link is a link of the same kind",
    { text: pasted },
    ({ text }) => {
      const link = classifyLink(text)
      if (Either.isLeft(link) || link.right.kind === "upload") return
      const again = Either.getOrThrow(classifyLink(link.right.url))
      const isFeedByScheme = link.right.kind === "feed" && again.kind !== "feed"
      if (!isFeedByScheme)
        assert.deepStrictEqual({ ...again, authorization: null }, { ...link.right, authorization: null })
    },
    { fastCheck: { numRuns: 3000 } },
  )

  it("take linear time", () => {
    const pieces = [
      "](",
      "[",
      "<a href",
      "https://",
      "a.",
      "@a.",
      "(",
      "http:",
      "：",
      "= ",
      "a b.c/ ",
      "\u200b",
      ")",
      "&amp;",
    ]
    for (const text of pieces) {
      const started = cpuMilliseconds()
      for (const around of [text, `[${text}`, `https://${text}`, `a@${text}`, `${text})`]) {
        classifyLink(around.repeat(Math.floor(32_768 / around.length)))
        classifyLink(around + text.repeat(Math.floor(32_000 / text.length)))
        classifyLink(around + text.repeat(Math.floor(8000 / text.length)))
      }
      assert.isBelow(cpuMilliseconds() - started, 1000, text)
    }
  })
})
