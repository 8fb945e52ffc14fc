import { type AskedTranscript, answerOfPassages, rankPassages } from "@earmark/core/questions"
import { assert, describe, it } from "@effect/vitest"
import { bees, filler, garden, panels, transcriptOf } from "./askedTranscripts.js"

const bestLines = (
  question: string,
  from: ReadonlyArray<AskedTranscript> = [garden],
): ReadonlyArray<ReadonlyArray<string>> =>
  rankPassages(from, question, 3).map(({ transcript, from: first, to }) =>
    transcript.segments.slice(first, to).map(({ text }) => text),
  )

describe("passages for a question", () => {
  it("are found by other forms of its words", () => {
    assert.isTrue(bestLines("How much have prices of a solar panel fallen?")[0]?.includes(panels))
    assert.isTrue(bestLines("Who was keeping bees, and in how many hives?")[0]?.includes(bees))
  })

  it("are none when nothing fits", () => {
    assert.deepStrictEqual(bestLines("What did Napoleon eat at Waterloo?"), [])
    assert.deepStrictEqual(bestLines("?!"), [])
    assert.deepStrictEqual(bestLines("bees", []), [])
  })

  it("come from the transcript that has them", () => {
    const [first] = rankPassages([transcriptOf("b", filler(90)), garden], "hives of bees", 3)
    assert.strictEqual(first?.transcript, garden)
  })

  it("hold every line with the very word, where there is room", () => {
    const budget = (at: number) => `The budget of part ${at} is fixed.`
    for (const [first, second] of [
      [1, 11],
      [2, 12],
      [0, 14],
    ] as const) {
      const texts = filler(15).map((text, at) => (at === first || at === second ? budget(at) : text))
      const lines = bestLines("What about the budget?", [transcriptOf("s", texts)]).flat()
      assert.includeMembers(lines, [budget(first), budget(second)])
      assert.strictEqual(new Set(lines).size, lines.length)
    }
  })

  it("are found beside a word that was never said, however much else there is", () => {
    const budget = (at: number) => `The budget for oil number ${at} is two million dollars.`
    const harbours = Array.from({ length: 12 }, (_, at) =>
      transcriptOf(`h${at}`, [...filler(3), budget(at), ...filler(3)]),
    )
    for (const others of [0, 3, 30, 300]) {
      const museums = Array.from({ length: others }, (_, at) => transcriptOf(`m${at}`, filler(6)))
      const library = [...harbours, ...museums]
      for (const question of ["What is the budget for the wall?", "Was there a budget for the castle?"])
        assert.include(bestLines(question, library)[0] ?? [], budget(0), `${question} ${others}`)
      assert.deepStrictEqual(bestLines("Was the weather discussed by Napoleon at Waterloo?", library), [])
    }
  })

  it("are found by a word that every recording has", () => {
    for (const count of [1, 2, 16, 20, 40])
      for (const others of [0, 5]) {
        const library = [
          ...Array.from({ length: count }, (_, at) =>
            transcriptOf(`h${at}`, [`We decided to hire ${at} engineers in March.`, ...filler(1)]),
          ),
          ...Array.from({ length: others }, (_, at) => transcriptOf(`m${at}`, filler(6))),
        ]
        for (const question of [
          "How many engineers?",
          "Where do the engineers sit?",
          "How many engineers did they take on?",
        ])
          assert.isAbove(bestLines(question, library).length, 0, `${question} ${count} ${others}`)
      }
  })

  it("have the same words once, though recordings are copies", () => {
    const copies = ["c", "d", "e"].map((name) => transcriptOf(name, [...filler(20), panels, ...filler(20)]))
    const found = rankPassages([...copies, garden], "the price of solar panels, and hives of bees", 4)
    assert.deepStrictEqual(
      found.map(({ transcript }) => transcript),
      [garden, copies[0]],
    )
  })

  it("never lie over each other", () => {
    const found = rankPassages([garden], "weather of the garden on a day", 20)
    for (const one of found)
      for (const other of found)
        if (one !== other) assert.isTrue(one.to <= other.from || other.to <= one.from)
    assert.isAbove(found.length, 3)
  })

  const languages: ReadonlyArray<readonly [language: string, said: string, question: string]> = [
    [
      "German",
      "Die Preise für Wohnungen sind um ein Drittel gestiegen.",
      "Wie ist der Preis der Wohnung gestiegen?",
    ],
    [
      "French",
      "Les écoles de la région ferment à cause de la chaleur.",
      "Pourquoi une école est-elle fermée par la chaleur ?",
    ],
    ["Russian", "Правительство построило новую библиотеку у реки.", "Где правительство строит библиотеки?"],
    ["Japanese", "太陽光パネルの値段は十年で九割下がりました。", "太陽光パネルの値段はどうなりましたか"],
    ["Korean", "태양광 가격이 많이 내려갔습니다.", "태양광 가격은 어떻게 되었습니까?"],
    ["Thai", "ราคาแผงโซลาร์เซลล์ลดลงมาก", "ราคาแผงโซลาร์เซลล์เป็นอย่างไร"],
  ]
  for (const [language, said, question] of languages)
    it(`are found in ${language}`, () => {
      const found = bestLines(question, [transcriptOf("c", [...filler(30), said, ...filler(30)])])
      assert.isTrue(found[0]?.includes(said))
    })
})

