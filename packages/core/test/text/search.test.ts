import {
  fold,
  indexedWords,
  inWholeWords,
  mayHold,
  prepareSearch,
  type SearchRequest,
  wantedWords,
} from "@earmark/core/text"
import type { Segment } from "@earmark/core/transcripts"
import { decodeRequest, SearchAllQuery } from "@earmark/core/wire"
import { cpuMilliseconds, searchExamples } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"

const segment = (text: string, index: number): Segment => ({
  start: index * 1000,
  end: index * 1000 + 900,
  speaker: index % 2 === 0 ? "Speaker 1" : "Speaker 2",
  text,
  words: [],
})

const find = (texts: ReadonlyArray<string>, request: string | SearchRequest) =>
  prepareSearch(texts.map(segment)).search(typeof request === "string" ? { query: request } : request)

const marked = (texts: ReadonlyArray<string>, query: string) =>
  find(texts, query).hits.map(({ text, highlights }) => highlights.map(([from, to]) => text.slice(from, to)))

describe("the moment of a hit", () => {
  const timed: Segment = {
    ...segment("one two, three", 0),
    words: ["one", "two,", "three"].map((text, at) => ({
      text,
      start: at * 250,
      end: at * 250 + 200,
      confidence: null,
      speaker: null,
    })),
  }
  const momentOf = (of: Segment, query: string) => prepareSearch([of]).search({ query }).hits[0]?.at

  it("is that of its first word", () => {
    assert.deepStrictEqual(
      [momentOf(timed, "one"), momentOf(timed, "three two"), momentOf(timed, "three")],
      [0, 250, 500],
    )
  })

  it("is estimated where words have no times, or other ones than the text", () => {
    const estimated = Math.round((900 * 9) / 14)
    assert.strictEqual(momentOf({ ...timed, words: [] }, "three"), estimated)
    const [first] = timed.words
    assert.strictEqual(momentOf({ ...timed, words: first ? [first] : [] }, "three"), estimated)
  })
})

describe("what matches", () => {
  const cases: ReadonlyArray<
    readonly [name: string, text: string, query: string, found: ReadonlyArray<string>]
  > = [
    ["case", "The Market opened", "MARKET", ["Market"]],
    ["accents of the text", "Über die Brücke", "uber", ["Über"]],
    ["accents of the query", "a la facade", "façade", ["facade"]],
    ["the last word as a prefix", "responsibility", "responsib", ["responsib"]],
    ["not the first word as a prefix", "responsibility matters", "responsib matters", []],
    ["no match inside a word", "remarkable", "mark", []],
    [
      "words anywhere in the segment",
      "quiet and independent neighbours",
      "neighbours quiet",
      ["quiet", "neighbours"],
    ],
    ["all words or nothing", "quiet neighbours", "quiet market", []],
    ["a phrase in order", "what happened next", '"happened next"', ["happened next"]],
    ["a phrase out of order", "next happened what", '"happened next"', []],
    ["a quoted word is whole", "markets", '"market"', []],
    ["a quote still being typed", "early history", '"early hist', ["early hist"]],
    ["punctuation between the words of a phrase", "well, then: go", '"well then go"', ["well, then: go"]],
    ["punctuation inside a word", "I don't know", "don't", ["don't"]],
    ["typographic quotes and apostrophes", "I don’t know", "“don't know”", ["don’t know"]],
    ["nothing to look for", "anything", " ... ", []],
    ["an empty query", "anything", "", []],
    ["patterns are letters", "a.c abc", "a.c", ["a.c"]],
    ["Chinese without spaces", "我们今天去北京开会", "北京", ["北京"]],
    ["Japanese with voiced kana", "がOpenAIです", "openai", ["OpenAI"]],
    ["voicing is not an accent", "かき", "がき", []],
    ["Thai", "คนทำขนมปังเปิดร้าน", "ขนมปัง", ["ขนมปัง"]],
    ["Hindi vowel signs count", "की", "का", []],
    ["half a Korean syllable", "한국어", "한구", ["한국"]],
    ["Turkish capital dotted I", "İstanbul", "istanbul", ["İstanbul"]],
    ["ligatures", "the ﬁrst", "fir", ["ﬁr"]],
    ["full width", "ＡＢＣ", "abc", ["ＡＢＣ"]],
    [
      "letters typed as others",
      "Łódź, Straße, smørrebrød",
      "lodz strasse smorrebrod",
      ["Łódź", "Straße", "smørrebrød"],
    ],
    ["final sigma", "ΛΟΓΟΣ", "λόγος", ["ΛΟΓΟΣ"]],
    ["Hebrew points", "שָׁלוֹם", "שלום", ["שָׁלוֹם"]],
    ["Arabic harakat", "كِتَابٌ", "كتاب", ["كِتَابٌ"]],
    ["every place", "no, no, no", "no", ["no", "no", "no"]],
    ["letters beyond the basic plane", "𝒜lice 👋 bob", "bob", ["bob"]],
  ]
  for (const [name, text, query, expected] of cases) {
    it(name, () => {
      const [found] = marked([text], query)
      assert.deepStrictEqual(found ?? [], expected)
    })
  }

  it("a phrase may cross the border between segments, and both parts are marked where they stand", () => {
    const texts = ["We talked about early", "history of the town", "history again"]
    assert.deepStrictEqual(marked(texts, '"early history"'), [["early"]])
    const index = prepareSearch(texts.map(segment))
    const { total, hits } = index.search({ query: '"early history" about' })
    assert.strictEqual(total, 1)
    assert.strictEqual(hits[0]?.segment, 0)
  })

  it("a word is not found across a border", () => {
    assert.strictEqual(find(["data", "base"], "database").total, 0)
  })
})

