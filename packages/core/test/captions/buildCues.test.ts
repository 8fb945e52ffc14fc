import { buildCues } from "@earmark/core/captions"
import type { Word } from "@earmark/core/transcripts"
import { cpuMilliseconds, wordStream } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { cuesOf, heard, linesOf, say, standard, timesOf } from "./sayingCues.js"

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

  const filler = (letter: string, length: number) => letter.repeat(length)

  for (const [language, leaning, joining] of [
    ["en", ["the", "of", "would", "i'm", "very"], ["and", "because", "with"]],
    ["de", ["der", "einem", "für", "ich"], ["und", "weil", "zwischen"]],
    ["fr", ["la", "des", "est", "très"], ["et", "parce", "sans"]],
    ["es", ["los", "del", "muy"], ["pero", "cuando", "entre"]],
    ["it", ["gli", "della", "sono"], ["che", "mentre", "senza"]],
    ["pt", ["uma", "pelo", "não"], ["mas", "quando", "entre"]],
    ["nl", ["het", "niet", "zullen"], ["maar", "omdat", "zonder"]],
  ] as const) {
    it(`${language}: not behind ${leaning.join(", ")}`, () => {
      for (const word of leaning) {
        // The best balance would leave the word at the end of the top line.
        const words = say(`${filler("x", 9)} ${filler("y", 11)} ${word} ${filler("z", 22 + word.length)}`, {
          each: 800,
        })
        assert.deepStrictEqual(linesOf(words, { language }), [
          [`${filler("x", 9)} ${filler("y", 11)}`, `${word} ${filler("z", 22 + word.length)}`],
        ])
        assert.match(linesOf(words, { language: null })[0]?.[0] ?? "", new RegExp(`${word}$`))
      }
    })

    it(`${language}: before ${joining.join(", ")}`, () => {
      for (const word of joining) {
        const words = say(`${filler("x", 20)} ${word} ${filler("y", 12)} ${filler("z", 9)}`, { each: 800 })
        assert.deepStrictEqual(linesOf(words, { language })[0]?.[0], filler("x", 20))
      }
    })
  }

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

it("takes time in proportion to the words, also without punctuation or speakers", () => {
  const least = (words: ReadonlyArray<Word>) => {
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < 4; round++) {
      const started = cpuMilliseconds()
      cuesOf(words)
      best = Math.min(best, cpuMilliseconds() - started)
    }
    return best
  }
  const words = wordStream({ words: 40_000, speakers: 1, unpunctuated: 1 })
  const ratio = least(words) / least(words.slice(0, 5_000))
  assert.isBelow(ratio, 24, "eight times the words")
})
