import { randomBytes } from "node:crypto"
import { type AccountId, effectiveOptions, ID_RANDOM_BYTES, JobId, makeId } from "@earmark/core/jobs"
import { AskAllRequest, decodeRequest, MOST_ASKED } from "@earmark/core/wire"
import { Answerer, Customers, JobStore, Questions, Transcriptions, WorkFailed } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Either, Fiber, Layer, Logger, LogLevel, TestClock } from "effect"
import { create, newAccount, service } from "../world.js"

type Answers = NonNullable<Answerer["Type"]["answer"]>

/** A service in which this one answers questions. */
const asking =
  (answer: Answers | null = null) =>
  <A, E, R>(test: Effect.Effect<A, E, R>) =>
    test.pipe(
      Effect.provide(service().pipe(Layer.provide(Layer.succeed(Answerer, { id: "scripted", answer })))),
      Logger.withMinimumLogLevel(LogLevel.None),
    )

const panels = "The price of solar panels fell by ninety percent within ten years."
const bees = "My grandmother kept eleven hives of bees behind the old chapel."
const question = "How many hives of bees did the grandmother keep?"

const filler = (count: number) =>
  Array.from({ length: count }, (_, at) => `Then we spoke of garden number ${at}.`)

/** A finished transcript of these lines, five seconds each. */
const transcribed = (account: AccountId, lines: ReadonlyArray<string>, expiresAt: number | null = null) =>
  Effect.gen(function* () {
    const jobs = yield* JobStore
    const id = JobId.make(makeId("job", 0, randomBytes(ID_RANDOM_BYTES)))
    const url = `https://a.example/${id}.mp3`
    yield* jobs.createDone(
      {
        id,
        account,
        title: `Talk of ${lines.length} lines`,
        source: { shown: { kind: "media", url }, mediaUrl: url, link: url, identity: null },
        options: effectiveOptions({}),
        metadata: null,
        key: null,
        durationSeconds: null,
        createdAt: 0,
        expiresAt,
        hold: 0,
      },
      {
        content: {
          language: "en",
          segments: lines.map((text, at) => ({
            start: at * 5000,
            end: at * 5000 + 4800,
            speaker: `Speaker ${1 + (at % 2)}`,
            text,
            words: [],
          })),
          text: lines.join(" "),
          summary: null,
          chapters: null,
          translation: null,
        },
        origin: "captions",
        engine: null,
        wordTiming: null,
        detectedLanguage: null,
        durationSeconds: lines.length * 5,
        wordCount: 100,
        credits: 0,
        billedMinutes: 0,
        minutes: 0,
        enrichment: {},
        integrity: null,
        warnings: [],
      },
      { guard: null },
    )
    return id
  })

const garden = [...filler(40), bees, ...filler(40)]

