import type { AccountId } from "@earmark/core/jobs"
import { prepareSearch, type WantedWords, wantedWords } from "@earmark/core/text"
import { type Content, JobStore } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { searchExamples } from "../searchExamples.js"
import { promise, type StoreCase } from "./Case.js"
import { createDone, finishedWith, newAccount } from "./makers.js"

const contentOf = (lines: ReadonlyArray<string>): Content => ({
  ...finishedWith().content,
  text: lines.join(" "),
  segments: lines.map((text, at) => ({
    start: at * 1000,
    end: at * 1000 + 900,
    speaker: null,
    text,
    words: [],
  })),
})

const candidatesFor = (account: AccountId, words: WantedWords) =>
  Effect.gen(function* () {
    const store = yield* JobStore
    const found = yield* store.search(account, { words, limit: 10 })
    return yield* store.candidates(
      account,
      found.map(({ id }) => id),
    )
  })

export const searchCases: ReadonlyArray<StoreCase> = [
  promise(
    "every transcript in which a search finds anything is among the candidates, with its lines",
    Effect.gen(function* () {
      for (const { name, lines, query, found } of searchExamples) {
        const account = yield* newAccount()
        yield* createDone(account, {}, finishedWith({ content: contentOf(lines) }))
        const marked: Array<ReadonlyArray<string>> = []
        for (const near of [false, true]) {
          if (marked.length > 0) break
          const candidates = yield* candidatesFor(account, wantedWords(query, { near }))
          for (const { content } of candidates) {
            const { hits } = prepareSearch(content.segments).search({ query, near })
            for (const { text, highlights } of hits)
              marked.push(highlights.map(([from, to]) => text.slice(from, to)))
          }
        }
        assert.deepStrictEqual(marked, found, name)
      }
    }),
  ),
  promise(
    "candidates say whether the times of their words are left out",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const timed = finishedWith().content
      const [line] = timed.segments
      assert.isAbove(line?.words.length ?? 0, 0)
      yield* createDone(account, {}, finishedWith({ content: timed }))
      const untimed = finishedWith({ content: contentOf([line?.text ?? ""]) })
      yield* createDone(account, {}, untimed)
      const candidates = yield* candidatesFor(account, wantedWords(line?.text ?? "", { near: false }))
      const left = candidates.map(({ isWithoutTimes, content }) =>
        isWithoutTimes
          ? "left out"
          : content.segments.some((each) => each.words.length > 0)
            ? "there"
            : "none",
      )
      assert.lengthOf(left, 2)
      assert.include(left, "none")
      assert.isTrue(left.includes("there") || left.includes("left out"))
    }),
  ),
  promise(
    "candidates come in the order in which they are asked for, without those of others and those that are gone",
    Effect.gen(function* () {
      const store = yield* JobStore
      const [account, stranger] = [yield* newAccount(), yield* newAccount()]
      const [first, gone, second] = [
        yield* createDone(account, {}, finishedWith({ content: contentOf(["the first"]) })),
        yield* createDone(account),
        yield* createDone(account, {}, finishedWith({ content: contentOf(["the second"]) })),
      ]
      const others = yield* createDone(stranger)
      yield* store.remove(account, gone.id)
      const found = yield* store.candidates(account, [second.id, others.id, gone.id, first.id])
      assert.deepStrictEqual(
        found.map(({ job, content }) => [job.id, content.segments.map(({ text }) => text)]),
        [
          [second.id, ["the second"]],
          [first.id, ["the first"]],
        ],
      )
    }),
  ),
  promise(
    "transcripts without a word are no candidates",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount()
      yield* createDone(account, {}, finishedWith({ content: contentOf(["so it goes", "北京大学"]) }))
      for (const query of ["it come", "goes it so x", "京北", '"go"', "munchen"]) {
        const words = wantedWords(query, { near: false })
        assert.deepStrictEqual(yield* store.search(account, { words, limit: 10 }), [], query)
      }
    }),
  ),
  promise(
    "words that are far from each other make no candidate, but phrases go on in the next line",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount()
      const lines = Array.from({ length: 600 }, (_, at) => `line number${at}`)
      yield* createDone(account, {}, finishedWith({ content: contentOf(lines) }))
      const isFound = (query: string) =>
        Effect.map(
          store.search(account, { words: wantedWords(query, { near: false }), limit: 10 }),
          ({ length }) => length === 1,
        )
      assert.isFalse(yield* isFound("number7 number500 "))
      assert.isFalse(yield* isFound("number7 number8 "))
      assert.isFalse(yield* isFound('number7 number501 "line"'))
      assert.isTrue(yield* isFound("number7 line "))
      // Wherever the line ends that it begins in.
      for (const at of [2, 3, 298, 299, 598]) {
        assert.isTrue(yield* isFound(`"number${at} line number${at + 1}"`), `${at}`)
        assert.isFalse(yield* isFound(`"number${at} line" number${(at + 300) % 600} `), `${at}`)
      }
    }),
  ),
  promise(
    "words that are in most lines are found with those that are in few, and with each other",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const lines = Array.from(
        { length: 600 },
        (_, at) => `the tea ${at % 300 === 7 ? "cups" : "bags"} of day${at}`,
      )
      const { id } = yield* createDone(account, {}, finishedWith({ content: contentOf(lines) }))
      const found = (query: string) =>
        Effect.map(candidatesFor(account, wantedWords(query, { near: false })), (candidates) =>
          candidates.map(({ job }) => job.id),
        )
      for (const query of ["the tea ", "the bags day5 ", "cups the ", "the te", "of the tea bags day11 "])
        assert.deepStrictEqual(yield* found(query), [id], query)
      for (const query of ["cups day8 ", "the cups day8 ", "day5 day6", "the tea of bags cups day9 "])
        assert.deepStrictEqual(yield* found(query), [], query)
    }),
  ),
  promise(
    "a transcript with more words than an index has room for is found by all of them",
    Effect.gen(function* () {
      const store = yield* JobStore
      const account = yield* newAccount()
      const long = "語".repeat(90)
      const text = Array.from({ length: 40_000 }, (_, at) => `w${at}`).join(" ")
      const content = contentOf([
        text,
        ...Array.from({ length: 3000 }, (_, at) => `ƕ${at}${"ƕ".repeat(90)}`),
        long,
      ])
      yield* createDone(account, {}, finishedWith({ content }))
      const words = wantedWords('"w39999"', { near: false })
      assert.strictEqual((yield* store.search(account, { words, limit: 10 })).length, 1)
    }),
  ),
]
