import type { AccountId, JobId } from "@earmark/core/jobs"
import { indexedWords, mayHold, prepareSearch, type WantedWords, wantedWords } from "@earmark/core/text"
import { type Content, EditStore, JobStore, type NewJob } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { seededRandom } from "../random.js"
import { searchExamples } from "../searchExamples.js"
import { promise, type StoreCase } from "./Case.js"
import { createDone, finishedWith, newAccount, now } from "./makers.js"

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

const MANY = 150
const COMMON = ["the", "a", "of", "tea", "cup"]
const RARE = Array.from({ length: 60 }, (_, at) => `word${at}`)

/** A few lines of words, some of which are said together seldom. */
const anyLines = (random: () => number) =>
  Array.from({ length: 6 }, () =>
    Array.from({ length: 5 }, () => {
      const words = random() < 0.5 ? COMMON : RARE
      return words[Math.floor(random() * words.length)] ?? "the"
    }).join(" "),
  )

interface Known {
  readonly job: NewJob
  readonly lines: ReadonlyArray<string>
}

/** The jobs that may hold a query, newest first, by what is known of each. */
const expectedOf = (known: ReadonlyArray<Known>, words: WantedWords) =>
  known
    .filter(({ lines }) => mayHold(indexedWords(lines.map((text) => ({ text }))), words))
    .map(({ job }) => job)
    .sort((left, right) => right.createdAt - left.createdAt || (left.id < right.id ? 1 : -1))
    .map(({ id }) => id)

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
    "an umlaut is found by its letter and by two letters, and two letters find no other word",
    Effect.gen(function* () {
      const account = yield* newAccount()
      const make = (text: string) =>
        createDone(account, {}, finishedWith({ content: contentOf([text, "am Ende"]) }))
      const [dots, two, one] = [
        yield* make("Köln und Übergrößenträger"),
        yield* make("Koeln und Uebergroessentraeger"),
        yield* make("Koln und Ubergrossentrager"),
      ]
      for (const [query, found] of [
        ["Köln ", [two, dots, one]],
        ["koeln ", [two, dots]],
        ["koln ", [dots, one]],
        ["uebergroessentraeger ", [two, dots]],
        ["koe", [two, dots]],
        ["koeln uebergroe", [two, dots]],
        ["Köln Über", [two, dots, one]],
        ['"koeln und ubergrossen"', []],
      ] as const) {
        const candidates = yield* candidatesFor(account, wantedWords(query, { near: false }))
        assert.sameMembers(
          candidates.map(({ job }) => job.id),
          found.map(({ id }) => id),
          query,
        )
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
  promise(
    "words are found together in many transcripts: after a sweep, and after some were corrected or removed",
    Effect.gen(function* () {
      const [store, edits] = [yield* JobStore, yield* EditStore]
      const [account, stranger] = [yield* newAccount(), yield* newAccount()]
      const random = seededRandom(64)
      const start = yield* now
      let known: ReadonlyArray<Known> = yield* Effect.forEach(Array.from({ length: MANY }), (_, at) =>
        Effect.gen(function* () {
          // One is long, so that some of its words are in too many lines to name them.
          const lines =
            at === 40 ? Array.from({ length: 60 }, () => anyLines(random)).flat() : anyLines(random)
          // They do not end in the order in which they were made.
          const createdAt = start - Math.floor(random() * 1000) * 1000
          const job = yield* createDone(account, { createdAt }, finishedWith({ content: contentOf(lines) }))
          return { job, lines }
        }),
      )
      const long = known[40]?.job
      yield* createDone(stranger, {}, finishedWith({ content: contentOf(["word1 word2 word3 the tea"]) }))
      const check = Effect.fnUntraced(function* (when: string) {
        for (const query of [
          "word1 word2 ",
          "word3 word4",
          "word5 the ",
          "the tea ",
          '"the tea" word7 ',
          '"word8 the" cup',
          "nothing the ",
          "wor te",
        ]) {
          const words = wantedWords(query, { near: false })
          const expected = expectedOf(known, words)
          const all = yield* store.search(account, { words, limit: MANY })
          // Of words that are in many lines, a store may know or not know in which.
          const isMore = (id: JobId) => id === long?.id && !expected.includes(id)
          assert.deepStrictEqual(
            all.map(({ id }) => id).filter((id) => !isMore(id)),
            expected,
            `${query} ${when}`,
          )
          const from = all[3]
          const some = yield* store.search(account, { words, from, limit: 4 })
          const rest = all.slice(from === undefined ? 0 : 3)
          assert.isAtLeast(some.length, Math.min(4, rest.length), `${query} from its fourth, ${when}`)
          assert.deepStrictEqual(some, rest.slice(0, some.length), `${query} from its fourth, ${when}`)
          // Of three words, a store may compare two at a time.
          const three = wantedWords(`${query} cup tea `, { near: false })
          const more = yield* store.search(account, { words: three, limit: MANY })
          assert.includeMembers(
            more.map(({ id }) => id),
            [...expectedOf(known, three)],
            `${query} and two more words ${when}`,
          )
          const middle = start - 500_000
          const older = yield* store.search(account, { words, createdBefore: middle, limit: 2 })
          const allOlder = all.filter(({ createdAt }) => createdAt < middle)
          assert.isAtLeast(older.length, Math.min(2, allOlder.length), `${query} before a time, ${when}`)
          assert.deepStrictEqual(older, allOlder.slice(0, older.length), `${query} before a time, ${when}`)
        }
      })
      yield* check("before a sweep")
      yield* store.sweep(100)
      yield* check("after a sweep")
      for (const at of [2, 40, 77, 120]) {
        const [edited, lines] = [known[at]?.job, anyLines(random)]
        if (edited === undefined) continue
        yield* edits.append(
          {
            account,
            job: edited.id,
            base: 0,
            change: { operations: [] },
            madeBy: null,
            lines: contentOf(lines).segments,
          },
          { guard: null },
        )
        known = known.map((each) => (each.job === edited ? { job: edited, lines } : each))
      }
      yield* check("after corrections")
      for (const at of [5, 60, 149]) {
        const removed = known[at]?.job
        if (removed !== undefined) yield* store.remove(account, removed.id)
      }
      known = known.filter((_, at) => ![5, 60, 149].includes(at))
      yield* check("after removals")
      yield* store.sweep(100)
      yield* check("after another sweep")
    }),
  ),
]