describe("a question without a language model", () => {
  it.effect("is answered by passages, word for word, by the names of speakers", () =>
    asking()(
      Effect.gen(function* () {
        const account = yield* newAccount()
        const id = yield* transcribed(account, garden)
        yield* (yield* Transcriptions).patch(account, id, { speakers: { "Speaker 1": "Ann" } })
        const { claims, coverage, status, text } = yield* (yield* Questions).ask(account, id, { question })
        assert.strictEqual(status, "partial")
        assert.include(text, bees)
        const found = claims.flatMap(({ citations }) => citations).find(({ excerpt }) => excerpt === bees)
        assert.deepStrictEqual(found, {
          transcriptionId: id,
          segmentId: 40,
          start: 200_000,
          end: 204_800,
          speaker: "Ann",
          excerpt: bees,
        })
        assert.deepStrictEqual(coverage, {
          transcripts: 1,
          transcriptsRead: 1,
          linesRead: 81,
          linesShown: 0,
          droppedClaims: 0,
          droppedCitations: 0,
          note: null,
          cited: [{ transcriptionId: id, title: "Talk of 81 lines" }],
        })
      }),
    ),
  )

  it.effect("finds nothing where nothing fits", () =>
    asking()(
      Effect.gen(function* () {
        const account = yield* newAccount()
        const id = yield* transcribed(account, garden)
        const questions = yield* Questions
        for (const answer of [
          yield* questions.ask(account, id, { question: "What did Napoleon eat at Waterloo?" }),
          yield* questions.askAll(account, { question: "What did Napoleon eat at Waterloo?", all: true }),
        ]) {
          assert.deepStrictEqual([answer.status, answer.text, answer.claims], ["not_found", "", []])
          assert.strictEqual(answer.coverage.transcripts, 1)
        }
      }),
    ),
  )

  it.effect("looks through all transcripts of the account, and no other one's", () =>
    asking()(
      Effect.gen(function* () {
        const [ann, eve] = [yield* newAccount(), yield* newAccount()]
        for (let at = 0; at < MOST_ASKED + 3; at++) yield* transcribed(ann, filler(3))
        const id = yield* transcribed(ann, [panels, bees])
        yield* transcribed(ann, [bees], 1)
        yield* transcribed(eve, [bees, bees])
        yield* TestClock.adjust("1 second")
        const questions = yield* Questions
        const { claims, coverage } = yield* questions.askAll(ann, { question, all: true })
        const cited = new Set(
          claims.flatMap(({ citations }) => citations.map((each) => each.transcriptionId)),
        )
        assert.deepStrictEqual([...cited], [id])
        assert.isAtLeast(coverage.transcripts, MOST_ASKED + 4)
        assert.isAtMost(coverage.transcriptsRead, MOST_ASKED)
      }),
    ),
  )

  it.effect("refuses what is not there, is not done, or is another account's", () =>
    asking()(
      Effect.gen(function* () {
        const [ann, eve] = [yield* newAccount(), yield* newAccount()]
        const id = yield* transcribed(ann, garden)
        const queued = yield* create(ann, { url: "https://a.example/x.mp3?seconds=60" })
        const questions = yield* Questions
        const tags = yield* Effect.all(
          [
            questions.ask(eve, id, { question }),
            questions.ask(ann, "nonsense", { question }),
            questions.ask(ann, queued.id, { question }),
            questions.askAll(eve, { question, ids: [id] }),
            questions.askAll(ann, { question, ids: [id, queued.id] }),
            questions.askAll(ann, { question, batchId: "nonsense" }),
          ].map((refused) => Effect.map(Effect.flip(refused), ({ _tag }) => _tag)),
        )
        assert.deepStrictEqual(tags, [
          "JobNotFound",
          "JobNotFound",
          "TranscriptNotReady",
          "JobNotFound",
          "TranscriptNotReady",
          "BatchNotFound",
        ])
        const named = yield* questions.askAll(ann, { question, ids: [id, id] })
        assert.strictEqual(named.coverage.transcripts, 1)
      }),
    ),
  )
})

