import { prepareSearch, wantedWords } from "@earmark/core/text"
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

export const searchCases: ReadonlyArray<StoreCase> = [
  promise(
    "every transcript in which a search finds anything is among the candidates, with its lines",
    Effect.gen(function* () {
      const store = yield* JobStore
      for (const { name, lines, query, found } of searchExamples) {
        const account = yield* newAccount()
        yield* createDone(account, {}, finishedWith({ content: contentOf(lines) }))
        const marked: Array<ReadonlyArray<string>> = []
        for (const near of [false, true]) {
          if (marked.length > 0) break
          const candidates = yield* store.search(account, { words: wantedWords(query, { near }), limit: 10 })
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
      const store = yield* JobStore
      const account = yield* newAccount()
      const timed = finishedWith().content
      const [line] = timed.segments
      assert.isAbove(line?.words.length ?? 0, 0)
      yield* createDone(account, {}, finishedWith({ content: timed }))
      const untimed = finishedWith({ content: contentOf([line?.text ?? ""]) })
      yield* createDone(account, {}, untimed)
      const words = wantedWords(line?.text ?? "", { near: false })
      const candidates = yield* store.search(account, { words, limit: 10 })
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
