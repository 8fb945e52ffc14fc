/** Records as the examples show them. */
import type { JsonObject } from "./json.js"

export const ID = "tr_01k9wzq3v8m2x7c4t6n5b0hjde"
export const ACCOUNT = "acct_01k9wzq3v8m2x7c4t6n5b0hjd0"
export const ENDPOINT = "we_01k9wzq3v8m2x7c4t6n5b0hjd1"
export const BATCH = "batch_01k9wzq3v8m2x7c4t6n5b0hjd2"
export const MOMENT = "2026-01-31T08:00:00.000Z"
export const FEED = "https://example.com/show/feed.xml"

const options = {
  language: null,
  diarize: true,
  summary: false,
  chapters: false,
  translate_to: null,
  quality: "accurate",
  speakers: null,
  vocabulary: [],
  start_at: null,
  end_at: null,
}

export const queued: JsonObject = {
  id: ID,
  status: "queued",
  phase: "transcribing",
  progress: 0.4,
  title: "Episode 12",
  source: { kind: "media", url: "https://example.com/12.mp3" },
  source_label: "https://example.com/12.mp3",
  options,
  language: null,
  duration_seconds: 1834,
  word_count: null,
  billed_minutes: null,
  cached: false,
  origin: null,
  engine: null,
  word_timing: null,
  metadata: { order: "A-17" },
  batch_id: null,
  created_at: MOMENT,
  started_at: "2026-01-31T08:00:01.250Z",
  completed_at: null,
  expires_at: null,
  published_at: null,
  error: null,
  failure: null,
  enrichment: {},
  integrity: null,
  warnings: [],
}

export const summary: JsonObject = {
  ...queued,
  status: "done",
  phase: null,
  progress: 1,
  language: "en",
  detected_language: { code: "en", confidence: 0.98 },
  word_count: 5210,
  billed_minutes: 31,
  origin: "engine",
  engine: "sherpa",
  word_timing: "aligned",
  completed_at: "2026-01-31T08:03:20.000Z",
}

export const done: JsonObject = {
  ...summary,
  text: "Welcome back to the show.",
  segments: [{ start: 0.32, end: 1.9, speaker: "Speaker 1", text: "Welcome back to the show." }],
  speakers: { "Speaker 1": "Ann" },
}

export const list = (...data: ReadonlyArray<JsonObject>): JsonObject => ({
  data,
  has_more: false,
  next_cursor: null,
})

export const search: JsonObject = {
  query: "welcome",
  total: 1,
  total_is_exact: true,
  data: [
    {
      id: ID,
      title: "Episode 12",
      source: { kind: "media", url: "https://example.com/12.mp3" },
      source_label: "https://example.com/12.mp3",
      start: 0.32,
      end: 1.9,
      speaker: "Ann",
      text: "Welcome back to the show.",
      at: 0,
      highlights: [[0, 7]],
      before: [],
      after: [],
    },
  ],
  has_more: false,
  next_cursor: null,
}

export const answer: JsonObject = {
  status: "supported",
  text: "They welcome the listeners back.",
  claims: [
    {
      text: "They welcome the listeners back.",
      citations: [
        {
          transcription_id: ID,
          segment_id: 0,
          start: 0.32,
          end: 1.9,
          speaker: "Ann",
          excerpt: "Welcome back to the show.",
        },
      ],
    },
  ],
  coverage: {
    transcripts: 1,
    transcripts_read: 1,
    lines_read: 1,
    lines_shown: 1,
    dropped_claims: 0,
    dropped_citations: 0,
    note: null,
    cited: [{ transcription_id: ID, title: "Episode 12" }],
  },
}

export const endpoint: JsonObject = {
  id: ENDPOINT,
  url: "https://example.com/hooks/earmark",
  events: ["transcription.completed", "transcription.failed"],
  description: null,
  enabled: true,
  disabled_reason: null,
  created_at: MOMENT,
  previous_secret_valid_until: null,
}

export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="

export const delivery: JsonObject = {
  id: "dlv_01k9wzq3v8m2x7c4t6n5b0hjd3",
  endpoint_id: ENDPOINT,
  event_id: `${ID}.done`,
  event_type: "transcription.completed",
  state: "succeeded",
  attempts: 1,
  next_at: null,
  last_status: 200,
  created_at: MOMENT,
}

