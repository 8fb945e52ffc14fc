import { identifyLanguage } from "@earmark/core/text"
import { leastCpuMilliseconds } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { sentences } from "./fixtures/sentences.js"

const all = Object.entries(sentences).flatMap(([code, list]) => list.map((text) => ({ code, text })))
const shared = Object.entries(sentences).filter(([, list]) => list.length > 2)
const accuracy = (texts: ReadonlyArray<{ readonly code: string; readonly text: string }>) =>
  texts.filter(({ code, text }) => identifyLanguage(text)?.code === code).length / texts.length

describe("language of a text", () => {
  for (const [code, list] of Object.entries(sentences)) {
    it(`knows ${code}`, () => {
      const found = identifyLanguage(list.join(" "))
      assert.strictEqual(found?.code, code)
      assert.isAbove(found?.confidence ?? 0, 0.5)
    })
  }

  it("is right about 94 of 100 single sentences", () => {
    assert.isAtLeast(accuracy(all), 0.94)
  })

  it("is right about four of five beginnings of 25 characters", () => {
    const short = shared.flatMap(([code, list]) => list.map((text) => ({ code, text: text.slice(0, 25) })))
    assert.isAtLeast(accuracy(short), 0.8)
  })

  it("is less sure of a short text than of a long one", () => {
    const short = identifyLanguage("de la")
    const long = identifyLanguage((sentences.fr ?? []).join(" "))
    assert.isBelow(short?.confidence ?? 1, long?.confidence ?? 0)
  })

  it("takes the majority of a long text in two languages", () => {
    const text = `${(sentences.de ?? []).join(" ").repeat(8)} ${(sentences.en ?? []).join(" ").repeat(2)}`
    const found = identifyLanguage(text)
    assert.strictEqual(found?.code, "de")
    assert.isBelow(found?.confidence ?? 1, 0.95)
  })

  it("says nothing about nothing", () => {
    for (const text of ["", "   ", "12345 !!!", "👋👋👋", "a"]) assert.isNull(identifyLanguage(text))
  })

  it("looks at samples only, so length does not matter", () => {
    const text = "word of mouth and nothing else ".repeat(2_000_000)
    assert.strictEqual(identifyLanguage(text)?.code, "en")
    assert.isBelow(
      leastCpuMilliseconds(() => identifyLanguage(text)),
      500,
    )
  })

  it.prop(
    "is a code and a confidence for any text",
    { text: fc.fullUnicodeString({ maxLength: 2000 }) },
    ({ text }) => {
      const found = identifyLanguage(text)
      if (found !== null) {
        assert.match(found.code, /^[a-z]{2}$/)
        assert.isTrue(found.confidence >= 0 && found.confidence <= 1)
      }
    },
  )
})