describe("what every search finds", () => {
  for (const { name, lines, query, found } of searchExamples) {
    it(name, () => {
      assert.deepStrictEqual(marked(lines, query), found)
      for (const near of [false, true]) {
        const { total } = prepareSearch(lines.map(segment)).search({ query, near })
        if (total > 0)
          assert.isTrue(mayHold(indexedWords(lines.map((text) => ({ text }))), wantedWords(query, { near })))
      }
    })
  }
})

describe("filters and pages", () => {
  const texts = Array.from({ length: 50 }, (_, index) => `market number ${index}`)

  it("takes one speaker only", () => {
    const { total, hits } = find(texts, { query: "market", speaker: "Speaker 2" })
    assert.strictEqual(total, 25)
    assert.isTrue(hits.every(({ speaker }) => speaker === "Speaker 2"))
    const both = find(texts, { query: "market", speaker: ["Speaker 1", "Speaker 2"] })
    assert.strictEqual(both.total, find(texts, { query: "market" }).total)
    assert.strictEqual(find(texts, { query: "market", speaker: ["Speaker 2", "Ann"] }).total, total)
    assert.strictEqual(find(texts, { query: "market", speaker: [] }).total, 0)
  })

  it("takes what overlaps the time asked for", () => {
    const { hits } = find(texts, { query: "market", from: 11_500, to: 13_000 })
    assert.deepStrictEqual(
      hits.map(({ segment }) => segment),
      [11, 12],
    )
  })

  it("returns 20 hits unless asked otherwise, and counts all", () => {
    assert.strictEqual(find(texts, "market").hits.length, 20)
    assert.strictEqual(find(texts, "market").total, 50)
  })

  it("pages hold every hit once, in order", () => {
    const pages = [0, 20, 40, 60].flatMap(
      (offset) => find(texts, { query: "market", offset, limit: 20 }).hits,
    )
    assert.deepStrictEqual(
      pages.map(({ segment }) => segment),
      texts.map((_, index) => index),
    )
  })

  it("shows the neighbours, fewer at the ends", () => {
    const [hit] = find(texts, { query: '"number 1"', context: 2 }).hits
    assert.deepStrictEqual(
      [hit?.before, hit?.after].map((side) => side?.map(({ text }) => text)),
      [["market number 0"], ["market number 2", "market number 3"]],
    )
  })

  it("survives limits that make no sense", () => {
    assert.strictEqual(find(texts, { query: "market", limit: -1 }).hits.length, 0)
    assert.strictEqual(find(texts, { query: "market", offset: Number.NaN, limit: 1.9 }).hits.length, 1)
  })
})

const letters = fc.constantFrom(
  ..."aAbB éÉßİﬁΣςσ　,'.-今日はがｶﾞ한국กำด้วยकी𝒜👋ÅÅ",
  "e\u0301",
  "a\u0323\u0301",
  "שָ",
  "\n",
)
const texts = fc.array(fc.stringOf(letters, { maxLength: 12 }), { maxLength: 6 })

