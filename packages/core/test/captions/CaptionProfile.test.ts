import { captionProfile } from "@earmark/core/captions"
import { assert, describe, it } from "@effect/vitest"

describe("profiles", () => {
  it("standard", () => {
    assert.deepStrictEqual(captionProfile("standard", { language: "en-US" }), {
      name: "standard",
      language: "en",
      maxCharsPerLine: 42,
      maxLines: 2,
      aimSpeed: 17,
      maxSpeed: 20,
      minDuration: 834,
      maxDuration: 7_000,
      gap: 84,
      hardGap: false,
      speakerAs: "voice",
    })
  })

  it("a language is never taken for a property that every object has", () => {
    for (const name of ["standard", "netflix"] as const) {
      const { language: _, ...limits } = captionProfile(name, { language: "constructor" })
      const { language: __, ...others } = captionProfile(name, { language: "xx" })
      assert.deepStrictEqual(limits, others)
    }
  })

  it("podcast: shorter lines, no gap, the name always before the text", () => {
    const { maxCharsPerLine, maxLines, gap, speakerAs } = captionProfile("podcast")
    assert.deepStrictEqual(
      { maxCharsPerLine, maxLines, gap, speakerAs },
      { maxCharsPerLine: 32, maxLines: 2, gap: 0, speakerAs: "prefix" },
    )
  })

  it("netflix: limits by language, a hard gap", () => {
    const facts = (language: string | null) => {
      const { maxCharsPerLine, maxSpeed, aimSpeed, minDuration, hardGap } = captionProfile("netflix", {
        language,
      })
      assert.isTrue(hardGap)
      return [maxCharsPerLine, maxSpeed, aimSpeed, minDuration]
    }
    assert.deepStrictEqual(facts("en"), [42, 20, 17, 834])
    assert.deepStrictEqual(facts("ar"), [42, 23, 20, 834])
    assert.deepStrictEqual(facts("hi"), [42, 25, 22, 834])
    assert.deepStrictEqual(facts("ko"), [32, 14, 11, 834])
    assert.deepStrictEqual(facts("zh-Hant"), [32, 11, 8, 834])
    assert.deepStrictEqual(facts("jpn"), [26, 7, 4, 500])
    assert.deepStrictEqual(facts("th"), [35, 17, 14, 834])
    assert.deepStrictEqual(facts("fr"), [42, 17, 14, 834])
    assert.deepStrictEqual(facts(null), [42, 17, 14, 834])
  })

  it("scripts that say more with a character are slower in every profile", () => {
    assert.strictEqual(captionProfile("standard", { language: "ja" }).maxSpeed, 7)
    assert.strictEqual(captionProfile("podcast", { language: "cmn" }).maxSpeed, 11)
    assert.strictEqual(captionProfile("standard", { language: "de" }).maxSpeed, 20)
  })

  it("take the caller's limits, moved into range", () => {
    const low = captionProfile("standard", {
      maxCharsPerLine: 1,
      maxLines: 0,
      maxSpeed: -3,
      minDuration: 0,
      gap: -1,
    })
    assert.deepStrictEqual(
      [low.maxCharsPerLine, low.maxLines, low.maxSpeed, low.aimSpeed, low.minDuration, low.gap],
      [10, 1, 1, 1, 1, 0],
    )
    const high = captionProfile("standard", {
      maxCharsPerLine: 1e9,
      maxLines: 9,
      minDuration: 9_000,
      maxDuration: 5,
    })
    assert.deepStrictEqual(
      [high.maxCharsPerLine, high.maxLines, high.minDuration, high.maxDuration],
      [100, 3, 9_000, 9_000],
    )
    assert.strictEqual(captionProfile("podcast", { maxCharsPerLine: Number.NaN }).maxCharsPerLine, 32)
  })
})

it("an unknown name is refused, with the names that there are", () => {
  // @ts-expect-error The types refuse it, too.
  assert.throws(() => captionProfile("netfix"), /netfix.*standard, podcast, netflix/)
})
