import { alignUnits, compareTexts, markedAlignment, normalizedWords } from "@earmark/core/text"
import { cpuMilliseconds, seededRandom } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"

const rates = (reference: string, hypothesis: string) =>
  Either.getOrThrow(compareTexts(reference, hypothesis))

/** The textbook table. */
const distance = (a: ReadonlyArray<string>, b: ReadonlyArray<string>) => {
  let before = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [row, unit] of a.entries()) {
    const next = [row + 1]
    for (const [at, other] of b.entries())
      next.push(
        Math.min(
          (before[at] ?? 0) + (unit === other ? 0 : 1),
          (before[at + 1] ?? 0) + 1,
          (next[at] ?? 0) + 1,
        ),
      )
    before = next
  }
  return before[b.length] ?? 0
}

describe("word error rate", () => {
  it("counts what was changed, left out and put in", () => {
    const { words, alignment } = rates("the cat sat on the mat", "the cat sit on mat today")
    assert.deepStrictEqual(
      { s: words.substitutions, d: words.deletions, i: words.insertions, h: words.hits },
      { s: 1, d: 1, i: 1, h: 4 },
    )
    assert.strictEqual(words.rate, 0.5)
    assert.strictEqual(markedAlignment(alignment), "the cat [sat -> sit] on [-the] mat [+today]")
  })

  it("an empty reference counts every insertion as a whole error", () => {
    assert.strictEqual(rates("", "two words").words.rate, 2)
    assert.strictEqual(rates("", "").words.rate, 0)
    assert.strictEqual(rates("two words", "").words.rate, 1)
  })

  it("counts letters too", () => {
    const { characters } = rates("abc", "abd")
    assert.strictEqual(characters.substitutions, 1)
    assert.strictEqual(characters.rate, 1 / 3)
  })

  it("compares as written when asked", () => {
    const { words } = Either.getOrThrow(compareTexts("Hello, you", "hello you", { normalize: false }))
    assert.strictEqual(words.substitutions, 1)
  })

  it("refuses texts that are too far apart", () => {
    const result = compareTexts("a b c d e f g h", "s t u v w x y z", { limit: 3 })
    assert.isTrue(Either.isLeft(result) && result.left._tag === "TooFarApart" && result.left.limit === 3)
  })

  it("30,000 words that differ in a tenth align within two seconds", () => {
    const random = seededRandom(3)
    const said = Array.from({ length: 30_000 }, () => `w${Math.floor(5000 * random() ** 2)}`)
    const heard = said.flatMap((word) => (random() < 0.05 ? [] : random() < 0.05 ? ["wrong"] : [word]))
    const started = cpuMilliseconds()
    const steps = Either.getOrThrow(alignUnits(said, heard))
    assert.isBelow(cpuMilliseconds() - started, 2000)
    assert.strictEqual(steps.filter(({ kind }) => kind !== "insertion").length, 30_000)
  })
})

const units = (letters: string, most: number) => fc.array(fc.constantFrom(...letters), { maxLength: most })

describe("alignment laws", () => {
  for (const [name, letters, most] of [
    ["two letters", "ab", 40],
    ["four letters", "abcd", 30],
    ["many letters", "abcdefghijklmnop", 60],
  ] as const) {
    it.prop(
      `is as short as the full table says, ${name}`,
      { a: units(letters, most), b: units(letters, most) },
      ({ a, b }) => {
        const steps = Either.getOrThrow(alignUnits(a, b))
        assert.strictEqual(steps.filter(({ kind }) => kind !== "hit").length, distance(a, b))
        // Every unit of both sides exactly once, in order, and hits are hits.
        const said = steps.flatMap((step) => (step.kind === "insertion" ? [] : [step.reference]))
        const heard = steps.flatMap((step) => (step.kind === "deletion" ? [] : [step.hypothesis]))
        assert.deepStrictEqual(said, [...a.keys()])
        assert.deepStrictEqual(heard, [...b.keys()])
        for (const step of steps) {
          if (step.kind === "hit") assert.strictEqual(a[step.reference], b[step.hypothesis])
          if (step.kind === "substitution") assert.notStrictEqual(a[step.reference], b[step.hypothesis])
        }
      },
      { fastCheck: { numRuns: 1500 } },
    )
  }

  it.prop(
    "the limit refuses exactly what is farther apart",
    { a: units("abc", 20), b: units("abc", 20), limit: fc.integer({ min: 1, max: 20 }) },
    ({ a, b, limit }) => {
      const result = alignUnits(a, b, limit)
      if (distance(a, b) <= limit) assert.isTrue(Either.isRight(result))
      else if (Either.isRight(result))
        assert.strictEqual(result.right.filter(({ kind }) => kind !== "hit").length, distance(a, b))
    },
  )
})

describe("normalisation", () => {
  const cases: ReadonlyArray<readonly [text: string, words: string, language?: string]> = [
    ["Hello, World!", "hello world"],
    ["[music] So (laughs) yes ♪", "so yes"],
    ["Um, I uh think, hmm, so", "i think so"],
    ["umbrella and hummus", "umbrella and hummus"],
    ["It's what they've won't can't", "it is what they have will not can not"],
    ["Y'know, yknow", "you know you know"],
    ["Anna's house", "anna's house"],
    ["twenty-five people", "25 people"],
    ["two hundred and five", "205"],
    ["three thousand two hundred", "3200"],
    ["one million five hundred thousand", "1500000"],
    ["nineteen ninety", "19 90"],
    ["the five and the six", "the 5 and the 6"],
    ["1,250 dollars at 3.5%", "1250 dollars at 3.5 percent"],
    ["It cost $5.", "it cost 5 dollars"],
    ["a [ b", "a b"],
    ["‘quoted’ rock ’n’ roll", "quoted rock n roll"],
    ["Ｆｕｌｌ width", "full width"],
    ["今日は、いい。", "今 日 は い い", "ja"],
    ["Ähm, das ist's", "ähm das ist's", "de"],
    ["constructor toString hundred", "constructor tostring hundred"],
  ]
  for (const [text, words, language] of cases) {
    it(text, () => assert.strictEqual(normalizedWords(text, language).join(" "), words))
  }

  it.prop("never fails, and is linear", { text: fc.fullUnicodeString({ maxLength: 200 }) }, ({ text }) => {
    for (const word of normalizedWords(text)) assert.isFalse(/\s/.test(word) || word === "")
  })

  it("megabytes of brackets and points end within two seconds", () => {
    for (const text of ["[", "(a", "...", "[]", "u", "'", "1,", "twenty "]) {
      const started = cpuMilliseconds()
      normalizedWords(text.repeat(300_000))
      assert.isBelow(cpuMilliseconds() - started, 2000, text)
    }
  })
})
