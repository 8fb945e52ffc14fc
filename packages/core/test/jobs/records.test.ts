import * as Jobs from "@earmark/core/jobs"
import * as Wire from "@earmark/core/wire"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, FastCheck, JSONSchema, Schema } from "effect"

const records = {
  Account: Wire.Account,
  Acknowledgement: Wire.Acknowledgement,
  ApiKey: Wire.ApiKey,
  ApiKeyWithValue: Wire.ApiKeyWithValue,
  AutoReload: Wire.AutoReload,
  Batch: Wire.Batch,
  BatchCanceled: Wire.BatchCanceled,
  BatchStatus: Wire.BatchStatus,
  Chapter: Jobs.Chapter,
  Credits: Wire.Credits,
  Delivery: Wire.Delivery,
  DeliveryWithAttempts: Wire.DeliveryWithAttempts,
  Endpoint: Wire.Endpoint,
  EndpointWithSecret: Wire.EndpointWithSecret,
  Enrichment: Jobs.Enrichment,
  Episode: Wire.Episode,
  EpisodeList: Wire.EpisodeList,
  Event: Wire.Event,
  ExportLink: Wire.ExportLink,
  Failure: Jobs.Failure,
  Integrity: Jobs.Integrity,
  Job: Jobs.Job,
  JobList: Wire.listOf(Jobs.JobSummary),
  LedgerEntry: Wire.LedgerEntry,
  OperatorPurchase: Wire.OperatorPurchase,
  OptionsSnapshot: Jobs.OptionsSnapshot,
  Problem: Wire.Problem,
  Purchase: Wire.Purchase,
  Quote: Wire.Quote,
  SearchAnswer: Wire.SearchAnswer,
  EndUpdate: Wire.EndUpdate,
  ProgressUpdate: Wire.ProgressUpdate,
  SegmentUpdate: Wire.SegmentUpdate,
  Source: Jobs.Source,
  SpokenSegment: Jobs.SpokenSegment,
  Translation: Jobs.Translation,
  UploadHandshake: Wire.UploadHandshake,
  Usage: Wire.Usage,
  Warning: Jobs.Warning,
} as const

const requests = {
  ArchiveQuery: Wire.ArchiveQuery,
  CreateEndpoint: Wire.CreateEndpoint,
  CreateKey: Wire.CreateKey,
  CreatePurchase: Wire.CreatePurchase,
  CreateTranscription: Wire.CreateTranscription,
  DeliveriesQuery: Wire.DeliveriesQuery,
  EntriesQuery: Wire.EntriesQuery,
  EpisodesQuery: Wire.EpisodesQuery,
  ExportQuery: Wire.ExportQuery,
  ExportRequest: Wire.ExportRequest,
  ListQuery: Wire.ListQuery,
  PageQuery: Wire.PageQuery,
  PatchEndpoint: Wire.PatchEndpoint,
  PatchTranscription: Wire.PatchTranscription,
  PutAutoReload: Wire.PutAutoReload,
  ReadQuery: Wire.ReadQuery,
  RotateSecret: Wire.RotateSecret,
  SearchAllQuery: Wire.SearchAllQuery,
  SearchQuery: Wire.SearchQuery,
  TranscribeFeed: Wire.TranscribeFeed,
  UploadRequest: Wire.UploadRequest,
  UsageQuery: Wire.UsageQuery,
} as const

/** The names of all properties in a JSON schema, however deep. */
const propertyNames = (schema: unknown): ReadonlyArray<string> => {
  if (typeof schema !== "object" || schema === null) return []
  const own = "properties" in schema && typeof schema.properties === "object" ? schema.properties : {}
  return [...Object.keys(own ?? {}), ...Object.values(schema).flatMap(propertyNames)]
}

describe("every record", () => {
  for (const [name, schema] of Object.entries<Schema.Schema.AnyNoContext>(records)) {
    it(`${name} comes back from the wire as it went`, () => {
      const encode = Schema.encodeSync(schema)
      const decode = Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })
      FastCheck.assert(
        FastCheck.property(Arbitrary.make(schema), (value) => {
          const wire = JSON.stringify(encode(value))
          assert.strictEqual(JSON.stringify(encode(decode(JSON.parse(wire)))), wire)
        }),
        { numRuns: 25 },
      )
    })
  }
})