describe("a language model", () => {
  const quoting =
    (claims: Parameters<typeof claimsOf>[0], isWhole = true): Answers =>
    () =>
      Effect.succeed({ claims: claimsOf(claims), isWhole })
  const claimsOf = (claims: ReadonlyArray<readonly [text: string, line: number, quote: string]>) =>
    claims.map(([text, line, quote]) => ({ text, quotes: [{ line, quote }] }))

  const answerWith = (answer: Answers, lines: ReadonlyArray<string> = garden) =>
    asking(answer)(
      Effect.gen(function* () {
        const account = yield* newAccount()
        const id = yield* transcribed(account, lines)
        return yield* (yield* Questions).ask(account, id, { question })
      }),
    )

  it.effect("answers with what its quotes bear out", () =>
    Effect.gen(function* () {
      const answer = yield* answerWith(quoting([["She kept eleven.", 41, "eleven hives of bees"]]))
      assert.deepStrictEqual([answer.status, answer.text], ["supported", "She kept eleven."])
      assert.strictEqual(answer.claims[0]?.citations[0]?.excerpt, "eleven hives of bees")
      assert.strictEqual(answer.coverage.linesShown, 81)
    }),
  )

  it.effect("is partial where a claim was dropped, or a part was not read", () =>
    Effect.gen(function* () {
      const right = ["She kept eleven.", 41, "eleven hives of bees"] as const
      const dropped = yield* answerWith(quoting([right, ["She hated them.", 41, "hated every single one"]]))
      assert.deepStrictEqual([dropped.status, dropped.text], ["partial", "She kept eleven."])
      assert.deepInclude(dropped.coverage, { droppedClaims: 1, droppedCitations: 1, note: null })
      assert.strictEqual((yield* answerWith(quoting([right], false))).status, "partial")
    }),
  )

  it.effect("that proves nothing is not believed: the passages answer", () =>
    Effect.gen(function* () {
      const answer = yield* answerWith(quoting([["She kept ninety.", 41, "ninety hives of bees"]]))
      assert.include(answer.text, bees)
      assert.notInclude(JSON.stringify(answer), "ninety")
      assert.deepInclude(answer.coverage, { droppedClaims: 1, linesShown: 0 })
      assert.match(answer.coverage.note ?? "", /^Nothing that the language model claimed/)
    }),
  )

  it.effect("that fails, or takes too long, leaves the passages, and that is said", () =>
    Effect.gen(function* () {
      const failed = yield* answerWith(
        () => new WorkFailed({ code: "engine_unavailable", isTransient: true }),
      )
      assert.include(failed.text, bees)
      assert.match(failed.coverage.note ?? "", /no answer that can be used/)
      let isInterrupted = false
      const never = Effect.onInterrupt(Effect.never, () =>
        Effect.sync(() => {
          isInterrupted = true
        }),
      )
      const fiber = yield* Effect.fork(answerWith(() => never))
      yield* TestClock.adjust(Duration.minutes(1))
      const late = yield* Fiber.join(fiber)
      assert.match(late.coverage.note ?? "", /took too long/)
      assert.include(late.text, bees)
      assert.isTrue(isInterrupted)
    }),
  )

  it.effect("is shown everything of what is short, and of ten hours what fits", () =>
    Effect.gen(function* () {
      const long = Array.from({ length: 7000 }, (_, at) =>
        at === 5000 ? bees : `${filler(1)[0]} Number ${at}, and so it went on and on.`,
      )
      let shown: ReadonlyArray<string> = []
      const look: Answers = (_, lines) => {
        shown = lines.map(({ text }) => text)
        return Effect.succeed({ claims: [], isWhole: true })
      }
      const answer = yield* answerWith(look, long)
      assert.strictEqual(answer.status, "not_found")
      assert.include(shown, bees)
      assert.isBelow(shown.length, 1000)
      assert.strictEqual(answer.coverage.linesShown, shown.length)
      assert.strictEqual(answer.coverage.linesRead, 7000)
    }),
  )

  it.effect("is not asked with a test key", () =>
    asking(() => Effect.die("asked"))(
      Effect.gen(function* () {
        const { id: account } = yield* (yield* Customers).create({ name: "Ann" })
        const id = yield* transcribed(account, garden)
        const answer = yield* (yield* Questions).ask(account, id, { question }, { isTest: true })
        assert.strictEqual(answer.status, "partial")
      }),
    ),
  )
})

describe("the request of a question about several", () => {
  const decode = decodeRequest(AskAllRequest)
  const ids = Array.from({ length: MOST_ASKED + 1 }, (_, at) => `tr_${at}`)
  const refused: ReadonlyArray<object> = [
    { question },
    { question, all: true, ids: ["tr_1"] },
    { question, all: false },
    { question, ids: [] },
    { question, ids },
    { question: "", all: true },
    { question: "?".repeat(1001), all: true },
    { question, everything: true },
  ]
  for (const body of refused)
    it(`is refused: ${JSON.stringify(body).slice(0, 70)}`, () => {
      assert.isTrue(Either.isLeft(decode(body)))
    })
  it("names exactly one", () => {
    for (const body of [{ all: true }, { ids: ["tr_1"] }, { batch_id: "b" }, { all: true, ids: null }])
      assert.isTrue(Either.isRight(decode({ question, ...body })))
  })
})
