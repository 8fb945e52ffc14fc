import { buildCues, captionProfile } from "@earmark/core/captions"
import { spreadWords } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import { heard, linesOf, say } from "./sayingCues.js"

describe("odd transcripts", () => {
  const japanese = "今日は「東京タワー」に行って、友達とラーメンを食べました。ちょっと楽しみにしています！"
  const chinese = "人工智能正在改变我们的生活方式，很多人认为它会带来更多的机会，但是也有人担心失业的问题。"
  const byCharacter = (text: string) =>
    Array.from(text).map((character, index) => heard(character, index * 150, (index + 1) * 150))

  for (const [language, text] of [
    ["ja", japanese],
    ["zh", chinese],
  ] as const) {
    for (const [form, words] of [
      ["one word for each character", byCharacter(text)],
      ["words spread over a segment", spreadWords({ start: 0, end: 9_000, speaker: null, text })],
    ] as const) {
      it(`${language}, ${form}: no spaces, no line begins or ends with the wrong character`, () => {
        const profile = captionProfile("netflix", { language })
        const cues = buildCues(words, { profile })
        const lines = cues.flatMap((cue) => cue.lines)
        assert.strictEqual(lines.join(""), text)
        assert.strictEqual(cues.flatMap((cue) => cue.words.map((word) => word.text)).join(""), text)
        assert.isAbove(lines.length, 2)
        for (const line of lines) {
          assert.isAtMost(2 * Array.from(line).length, profile.maxCharsPerLine)
          assert.notMatch(line, /^[、。，！？」』）ーっゃゅょッャュョ]/u)
          assert.notMatch(line, /[「『（]$/u)
        }
      })
    }
  }

  it("Japanese is read by the character, not by the cell", () => {
    const profile = captionProfile("standard", { language: "ja" })
    assert.strictEqual(profile.maxSpeed, 7)
    const [cue] = buildCues([heard("今日は。", 0, 200)], { profile })
    assert.strictEqual(cue?.end, 1_000)
  })

  it("Thai: joined without space, real spaces kept as ends of phrases", () => {
    const text = "สวัสดีครับ วันนี้เราจะมาพูดคุยกันเรื่องการเดินทางในประเทศไทย ซึ่งเป็นเรื่องที่น่าสนใจมาก"
    const profile = captionProfile("netflix", { language: "th" })
    const cues = buildCues(spreadWords({ start: 0, end: 9_000, speaker: null, text }), { profile })
    const letters = (value: string) => value.replaceAll(" ", "")
    assert.strictEqual(letters(cues.flatMap((cue) => cue.lines).join("")), letters(text))
    assert.isTrue(
      cues.some((cue) => cue.lines.some((line) => line.includes("สวัสดีครับ วันนี้") || line === "สวัสดีครับ")),
    )
    assert.strictEqual(cues.at(-1)?.lines[0], "ซึ่งเป็นเรื่องที่น่าสนใจมาก")
  })

  it("Korean: split at spaces, sixteen full-width characters a line", () => {
    const text = "내일은 친구와 함께 서울에 가서 맛있는 음식을 먹을 예정입니다."
    const profile = captionProfile("netflix", { language: "ko" })
    const lines = buildCues(say(text, { each: 600 }), { profile }).flatMap((cue) => cue.lines)
    assert.strictEqual(lines.join(" "), text)
    assert.strictEqual(profile.maxCharsPerLine, 32)
  })

  for (const [language, text, first] of [
    [
      "ar",
      "هل هذا هو البيت الكبير؟ نعم هذا هو البيت الذي كنا نبحث عنه منذ زمن طويل",
      "هل هذا هو البيت الكبير؟",
    ],
    [
      "he",
      "אני לא יודע מה קרה שם עכשיו? אבל אני חושב שזה לא היה רעיון טוב בכלל",
      "אני לא יודע מה קרה שם עכשיו?",
    ],
    ["hi", "मैं कल बाज़ार गया था। वहाँ बहुत भीड़ थी और मुझे कुछ नहीं मिला इसलिए लौट आया", "मैं कल बाज़ार गया था।"],
    [
      "ur",
      "میں کل بازار گیا تھا۔ وہاں بہت بھیڑ تھی اور مجھے کچھ نہیں ملا تو واپس آ گیا",
      "میں کل بازار گیا تھا۔",
    ],
  ] as const) {
    it(`${language}: logical order, and its own marks end a sentence`, () => {
      const lines = linesOf(say(text, { each: 400 }), { language })
      assert.deepStrictEqual(lines[0], [first])
      assert.strictEqual(lines.flat().join(" "), text)
    })
  }
})