describe("on the wire every name is in snake case", () => {
  for (const [name, schema] of Object.entries<Schema.Schema.AnyNoContext>({ ...records, ...requests })) {
    it(name, () => {
      const names = propertyNames(JSONSchema.make(schema))
      assert.isNotEmpty(names)
      for (const property of names) assert.match(property, /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
    })
  }
})

const queued = {
  id: Jobs.makeId("job", 0, new Uint8Array(10)),
  status: "queued",
  phase: "transcribing",
  progress: 0.25,
  title: null,
  source: {
    kind: "episode",
    url: "https://media.example/1.mp3",
    feed_url: "https://feed.example/rss",
    episode_guid: "g-1",
    published_at: "2026-01-31T08:00:00.000Z",
  },
  options: {
    language: null,
    diarize: true,
    summary: false,
    chapters: false,
    translate_to: "de",
    quality: "accurate",
    speakers: { min: 2 },
    vocabulary: ["Earmark"],
    start_at: 1.5,
    end_at: null,
  },
  language: null,
  duration_seconds: null,
  word_count: null,
  billed_minutes: null,
  cached: false,
  origin: null,
  engine: null,
  metadata: { order: 7 },
  batch_id: null,
  created_at: "2026-01-31T08:00:00.000Z",
  started_at: null,
  completed_at: null,
  expires_at: null,
  error: null,
  failure: null,
  enrichment: { summary: { status: "pending" } },
  integrity: null,
  warnings: [],
}

const failed = {
  ...queued,
  status: "failed",
  phase: null,
  completed_at: "2026-01-31T08:01:00.000Z",
  error: Jobs.failureSentence("no_speech"),
  failure: Jobs.failureOf("no_speech", { attempts: 1 }),
}

const done = {
  ...queued,
  status: "done",
  phase: null,
  progress: 1,
  completed_at: "2026-01-31T08:01:00.000Z",
  language: "en",
  duration_seconds: 61,
  word_count: 2,
  billed_minutes: 2,
  origin: "engine",
  text: "Hello world",
  speakers: { "Speaker 1": "Ada" },
  segments: [{ start: 0.001, end: 1.999, speaker: "Speaker 1", text: "Hello world" }],
}

const isJob = (job: unknown) => Wire.decodeRequest(Jobs.Job)(job)._tag === "Right"

describe("the record of a job", () => {
  it("is accepted in each state", () => {
    assert.isTrue(isJob(queued))
    assert.isTrue(isJob(failed))
    assert.isTrue(isJob(done))
  })

  it.each([
    ["a terminal job has no phase", { ...failed, phase: "waiting" }],
    ["a queued job has a phase", { ...queued, phase: null }],
    ["a failed job says why", { ...failed, failure: null }],
    ["a queued job has not failed", { ...queued, failure: failed.failure }],
    ["a done job has its text", { ...done, text: undefined }],
    ["a done job has its segments", { ...done, segments: undefined }],
    ["a done job knows what it costs", { ...done, billed_minutes: null }],
    ["a done job is complete", { ...done, progress: 0.5 }],
    ["a failed job has no text", { ...failed, text: "Hello" }],
    ["a queued job has no end", { ...queued, completed_at: failed.completed_at }],
    ["an ended job has an end", { ...failed, completed_at: null }],
    ["there is no other status", { ...queued, status: "running" }],
  ])("%s", (_rule, job) => {
    assert.isFalse(isJob(job))
  })

  it("has whole milliseconds inside and seconds outside", () => {
    const decoded = Schema.decodeUnknownSync(Jobs.DoneJob)(done)
    assert.deepStrictEqual(
      decoded.segments.map(({ start, end }) => [start, end]),
      [[1, 1999]],
    )
    assert.deepStrictEqual(JSON.parse(JSON.stringify(Schema.encodeSync(Jobs.DoneJob)(decoded))), done)
  })
})

it("every failure has one sentence that also says what to do", () => {
  for (const code of Jobs.FailureCode.literals) {
    assert.match(Jobs.failureSentence(code), /^[A-Z][^.]+(\([^)]*\))?[^.]*[;,:] [^.]+\.$/, code)
  }
})

it("a failure knows its stage better when it is told", () => {
  assert.strictEqual(Jobs.failureOf("internal_error", { attempts: 3, stage: "decoding" }).stage, "decoding")
  assert.deepStrictEqual(Jobs.failureOf("download_failed", { attempts: 2 }), {
    code: "download_failed",
    stage: "fetching",
    retryable: true,
    attempts: 2,
  })
})

it("times are written in UTC with milliseconds and read with any offset", () => {
  const decode = Schema.decodeUnknownEither(Jobs.Timestamp)
  const roundTrip = (written: string) =>
    Schema.encodeSync(Jobs.Timestamp)(Schema.decodeSync(Jobs.Timestamp)(written))
  assert.strictEqual(roundTrip("2026-01-31T10:00:00+02:00"), "2026-01-31T08:00:00.000Z")
  assert.strictEqual(roundTrip("2026-01-31"), "2026-01-31T00:00:00.000Z")
  assert.strictEqual(roundTrip("2028-02-29T23:00:00-02:00"), "2028-03-01T01:00:00.000Z")
  for (const bad of [
    "",
    "5",
    "now",
    "2026-13-01",
    "2026-01-31T25:00:00Z",
    "2026-02-30",
    "2027-02-29T10:00:00Z",
    "2026-04-31T23:00:00-02:00",
    "31.01.2026",
    "2026-01-31 08:00",
  ]) {
    assert.strictEqual(decode(bad)._tag, "Left", bad)
  }
})
