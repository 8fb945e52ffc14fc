/** What requests and answers look like, by the operation they belong to. A test decodes each with its schema. */
import {
  ACCOUNT,
  acknowledged,
  answer,
  autoReload,
  BATCH,
  batch,
  delivery,
  done,
  endpoint,
  FEED,
  grant,
  handshake,
  ID,
  key,
  list,
  MOMENT,
  publication,
  purchase,
  queued,
  search,
  secret,
  summary,
  uploadParts,
  usage,
} from "./exampleRecords.js"
import type { JsonObject } from "./json.js"

interface Examples {
  readonly request?: JsonObject
  /** By status. */
  readonly answers?: Readonly<Record<number, JsonObject>>
}

const uploadNamed: JsonObject = { media_ref: uploadParts.media_ref ?? null }

export const examples: Readonly<Record<string, Examples>> = {
  "transcriptions.create": {
    request: { url: "https://example.com/12.mp3", diarize: true, metadata: { order: "A-17" } },
    answers: { 200: acknowledged("done"), 202: acknowledged("queued") },
  },
  "transcriptions.get": { answers: { 200: done } },
  "transcriptions.list": { answers: { 200: list(summary) } },
  "transcriptions.counts": { answers: { 200: { queued: 2, done: 118, failed: 1 } } },
  "transcriptions.update": {
    request: { title: "Episode 12", speakers: { "Speaker 1": "Ann" } },
    answers: { 200: summary },
  },
  "transcriptions.cancel": {
    answers: {
      200: {
        ...queued,
        status: "failed",
        phase: null,
        completed_at: "2026-01-31T08:01:00.000Z",
        billed_minutes: 0,
        error: "The transcription was canceled.",
        failure: { code: "canceled", stage: "transcribing", retryable: false, attempts: 1 },
      },
    },
  },
  "transcriptions.retry": {
    answers: { 200: { ...queued, phase: "waiting", progress: 0, started_at: null } },
  },
  "transcriptions.exportLink": {
    request: { format: "srt" },
    answers: {
      200: {
        url: `https://api.example.com/exports/${ACCOUNT}/${ID}?format=srt&expires=1769850000&signature=0f`,
        expires_at: "2026-01-31T08:15:00.000Z",
      },
    },
  },
  "transcriptions.words": {
    answers: {
      200: {
        counts: [5],
        offsets: [0, 1, 1, 1, 1],
        lengths: [7, 4, 2, 3, 5],
        starts: [32, 3, 2, 1, 2],
        ends: [38, 22, 11, 12, 35],
        confidence: [98, 97, 99, 99, 91],
      },
    },
  },
  "transcriptions.mediaLink": {
    answers: {
      200: {
        url: `https://api.example.com/media/${ACCOUNT}/${ID}/copy?expires=1769871600&signature=0f`,
        content_type: "audio/mp4",
        bytes: 11200000,
        duration_seconds: 1834,
        exact_seek: true,
        expires_at: "2026-01-31T14:00:00.000Z",
      },
    },
  },
  "transcriptions.publish": { request: { formats: ["vtt", "html"] }, answers: { 200: publication } },
  "transcriptions.publication": { answers: { 200: publication } },
  "transcriptions.edit": {
    request: {
      base_revision: 0,
      operations: [
        { type: "text", line: 0, text: "Hello and welcome." },
        { type: "speaker", line: 1, speaker: "Ann" },
      ],
    },
    answers: { 200: { revision: 1, lines: 2 } },
  },
  "transcriptions.edits": {
    answers: {
      200: {
        data: [
          {
            revision: 1,
            operations: 2,
            changes: [
              { type: "text", line: 0 },
              { type: "speaker", line: 1 },
            ],
            undoes: null,
            made_at: MOMENT,
            made_by: { key_id: "key_01kg8s1v0gd5m2y7wq3n8z4b6c", name: "Newsroom" },
          },
        ],
        has_more: false,
        next_cursor: null,
      },
    },
  },
  "transcriptions.undoEdit": { answers: { 200: { revision: 2, lines: 2 } } },
  "transcriptions.extras": {
    request: { summary: true, translate_to: "de" },
    answers: {
      202: {
        enrichment: {
          summary: { status: "pending", revision: 1 },
          translation: { status: "pending", revision: 1 },
          translations: { de: { status: "pending", revision: 1 } },
        },
      },
    },
  },
  "transcriptions.search": { answers: { 200: search } },
  "transcriptions.searchAll": { answers: { 200: search } },
  "transcriptions.ask": { request: { question: "How does the show begin?" }, answers: { 200: answer } },
  "transcriptions.askAll": {
    request: { question: "How does the show begin?", all: true },
    answers: { 200: answer },
  },
  "podcasts.episodes": {
    answers: {
      200: {
        title: "The Show",
        total: 112,
        returned: 1,
        data: [
          {
            title: "Episode 12",
            guid: "show-12",
            published_at: MOMENT,
            duration_seconds: 1834,
            audio_url: "https://example.com/12.mp3",
            index: 0,
            link: null,
            image: null,
            transcripts: [],
          },
        ],
        next_cursor: null,
      },
    },
  },
  "podcasts.transcribe": {
    request: { feed: FEED, episodes: 10, max_credits: 600 },
    answers: {
      202: {
        batch_id: BATCH,
        total: 1,
        transcriptions: [
          { id: ID, title: "Episode 12", guid: "show-12", url: `/api/v1/transcriptions/${ID}` },
        ],
        skipped: [{ guid: "show-11", title: "Episode 11", reason: "too_long" }],
      },
    },
  },
  "podcasts.batches": { answers: { 200: list(batch) } },
  "podcasts.batch": { answers: { 200: batch } },
  "podcasts.retryBatch": { answers: { 200: { batch_id: BATCH, retried: 3, left: 1 } } },
  "podcasts.cancelBatch": { answers: { 200: { batch_id: BATCH, canceled: 4, already_ended: 6 } } },
  "uploads.create": {
    request: { filename: "interview.mp3", content_type: "audio/mpeg", bytes: 1048576 },
    answers: { 201: handshake },
  },
  "uploads.parts": { request: uploadNamed, answers: { 200: uploadParts } },
  "uploads.complete": { request: uploadNamed, answers: { 200: uploadNamed } },
  "webhooks.create": {
    request: { url: "https://example.com/hooks/earmark" },
    answers: { 201: { ...endpoint, secret } },
  },
  "webhooks.list": { answers: { 200: list(endpoint) } },
  "webhooks.get": { answers: { 200: endpoint } },
  "webhooks.update": {
    request: { enabled: false },
    answers: { 200: { ...endpoint, enabled: false, disabled_reason: "manual" } },
  },
  "webhooks.rotateSecret": {
    request: { grace_seconds: 86400 },
    answers: { 200: { ...endpoint, previous_secret_valid_until: "2026-02-01T08:00:00.000Z", secret } },
  },
  "webhooks.test": {
    answers: {
      202: {
        ...delivery,
        event_id: "test_7d0b3a52-7f0e-4a6e-9d53-2f6a1c9b8e11",
        event_type: "webhook.test",
        state: "pending",
        attempts: 0,
        last_status: null,
        endpoint_enabled: true,
      },
    },
  },
  "webhooks.deliveries": { answers: { 200: list(delivery) } },
  "webhooks.delivery": {
    answers: {
      200: {
        ...delivery,
        body: `{"id":"${ID}.done"}`,
        attempt_log: [
          {
            number: 1,
            trigger: "auto",
            started_at: MOMENT,
            duration_ms: 84,
            status: 200,
            error: null,
            request_headers: { "Service-Event-Type": "transcription.completed" },
            response_headers: { "content-type": "text/plain" },
            response_body: "ok",
          },
        ],
      },
    },
  },
  "webhooks.redeliver": { answers: { 202: { ...delivery, state: "pending", next_at: MOMENT } } },
  "transcriptions.events": {
    answers: {
      200: {
        event: "segment",
        data: { index: 3, start: 12.4, end: 16.05, speaker: null, text: "And that is how it began." },
      },
    },
  },
  "transcriptions.eventsAll": {
    answers: {
      200: {
        event: "job",
        data: { id: ID, status: "queued", phase: "transcribing", progress: 0.42 },
      },
    },
  },
  "credits.get": {
    answers: {
      200: {
        balance: 540,
        held: 31,
        available: 509,
        minutes: 509,
        is_paid: true,
        billing: true,
        auto_reload: autoReload,
        features: { diarize: true, whole_feed: true, word_level_export: true },
      },
    },
  },
  "credits.entries": {
    answers: {
      200: list({
        id: "le_01k9wzq3v8m2x7c4t6n5b0hjd5",
        kind: "settlement",
        amount: -31,
        transcription_id: ID,
        created_at: MOMENT,
      }),
    },
  },
  "credits.setAutoReload": { request: autoReload, answers: { 200: autoReload } },
  "credits.purchase": { request: { credits: 600 }, answers: { 201: purchase } },
  "credits.purchases": { answers: { 200: list({ ...purchase, state: "succeeded" }) } },
  "credits.cancelPurchase": {
    answers: { 200: { ...purchase, price: null, state: "canceled" } },
  },
  "credits.getPurchase": { answers: { 200: { ...purchase, state: "succeeded" } } },
  "credits.quote": {
    request: { url: "https://example.com/12.mp3", diarize: true },
    answers: {
      200: {
        title: "Episode 12",
        source: { kind: "media", url: "https://example.com/12.mp3" },
        source_label: "https://example.com/12.mp3",
        duration_seconds: 1834,
        minutes: 31,
        credits: 93,
        rate: 3,
        cached: false,
        episodes: null,
        unknown_lengths: null,
        balance_after: 447,
      },
    },
  },
  "credits.usage": {
    answers: {
      200: {
        from: "2026-01-01T00:00:00.000Z",
        to: MOMENT,
        group_by: "day",
        data: [{ group: "2026-01-31", ...usage }],
        total: usage,
      },
    },
  },
  "keys.list": { answers: { 200: list(key) } },
  "keys.create": {
    request: { name: "ci", scopes: ["transcriptions:read"] },
    answers: { 201: { ...key, key: "em_live_4f9KzW0b7sYxQ2mHcRt8LdVnJp3Ae61BqUo5" } },
  },
  "keys.update": { request: { name: "ci", monthly_credits: 500 }, answers: { 200: key } },
  "grants.list": { answers: { 200: list(grant) } },
  "account.get": {
    answers: {
      200: {
        id: "acct_01k9wzq3v8m2x7c4t6n5b0hjd5",
        name: "Example Podcasts",
        scopes: ["transcriptions:read", "transcriptions:write"],
        is_test: false,
        role: "account",
        limits: { max_media_minutes: null, max_upload_bytes: null, max_waiting_jobs: 500 },
        features: { translation: true, auto_reload: false },
        sign_in: null,
      },
    },
  },
  "host.healthz": { answers: { 200: { status: "ok" } } },
  "host.readyz": { answers: { 200: { status: "ok" } } },
}