export const purchase: JsonObject = {
  id: "pur_01k9wzq3v8m2x7c4t6n5b0hjd6",
  credits: 600,
  price: { amount: 1200, currency: "eur" },
  state: "pending",
  checkout_url: null,
  created_at: MOMENT,
}

export const key: JsonObject = {
  id: "key_01k9wzq3v8m2x7c4t6n5b0hjd4",
  name: "ci",
  prefix: "em_live_",
  last4: "x7Qp",
  scopes: ["transcriptions:read"],
  expires_at: null,
  last_used_at: null,
  created_at: MOMENT,
  revoked_at: null,
  monthly_credits: 500,
  monthly_credits_used: 120,
}

export const grant: JsonObject = {
  id: "Vb7cXn2Tq0sYpLr4Kd9eW",
  client: "f2Kq8sLw3n",
  name: "An assistant",
  scopes: ["transcriptions:read"],
  granted_at: MOMENT,
  expires_at: null,
}

export const batch: JsonObject = {
  batch_id: BATCH,
  feed_url: FEED,
  title: "The Show",
  total: 10,
  queued: 4,
  done: 5,
  failed: 1,
  waiting_for_credits: 0,
  progress: 0.63,
  billed_minutes: 154,
  created_at: MOMENT,
  canceled_at: null,
}

export const autoReload: JsonObject = { enabled: true, threshold: 60, amount: 600, monthly_cap: 6000 }

export const handshake: JsonObject = {
  upload_url: `https://api.example.com/uploads/${ACCOUNT}/7d0b3a52-7f0e-4a6e-9d53-2f6a1c9b8e11.mp3?type=audio%2Fmpeg&bytes=1048576&expires=1769850000&signature=0f`,
  media_ref: `uploads/${ACCOUNT}/7d0b3a52-7f0e-4a6e-9d53-2f6a1c9b8e11.mp3`,
  expires_in: 3600,
  upload_page: `https://api.example.com/upload/uploads/${ACCOUNT}/7d0b3a52-7f0e-4a6e-9d53-2f6a1c9b8e11.mp3?type=audio%2Fmpeg&bytes=1048576&expires=1769850000&signature=0f`,
}

const part = (part_number: number, uuid: string, bytes: number): JsonObject => ({
  part_number,
  bytes,
  is_received: part_number === 1,
  upload_url: `https://api.example.com/uploads/${ACCOUNT}/${uuid}.bin?type=application%2Foctet-stream&bytes=${bytes}&expires=1769850000&signature=0f`,
})

export const uploadParts: JsonObject = {
  media_ref: `uploads/${ACCOUNT}/7d0b3a52-7f0e-4a6e-9d53-2f6a1c9b8e11.mp3`,
  expires_in: 3600,
  parts: [
    part(1, "0b0f2c6e-3c44-9f1d-7a52-1f6a5c9b8e12", 5242880),
    part(2, "5e1d7f90-1a2b-8c3d-6e4f-9a8b7c6d5e4f", 1048576),
  ],
}

export const usage = { transcriptions: 3, minutes: 64, credits: 64 }

const PUBLISHED = "https://api.example.com/p/Zm9yZXZlcnlvbmVfaGVyZQ"

export const publication = {
  transcription_id: ID,
  title: "Episode 12: Why bread rises",
  guid: "episode-12",
  published_at: "2026-01-31T08:05:00.000Z",
  files: [
    { format: "vtt", url: `${PUBLISHED}/transcript.vtt`, type: "text/vtt", language: "en" },
    { format: "html", url: `${PUBLISHED}/transcript.html`, type: "text/html", language: "en" },
  ],
  tags: {
    transcripts: [
      `<podcast:transcript url="${PUBLISHED}/transcript.vtt" type="text/vtt" language="en" rel="captions"/>`,
      `<podcast:transcript url="${PUBLISHED}/transcript.html" type="text/html" language="en"/>`,
    ],
    chapters: null,
  },
  show: {
    feed_url: "https://example.org/feed.xml",
    json_url: "https://api.example.com/shows/c2hvd3NfaGF2ZV9saXN0cw/transcripts.json",
    opml_url: "https://api.example.com/shows/c2hvd3NfaGF2ZV9saXN0cw/transcripts.opml",
  },
}

export const acknowledged = (status: string): JsonObject => ({
  id: ID,
  status,
  url: `/api/v1/transcriptions/${ID}`,
  cached: status === "done",
})