describe("laws", () => {
  it.prop(
    "every highlight holds the word it was found by, and never half a letter",
    { texts, at: fc.nat() },
    ({ texts, at }) => {
      const words = texts.flatMap((text) => text.split(/[\s,'.-]+/)).filter((word) => word !== "")
      const query = words[at % Math.max(1, words.length)] ?? ""
      for (const { text, highlights } of find(texts, query).hits) {
        let before = -1
        for (const [from, to] of highlights) {
          assert.isTrue(from > before && to > from && to <= text.length)
          before = to
          assert.isFalse(/^\p{M}/u.test(text.slice(to)), "a mark left behind")
          assert.notMatch(text.slice(from, to), /\p{Cs}/u, "half of a surrogate pair")
        }
      }
    },
  )

  it.prop("what a segment says is found in it", { texts, at: fc.nat() }, ({ texts, at }) => {
    const text = texts[at % Math.max(1, texts.length)] ?? ""
    if (!/\p{L}/u.test(fold(text)) || /^\p{M}/u.test(text.trim())) return
    const { hits } = find(texts, { query: `"${text}"`, limit: 100 })
    assert.isTrue(hits.some((hit) => hit.text === text && hit.highlights.length > 0))
  })

  it.prop(
    "where anything is found, the indexed words allow it",
    { texts, at: fc.nat(), quoted: fc.boolean(), near: fc.boolean() },
    ({ texts, at, quoted, near }) => {
      const words = texts.flatMap((text) => text.split(/[\s,'.-]+/)).filter((word) => word !== "")
      const word = words[at % Math.max(1, words.length)] ?? ""
      const query = quoted ? `"${word}"` : word
      if (find(texts, { query, near }).total === 0) return
      assert.isTrue(mayHold(indexedWords(texts.map((text) => ({ text }))), wantedWords(query, { near })))
    },
  )

  it.prop("nothing typed is an error", { texts, query: fc.fullUnicodeString() }, ({ texts, query }) => {
    const { total, hits } = find(texts, query)
    assert.isTrue(hits.length <= total)
  })

  it.prop("folding twice is folding once", { text: fc.fullUnicodeString() }, ({ text }) => {
    assert.strictEqual(fold(fold(text)), fold(text))
  })
})

describe("hostile queries", () => {
  const lines = Array.from({ length: 600 }, (_, at) =>
    segment(`the climate report number ${at} `.repeat(3), at),
  )
  const index = prepareSearch(lines)
  const hostile: Readonly<Record<string, string>> = {
    "ten thousand letters": "a".repeat(10_000),
    "ten thousand quotes": '"'.repeat(10_000),
    "words that are all nearly right": "climote ".repeat(1250),
    "signs of patterns": "(a+)+$ .* [^x] \\\\ ".repeat(500),
    "signs of LIKE": "%_".repeat(5000),
    "umlaut pairs": "aeoeue".repeat(1600),
    "Chinese letters": "北京大学".repeat(2500),
    asterisks: "*a* ".repeat(2500),
  }
  for (const [name, query] of Object.entries(hostile)) {
    it(`${name} take less than a second, and few forms`, () => {
      const started = cpuMilliseconds()
      index.search({ query })
      const wanted = wantedWords(query, { near: true })
      assert.isBelow(cpuMilliseconds() - started, 1000)
      assert.isBelow(wanted.flatMap(({ forms }) => forms).length, 6000)
    })
    it(`${name} are refused at the door`, () => {
      const refused = decodeRequest(SearchAllQuery)({ q: query })
      assert.isTrue(Either.isLeft(refused))
    })
  }
})

it("a text of 50 MB is searched within two seconds", () => {
  const texts = Array.from({ length: 500 }, () => "the quick brown fox ".repeat(5000))
  const started = cpuMilliseconds()
  assert.strictEqual(find(texts, "quick fo").total, 500)
  assert.isBelow(cpuMilliseconds() - started, 2000)
})

describe("inWholeWords", () => {
  const cases = [
    ["guil", '"guil"'],
    ["deep guil ", 'deep "guil" '],
    ['"books I', '"books I"'],
    ['"books I never"', '"books I never"'],
    ['"books" guil', '"books" "guil"'],
    ["", ""],
  ] as const
  for (const [query, whole] of cases) {
    it(`makes ${JSON.stringify(whole)} of ${JSON.stringify(query)}`, () => {
      assert.strictEqual(inWholeWords(query), whole)
    })
  }

  it("finds no beginnings of words", () => {
    assert.strictEqual(find(["a guilty thing"], "guil").total, 1)
    assert.strictEqual(find(["a guilty thing"], inWholeWords("guil")).total, 0)
    assert.strictEqual(find(["a guilty thing"], inWholeWords("a guilty")).total, 1)
  })
})
