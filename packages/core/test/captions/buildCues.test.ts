import { buildCues, type CaptionProfileOptions, captionProfile } from "@earmark/core/captions"
import { spreadWords, type Word } from "@earmark/core/transcripts"
import { wordStream } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"

/** Words said evenly, about three a second unless told. */
const say = (
  text: string,
  options: { readonly from?: number; readonly each?: number; readonly speaker?: string | null } = {},
): ReadonlyArray<Word> => {
  const { from = 0, each = 350, speaker = null } = options
  return text.split(" ").map((word, index) => ({
    text: word,
    start: from + index * each,
    end: from + (index + 1) * each,
    confidence: null,
    speaker,
  }))
}

const heard = (text: string, start: number, end: number, speaker: string | null = null): Word => ({
  text,
  start,
  end,
  confidence: null,
  speaker,
})

const standard = (options: CaptionProfileOptions = {}) =>
  captionProfile("standard", { language: "en", ...options })

const cuesOf = (words: ReadonlyArray<Word>, options: CaptionProfileOptions = {}) =>
  buildCues(words, { profile: standard(options) })

const linesOf = (words: ReadonlyArray<Word>, options: CaptionProfileOptions = {}) =>
  cuesOf(words, options).map((cue) => cue.lines)

const timesOf = (words: ReadonlyArray<Word>, options: CaptionProfileOptions = {}) =>
  cuesOf(words, options).map((cue) => [cue.start, cue.end])

describe("where lines and cues end", () => {
  it("after a sentence", () => {
    assert.deepStrictEqual(
      linesOf(say("That is how it began. Nobody knew what would happen to us after that day.")),
      [["That is how it began."], ["Nobody knew what would happen", "to us after that day."]],
    )
  })

  it("before a conjunction or a preposition, and not behind a word that leans on the next", () => {
    const [lines = []] = linesOf(say("we waited at the station for a very long time and the train came"))
    assert.strictEqual(lines.length, 2)
    assert.notMatch(lines[0] ?? "", / (?:the|a|and|for|at|very)$/)
  })

  it("not after an abbreviation or an initial, nor inside a name", () => {
    for (const text of [
      "Yesterday evening we finally met Mr. Keller in the garden of the house",
      "A book about the life and times of J. Marsh was found in a box",
      "The paper was written about chapter no. 5 of the new report by her",
    ]) {
      for (const line of linesOf(say(text)).flat()) assert.notMatch(line, /(?:Mr|J|no)\.$/)
    }
  })

  it("after No. when it is an answer", () => {
    const narrow = { maxCharsPerLine: 21, maxLines: 1 }
    assert.deepStrictEqual(linesOf(say("They all answered no. Nobody else was there."), narrow)[0], [
      "They all answered no.",
    ])
    assert.notDeepEqual(linesOf(say("They only answered no. 5 and nothing else."), narrow)[0], [
      "They only answered no.",
    ])
  })

  it("at a silence, and never through one of seconds", () => {
    const words = [...say("there is one"), ...say("more thing to say", { from: 5_000 })]
    assert.deepStrictEqual(linesOf(words), [["there is one"], ["more thing to say"]])
  })

  it("by the language: German ordinals end no sentence, English ones do", () => {
    const words = say("Das Treffen war am 3. Mai in einer kleinen Stadt am Meer gewesen")
    for (const line of linesOf(words, { language: "de-AT" }).flat())
      assert.notMatch(line, /(?:am|3\.|einer)$/)
  })

  it("without word lists by punctuation, pauses and balance", () => {
    const [lines] = linesOf(say("mluvili jsme o tom celou noc, ale nikdo si nic nepamatoval"), {
      language: "cs",
    })
    assert.deepStrictEqual(lines, ["mluvili jsme o tom celou noc,", "ale nikdo si nic nepamatoval"])
  })
})

describe("how many lines", () => {
  const words = say(
    "when we came back from the river in the evening the whole village was already asleep and dark",
  )
  for (const maxLines of [1, 2, 3]) {
    it(`${maxLines}`, () => {
      const lines = linesOf(words, { maxLines, maxCharsPerLine: 36 })
      assert.strictEqual(Math.max(...lines.map((cue) => cue.length)), maxLines)
      for (const line of lines.flat()) assert.isAtMost(line.length, 36)
    })
  }
})