describe("an answer of passages", () => {
  it("has only what was said, where it was said", () => {
    const answer = answerOfPassages(rankPassages([garden], "hives of bees", 2))
    assert.strictEqual(answer.status, "partial")
    const citation = answer.claims[0]?.citations.find(({ excerpt }) => excerpt === bees)
    assert.deepStrictEqual(citation, {
      transcriptionId: garden.id,
      segmentId: 121,
      start: 605_000,
      end: 609_800,
      speaker: "Bob",
      excerpt: bees,
    })
    for (const { text, citations } of answer.claims)
      assert.strictEqual(text, citations.map(({ excerpt }) => excerpt).join(" "))
  })

  it("begins with what fits best, and has no more of a short transcript than that", () => {
    const asked = "What was the price of salt?"
    const lines = [
      "Good morning, and welcome to the museum.",
      "We open at ten, and the reading room stays open until six.",
      "Then I would like to see the old account books of the salt merchant.",
      "They are in the area behind the glass doors.",
      "How far back do they go?",
      "The earliest one is mostly about the price of salt.",
      "Salt was the thing that everybody needed.",
      "A single barrel could pay a carpenter for a month.",
      "So the books of a salt merchant are the books of a town.",
      "And who wrote them?",
    ]
    const { claims } = answerOfPassages(rankPassages([transcriptOf("m", lines)], asked, 5))
    const cited = claims.map(({ citations }) => citations.map(({ segmentId }) => segmentId))
    assert.deepStrictEqual(cited[0], [4, 5, 6])
    assert.isBelow(cited.flat().length, 6)
  })

  it("leaves out what fits much worse than the best of it", () => {
    const spoken = [
      ...filler(20),
      "The price of salt, the price of salt.",
      ...filler(20),
      "A price.",
      ...filler(20),
    ]
    const { claims } = answerOfPassages(rankPassages([transcriptOf("w", spoken)], "price of salt", 5))
    assert.deepStrictEqual(
      claims.map(({ text }) => text.includes("price of salt")),
      [true],
    )
  })

  it("is not found when there are none", () => {
    assert.strictEqual(answerOfPassages([]).status, "not_found")
  })

  it("cites the beginning of an endless line", () => {
    const long = transcriptOf("d", [`${"bees and hives ".repeat(200)}`])
    const [claim] = answerOfPassages(rankPassages([long], "bees", 1)).claims
    assert.isAtMost(claim?.citations[0]?.excerpt.length ?? 0, 600)
  })
})
