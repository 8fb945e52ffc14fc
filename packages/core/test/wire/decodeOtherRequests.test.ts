import {
  CreateEndpoint,
  CreateKey,
  decodeListQuery,
  decodeQuote,
  decodeRequest,
  ListQuery,
  PatchTranscription,
  PutAutoReload,
  type RequestInvalid,
  TranscribeFeed,
} from "@earmark/core/wire"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

const off = { diarize: false, summary: false, chapters: false }

const url = "https://media.example/a.mp3"

describe("whatever is sent", () => {
  const marked = FastCheck.oneof(
    FastCheck.constant("s3cr3t"),
    FastCheck.jsonValue({ maxDepth: 2 }),
    FastCheck.string({ unit: "binary", maxLength: 10 }),
    FastCheck.double(),
  )
  const fields = [
    "url",
    "speakers",
    "metadata",
    "language",
    "events",
    "scopes",
    "limit",
    "enabled",
    "episodes",
  ]
  const body = FastCheck.dictionary(FastCheck.constantFrom(...fields), marked)
  const decoders: ReadonlyArray<(input: unknown) => Either.Either<unknown, RequestInvalid>> = [
    decodeRequest(CreateEndpoint),
    decodeRequest(CreateKey),
    decodeRequest(ListQuery),
    decodeRequest(PatchTranscription),
    decodeRequest(PutAutoReload),
    decodeRequest(TranscribeFeed),
  ]

  it("says how many event types there may be", () => {
    for (const events of [[], Array.from({ length: 11 }, () => "transcription.completed")]) {
      const wrong = Either.flip(decodeRequest(CreateEndpoint)({ url: "https://hooks.example.org/", events }))
      assert.deepStrictEqual(
        Either.isRight(wrong) && wrong.right.message,
        "#/events: Expected a list of 1 to 10 event types",
      )
    }
  })

  it("says without a place what is wrong with the whole", () => {
    const wrong = Either.flip(decodeRequest(PutAutoReload)("on"))
    const message = Either.isRight(wrong) ? wrong.right.message : ""
    assert.notStrictEqual(message, "")
    assert.notMatch(message, /^#/)
  })

  it("an object that cannot become a text is refused where a word was expected", () => {
    const refused = decodeRequest(PutAutoReload)({ enabled: { toString: "", valueOf: 1 } })
    assert.deepStrictEqual(Either.isLeft(refused) && refused.left.code, "invalid_request")
  })

  it.prop("a request is read or refused, and a refusal never repeats a value", { body }, (given) => {
    for (const decode of decoders) {
      const result = decode(given.body)
      if (Either.isLeft(result)) {
        assert.isNotEmpty(result.left.problems)
        assert.notInclude(JSON.stringify(result.left), "s3cr3t")
      }
    }
  })
})

describe("other requests", () => {
  it("a feed: latest unless it says otherwise", () => {
    const decode = decodeRequest(TranscribeFeed)
    assert.deepStrictEqual(Either.getOrThrow(decode({ feed: url })), {
      feed: url,
      episodes: "latest",
      ...off,
    })
    assert.deepStrictEqual(Either.getOrThrow(decode({ feed: url, episodes: 3, max_credits: 0 })), {
      feed: url,
      episodes: 3,
      maxCredits: 0,
      ...off,
    })
    for (const episodes of [0, -1, 1.5, "some", true, []]) {
      assert.isTrue(Either.isLeft(decode({ feed: url, episodes })), String(episodes))
    }
    assert.isTrue(Either.isLeft(decode({ feed: url, episode_guid: "g" })))
  })

  it("a quote: for a feed when it names one, else for a transcription", () => {
    const kind = (body: unknown) =>
      Either.match(decodeQuote(body), { onLeft: ({ code }) => code, onRight: ({ type }) => type })
    assert.strictEqual(kind({ url }), "transcription")
    assert.strictEqual(kind({ feed: url, episodes: "all" }), "feed")
    assert.strictEqual(kind({ feed: url, url }), "unknown_field")
    assert.strictEqual(kind({}), "missing_source")
    assert.strictEqual(kind(null), "invalid_request")
  })

  it("a change: null takes away, absent leaves", () => {
    const decode = decodeRequest(PatchTranscription)
    assert.deepStrictEqual(Either.getOrThrow(decode({ title: null })), { title: null })
    assert.deepStrictEqual(Either.getOrThrow(decode({ speakers: { "Speaker 12": "Ann" } })), {
      speakers: { "Speaker 12": "Ann" },
    })
    for (const label of ["Ann", "Speaker 0", "Speaker", "speaker 1"]) {
      assert.isTrue(Either.isLeft(decode({ speakers: { [label]: "x" } })), label)
    }
  })

  it("auto-reload: off needs nothing, on needs everything", () => {
    const decode = decodeRequest(PutAutoReload)
    assert.isTrue(Either.isRight(decode({ enabled: false })))
    for (const read of [
      { threshold: null, amount: null, monthly_cap: null },
      { threshold: 10, amount: 60, monthly_cap: 600 },
    ]) {
      assert.isTrue(Either.isRight(decode({ enabled: false, ...read })))
    }
    assert.isTrue(Either.isLeft(decode({ enabled: false, treshold: 10 })))
    assert.isTrue(Either.isRight(decode({ enabled: true, threshold: 10, amount: 60, monthly_cap: 600 })))
    assert.strictEqual(
      Either.getOrThrow(Either.flip(decode({ enabled: true }))).message,
      "#/threshold: This field is required; #/amount: This field is required; #/monthly_cap: This field is required",
    )
    assert.isTrue(Either.isLeft(decode({ enabled: true, threshold: 10, amount: 60, monthly_cap: 59 })))
  })

  it("a key: known scopes only", () => {
    const decode = decodeRequest(CreateKey)
    assert.isTrue(Either.isRight(decode({ scopes: ["keys", "billing:read"] })))
    assert.isTrue(Either.isLeft(decode({ scopes: ["admin"] })))
    assert.deepEqual(
      Either.flip(decode({ scopes: [] })).pipe(Either.map(({ problems }) => problems)),
      Either.right([{ pointer: "#/scopes", detail: "Expected a list of scopes, at least one" }]),
    )
  })

  it("a list: numbers and times are texts, metadata is gathered", () => {
    const decoded = Either.getOrThrow(
      decodeListQuery({ limit: "5", "metadata[order]": "7", "metadata[a b]": "", batch_id: "b" }),
    )
    assert.deepStrictEqual(decoded, {
      limit: 5,
      order: "desc",
      batchId: "b",
      metadata: { order: "7", "a b": "" },
    })
    assert.deepStrictEqual(Either.getOrThrow(decodeListQuery({})), { limit: 20, order: "desc" })
    for (const query of [
      { limit: "0" },
      { limit: "101" },
      { limit: "1e1" },
      { limit: "" },
      { statuss: "done" },
      { status: "running" },
      { created_after: "yesterday" },
      { metadata: "x" },
      { "metadata[__proto__]": "x" },
    ]) {
      assert.isTrue(Either.isLeft(decodeListQuery(query)), JSON.stringify(query))
    }
  })
})