describe("when a cue ends", () => {
  it("stays long enough to be read, but not long after the last word", () => {
    assert.deepStrictEqual(timesOf([heard("Yes.", 1_000, 1_200)]), [[1_000, 1_834]])
    assert.deepStrictEqual(timesOf([heard("Unquestionably, indisputably.", 0, 300)]), [[0, 1_500]])
  })

  it("leaves a gap when there is silence for it", () => {
    const words = [heard("Yes.", 0, 900), heard("No.", 3_000, 3_900)]
    assert.deepStrictEqual(timesOf(words)[0], [0, 900])
    const close = [heard("Yes.", 0, 900, "A"), heard("No.", 1_200, 2_100, "B")]
    assert.deepStrictEqual(timesOf(close)[0], [0, 1_116])
  })

  it("never cuts speech for a gap, unless the gap is hard", () => {
    const words = [heard("Yes.", 0, 1_000, "A"), heard("No.", 1_000, 2_000, "B")]
    assert.deepStrictEqual(timesOf(words)[0], [0, 1_000])
    assert.deepStrictEqual(timesOf(words, { hardGap: true })[0], [0, 916])
  })

  it("by what follows, when that is known", () => {
    const words = [heard("Yes.", 1_000, 1_200)]
    const profile = standard()
    assert.strictEqual(buildCues(words, { profile, until: 1_700 })[0]?.end, 1_616)
    assert.strictEqual(buildCues(words, { profile, until: 1_100 })[0]?.end, 1_200)
  })
})

describe("speakers", () => {
  it("never share a cue", () => {
    const words = [
      ...say("I think so", { speaker: "Speaker 1" }),
      ...say("me too", { from: 1_050, speaker: "Speaker 2" }),
    ]
    assert.deepStrictEqual(
      cuesOf(words).map((cue) => [cue.speaker, cue.lines]),
      [
        ["Speaker 1", ["I think so"]],
        ["Speaker 2", ["me too"]],
      ],
    )
  })

  it("wait for a turn that would flash by, but not past the end of their first word", () => {
    const flash = (end: number) =>
      timesOf([
        heard("Yes!", 0, 900, "A"),
        heard("Really?", 100, end, "B"),
        heard("Never.", 5_000, 6_000, "B"),
      ])[0]
    assert.deepStrictEqual(flash(2_000), [0, 600])
    assert.deepStrictEqual(flash(400), [0, 399])
  })

  it("who talk at once stay in their own turns, in order, one cue at a time", () => {
    const words = [
      ...say("I was going to say that we should leave", { speaker: "A" }),
      ...say("no wait please", { from: 1_000, each: 200, speaker: "B" }),
      ...say("and that is what we did", { from: 2_000, speaker: "A" }),
    ]
    const cues = cuesOf(words)
    assert.deepStrictEqual(
      cues.map((cue) => cue.speaker),
      ["A", "B", "A"],
    )
    cues.forEach((cue, index) => {
      assert.isAtMost(cue.end, cues[index + 1]?.start ?? Number.POSITIVE_INFINITY)
    })
  })
})

describe("odd transcripts", () => {
  it("no words", () => {
    assert.deepStrictEqual(cuesOf([]), [])
    assert.deepStrictEqual(cuesOf([heard(" ", 0, 1), heard("\u0000", 2, 3)]), [])
  })

  it("segments without words", () => {
    const text = "Nobody had seen the doctor since the evening before, and the door was open."
    const cues = cuesOf(spreadWords({ start: 2_000, end: 7_000, speaker: "Ann", text }))
    assert.strictEqual(cues.map((cue) => cue.lines.join(" ")).join(" "), text)
    assert.strictEqual(cues[0]?.start, 2_000)
    assert.strictEqual(cues[0]?.speaker, "Ann")
  })

  it("some words without time", () => {
    const words = say("this one has no time").map((word, index) =>
      index === 2 ? { ...word, start: Number.NaN, end: Number.NaN } : word,
    )
    const [cue] = cuesOf(words)
    assert.strictEqual(cue?.lines.join(" "), "this one has no time")
    assert.strictEqual(cue?.words[2]?.start, 700)
  })

  it("no speakers: one turn", () => {
    const cues = cuesOf(say("yes. no. yes."))
    assert.isTrue(cues.every((cue) => cue.speaker === null))
  })

  it("three words at no time are one cue that can be read", () => {
    const cues = cuesOf([heard("one", 0, 0), heard("two", 0, 0), heard("three", 0, 0)])
    assert.deepStrictEqual(
      cues.map(({ start, end, lines }) => ({ start, end, lines })),
      [{ start: 0, end: 834, lines: ["one two three"] }],
    )
  })

  it("negative and disordered times lose nothing", () => {
    const cues = cuesOf([heard("a", -900, -500), heard("b", 700, 300), heard("c", 200, 900)])
    assert.strictEqual(cues.flatMap((cue) => cue.lines).join(" "), "a b c")
    assert.strictEqual(cues[0]?.start, 0)
  })

  it("a word of minutes is shown for seconds", () => {
    assert.deepStrictEqual(timesOf([heard("Ommm", 1_000, 301_000)]), [[1_000, 8_000]])
  })

  it("a hundred hours in", () => {
    assert.deepStrictEqual(timesOf([heard("Still here.", 360_000_000, 360_001_000)]), [
      [360_000_000, 360_001_000],
    ])
  })

  it("emoji and marks count as they look", () => {
    const family = "👨‍👩‍👧‍👦"
    const words = say(Array.from({ length: 14 }, () => family).join(" "))
    assert.deepStrictEqual(linesOf(words, { maxLines: 1 }), [[words.map((word) => word.text).join(" ")]])
    assert.strictEqual(
      linesOf(say(Array.from({ length: 15 }, () => family).join(" ")), { maxLines: 1 }).length,
      2,
    )
    const marked = "e\u0301".repeat(42)
    assert.deepStrictEqual(linesOf(say(marked)), [[marked]])
  })

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

  it("a word longer than a line is cut between graphemes, without a hyphen", () => {
    const long = "e\u0301".repeat(100)
    const cues = cuesOf([heard("So", 0, 200), heard(long, 200, 6_200), heard("then.", 6_200, 6_600)])
    assert.strictEqual(
      cues
        .flatMap((cue) => cue.lines)
        .join("")
        .replace(/ /g, ""),
      `So${long}then.`,
    )
    for (const line of cues.flatMap((cue) => cue.lines)) {
      assert.isAtMost(line.normalize("NFC").length, 42)
      assert.notMatch(line, /^\u0301|-/)
    }
    const parts = cues.flatMap((cue) => cue.words)
    assert.strictEqual(parts.map((word) => word.text).join(""), `So${long}then.`)
    for (const part of parts) assert.isTrue(part.start >= 0 && part.end <= 6_600 && part.end > part.start)
  })

  it("tags, entities, arrows and line breaks are spoken text on one line", () => {
    const cues = cuesOf([
      heard("<b>", 0, 200),
      heard("&amp;", 200, 400),
      heard("a-->b", 400, 600),
      heard("x\n\ny", 600, 800),
    ])
    assert.deepStrictEqual(cues[0]?.lines, ["<b> &amp; a-->b x y"])
  })

  it("spaces around words go, empty words go, two words in one token may part", () => {
    const words = [
      heard(" hello", 0, 200),
      heard("", 200, 300),
      heard("  ", 300, 400),
      heard("New  York ", 400, 900),
    ]
    const [cue] = cuesOf(words)
    assert.deepStrictEqual(cue?.lines, ["hello New York"])
    assert.deepStrictEqual(
      cue?.words.map((word) => word.text),
      ["hello", "New York"],
    )
    const spaced = say("one two three four five", { each: 400 })
    const token = [heard("one two three four five", 0, 2_000)]
    assert.deepStrictEqual(linesOf(token, { maxCharsPerLine: 13 }), linesOf(spaced, { maxCharsPerLine: 13 }))
  })
})

it("takes time in proportion to the words, also without punctuation or speakers", () => {
  const least = (words: ReadonlyArray<Word>) => {
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < 4; round++) {
      const started = performance.now()
      cuesOf(words)
      best = Math.min(best, performance.now() - started)
    }
    return best
  }
  const words = wordStream({ words: 40_000, speakers: 1, unpunctuated: 1 })
  const ratio = least(words) / least(words.slice(0, 5_000))
  assert.isBelow(ratio, 24, "eight times the words")
})
