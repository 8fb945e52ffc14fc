// Made from the OpenAPI document by `npm run docs`. Do not edit.
/** The codes of problems that the service answers with. */
export type ProblemCode =
  | "invalid_request"
  | "unknown_field"
  | "missing_source"
  | "multiple_sources"
  | "invalid_json"
  | "idempotency_key_invalid"
  | "not_acceptable"
  | "headers_too_large"
  | "internal_error"
  | "unavailable"
  | "unauthorized"
  | "insufficient_scope"
  | "feature_locked"
  | "rate_limited"
  | "too_many_jobs"
  | "out_of_credits"
  | "too_large"
  | "unsupported_content_type"
  | "request_timeout"
  | "idempotency_in_progress"
  | "idempotency_key_reused"
  | "unresolvable_link"
  | "source_not_supported"
  | "feed_invalid"
  | "episode_not_found"
  | "media_ref_unknown"
  | "unsupported_media"
  | "media_too_long"
  | "language_unsupported"
  | "blocked_address"
  | "not_found"
  | "expired"
  | "invalid_state"
  | "no_word_timing"
  | "signature_invalid"
  | "batch_too_large"

export interface TranscriptionList {
  readonly data: ReadonlyArray<TranscriptionSummary>
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export type TranscriptionSummary = QueuedTranscription | FailedTranscription | DoneTranscriptionSummary

export interface SearchResults {
  readonly query: string
  /** A whole number of at least 0. */
  readonly total: number
  readonly data: ReadonlyArray<SearchHit>
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export interface WebhookEndpointList {
  readonly data: ReadonlyArray<WebhookEndpoint>
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export interface WebhookEndpoint {
  readonly description: string | null
  /** An id that begins with we_. */
  readonly id: string
  readonly url: string
  readonly events: ReadonlyArray<"transcription.completed" | "transcription.failed">
  readonly enabled: boolean
  readonly disabled_reason: "manual" | "failing" | "gone" | null
  readonly created_at: string
}

export interface WebhookDeliveryList {
  readonly data: ReadonlyArray<WebhookDelivery>
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export interface WebhookDelivery {
  /** An id that begins with dlv_. */
  readonly id: string
  /** An id that begins with we_. */
  readonly endpoint_id: string
  readonly event_id: string
  readonly event_type: "transcription.completed" | "transcription.failed" | "webhook.test"
  readonly state: "pending" | "delivering" | "succeeded" | "failed" | "canceled"
  /** A whole number of at least 0. */
  readonly attempts: number
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly next_at: string | null
  readonly last_status: number | null
  readonly created_at: string
}

export interface LedgerEntryList {
  readonly data: ReadonlyArray<LedgerEntry>
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export interface LedgerEntry {
  /** An id that begins with le_. */
  readonly id: string
  readonly kind: "signup" | "purchase" | "reload" | "settlement" | "refund" | "adjustment"
  readonly amount: number
  /** An id that begins with tr_. */
  readonly transcription_id: string | null
  readonly created_at: string
}

export interface ApiKeyList {
  readonly data: ReadonlyArray<ApiKey>
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export interface ApiKey {
  /** An id that begins with key_. */
  readonly id: string
  readonly name: string | null
  readonly prefix: string
  readonly last4: string
  readonly scopes: ReadonlyArray<"transcriptions:read" | "transcriptions:write" | "webhooks" | "billing:read" | "billing:write" | "keys">
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly expires_at: string | null
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly last_used_at: string | null
  readonly created_at: string
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly revoked_at: string | null
}

export interface CreateTranscription {
  /** A text of 1 to 300 characters. */
  readonly title?: string | null | undefined
  /** A text of 1 to 8192 characters. */
  readonly url?: string | null | undefined
  /** A text of 1 to 512 characters. */
  readonly media_ref?: string | null | undefined
  /** A text of 1 to 8192 characters. */
  readonly blob_url?: string | null | undefined
  /** A text of 1 to 2048 characters. */
  readonly episode_guid?: string | null | undefined
  /** A whole number from 0 to 1000000. */
  readonly episode_index?: number | null | undefined
  /** An ISO language code such as en or pt-BR. */
  readonly language?: string | null | undefined
  readonly diarize?: boolean | null | undefined
  readonly summary?: boolean | null | undefined
  readonly chapters?: boolean | null | undefined
  /** An ISO language code such as en or pt-BR. */
  readonly translate_to?: string | null | undefined
  readonly quality?: "fast" | "accurate" | null | undefined
  readonly speakers?: {
    /** A whole number from 1 to 32. */
    readonly min?: number | null | undefined
    /** A whole number from 1 to 32. */
    readonly max?: number | null | undefined
  } | null | undefined
  /** At most 200 terms. */
  readonly vocabulary?: ReadonlyArray<string> | null | undefined
  /** Seconds from 0 to 10000000. */
  readonly start_at?: number | null | undefined
  /** Seconds from 0 to 10000000. */
  readonly end_at?: number | null | undefined
  readonly metadata?: { readonly [name: string]: unknown } | null | undefined
  /** A whole number from 1 to 315360000. */
  readonly delete_after_seconds?: number | null | undefined
}

export interface QueuedTranscription {
  readonly title: string | null
  /** An id that begins with tr_. */
  readonly id: string
  readonly source: Source
  readonly options: Options
  readonly language: string | null
  readonly detected_language?: {
    readonly code: string
    readonly confidence: number
  } | undefined
  /** A whole number of at least 0. */
  readonly duration_seconds: number | null
  /** A whole number of at least 0. */
  readonly word_count: number | null
  /** A whole number of at least 0. */
  readonly billed_minutes: number | null
  readonly cached: boolean
  readonly origin: "engine" | "captions" | "cache" | null
  readonly engine: string | null
  readonly metadata: { readonly [name: string]: unknown } | null
  /** An id that begins with batch_. */
  readonly batch_id: string | null
  readonly created_at: string
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly started_at: string | null
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly expires_at: string | null
  readonly enrichment: Enrichment
  readonly integrity: {
    readonly speech_seconds: number | null
    readonly transcribed_seconds: number | null
    /** A number between 0 and 1. */
    readonly coverage: number | null
    readonly gaps: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
    }>
    readonly repeats: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      /** A whole number of at least 0. */
      readonly count: number
      readonly text: string
    }>
    readonly low_confidence: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      /** A number between 0 and 1. */
      readonly confidence: number
    }>
    readonly flags: ReadonlyArray<"low_coverage" | "text_in_silence" | "impossible_rate" | "time_disorder" | "ends_early" | "interpolated_words" | "looping" | "language_switch" | "no_audio">
  } | null
  readonly warnings: ReadonlyArray<Warning>
  readonly status: "queued"
  readonly phase: "waiting" | "waiting_for_credits" | "fetching" | "decoding" | "transcribing" | "diarizing" | "enriching" | "finalizing"
  /** A number between 0 and 1. */
  readonly progress: number
  readonly completed_at: null
  readonly error: null
  readonly failure: null
}

export interface Source {
  readonly kind: "media" | "episode" | "social" | "upload" | "blob"
  readonly url?: string | undefined
  readonly media_ref?: string | undefined
  readonly feed_url?: string | undefined
  readonly episode_guid?: string | undefined
  readonly published_at?: string | undefined
}

export interface Options {
  /** An ISO language code such as en or pt-BR. */
  readonly language: string | null
  readonly diarize: boolean
  readonly summary: boolean
  readonly chapters: boolean
  /** An ISO language code such as en or pt-BR. */
  readonly translate_to: string | null
  readonly quality: "fast" | "accurate"
  readonly speakers: {
    /** A whole number from 1 to 32. */
    readonly min?: number | null | undefined
    /** A whole number from 1 to 32. */
    readonly max?: number | null | undefined
  } | null
  readonly vocabulary: ReadonlyArray<string>
  /** Seconds from 0 to 10000000. */
  readonly start_at: number | null
  /** Seconds from 0 to 10000000. */
  readonly end_at: number | null
}

export interface Enrichment {
  readonly summary?: {
    readonly status: "pending" | "done" | "failed"
    readonly error?: string | undefined
  } | undefined
  readonly chapters?: {
    readonly status: "pending" | "done" | "failed"
    readonly error?: string | undefined
  } | undefined
  readonly translation?: {
    readonly status: "pending" | "done" | "failed"
    readonly error?: string | undefined
  } | undefined
}

export interface Warning {
  readonly code: "vocabulary_ignored" | "vocabulary_truncated" | "language_guessed" | "no_word_times" | "no_confidence" | "quality_ignored" | "draft_quality" | "media_truncated" | "channels_cancel" | "vad_energy" | "captions_incomplete" | "diarization_failed" | "clip_capped" | "translation_incomplete"
  readonly detail: string
}

export interface FailedTranscription {
  readonly title: string | null
  /** An id that begins with tr_. */
  readonly id: string
  readonly source: Source
  readonly options: Options
  readonly language: string | null
  readonly detected_language?: {
    readonly code: string
    readonly confidence: number
  } | undefined
  /** A whole number of at least 0. */
  readonly duration_seconds: number | null
  /** A whole number of at least 0. */
  readonly word_count: number | null
  /** A whole number of at least 0. */
  readonly billed_minutes: number | null
  readonly cached: boolean
  readonly origin: "engine" | "captions" | "cache" | null
  readonly engine: string | null
  readonly metadata: { readonly [name: string]: unknown } | null
  /** An id that begins with batch_. */
  readonly batch_id: string | null
  readonly created_at: string
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly started_at: string | null
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly expires_at: string | null
  readonly enrichment: Enrichment
  readonly integrity: {
    readonly speech_seconds: number | null
    readonly transcribed_seconds: number | null
    /** A number between 0 and 1. */
    readonly coverage: number | null
    readonly gaps: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
    }>
    readonly repeats: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      /** A whole number of at least 0. */
      readonly count: number
      readonly text: string
    }>
    readonly low_confidence: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      /** A number between 0 and 1. */
      readonly confidence: number
    }>
    readonly flags: ReadonlyArray<"low_coverage" | "text_in_silence" | "impossible_rate" | "time_disorder" | "ends_early" | "interpolated_words" | "looping" | "language_switch" | "no_audio">
  } | null
  readonly warnings: ReadonlyArray<Warning>
  readonly status: "failed"
  readonly phase: null
  /** A number between 0 and 1. */
  readonly progress: number
  readonly completed_at: string
  readonly error: string
  readonly failure: Failure
}

export interface Failure {
  readonly code: "source_unresolvable" | "source_forbidden" | "source_not_found" | "source_blocked" | "download_failed" | "download_timeout" | "unsupported_media" | "empty_media" | "no_speech" | "media_too_long" | "media_too_large" | "feed_invalid" | "episode_not_found" | "upload_missing" | "language_unsupported" | "insufficient_credits" | "engine_error" | "engine_timeout" | "engine_unavailable" | "internal_error" | "canceled" | "expired"
  readonly stage: "waiting" | "waiting_for_credits" | "fetching" | "decoding" | "transcribing" | "diarizing" | "enriching" | "finalizing"
  readonly retryable: boolean
  /** A whole number of at least 0. */
  readonly attempts: number
}

export interface DoneTranscription {
  readonly title: string | null
  /** An id that begins with tr_. */
  readonly id: string
  readonly source: Source
  readonly options: Options
  readonly language: string | null
  readonly detected_language?: {
    readonly code: string
    readonly confidence: number
  } | undefined
  /** A whole number of at least 0. */
  readonly duration_seconds: number
  /** A whole number of at least 0. */
  readonly word_count: number
  /** A whole number of at least 0. */
  readonly billed_minutes: number
  readonly cached: boolean
  readonly origin: "engine" | "captions" | "cache"
  readonly engine: string | null
  readonly metadata: { readonly [name: string]: unknown } | null
  /** An id that begins with batch_. */
  readonly batch_id: string | null
  readonly created_at: string
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly started_at: string | null
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly expires_at: string | null
  readonly enrichment: Enrichment
  readonly integrity: {
    readonly speech_seconds: number | null
    readonly transcribed_seconds: number | null
    /** A number between 0 and 1. */
    readonly coverage: number | null
    readonly gaps: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
    }>
    readonly repeats: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      /** A whole number of at least 0. */
      readonly count: number
      readonly text: string
    }>
    readonly low_confidence: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      /** A number between 0 and 1. */
      readonly confidence: number
    }>
    readonly flags: ReadonlyArray<"low_coverage" | "text_in_silence" | "impossible_rate" | "time_disorder" | "ends_early" | "interpolated_words" | "looping" | "language_switch" | "no_audio">
  } | null
  readonly warnings: ReadonlyArray<Warning>
  readonly status: "done"
  readonly phase: null
  readonly progress: 1
  readonly completed_at: string
  readonly error: null
  readonly failure: null
  readonly text: string
  readonly segments: ReadonlyArray<Segment>
  readonly summary?: string | undefined
  readonly chapters?: ReadonlyArray<Chapter> | undefined
  readonly translation?: Translation | undefined
}

export interface Segment {
  /** Seconds from 0 to 10000000. */
  readonly start: number
  /** Seconds from 0 to 10000000. */
  readonly end: number
  readonly speaker: string | null
  readonly text: string
  readonly words?: ReadonlyArray<Word> | undefined
}

export interface Word {
  /** Seconds from 0 to 10000000. */
  readonly start: number
  /** Seconds from 0 to 10000000. */
  readonly end: number
  readonly text: string
  readonly confidence: number | null
  readonly speaker?: string | null | undefined
}

export interface Chapter {
  readonly title: string
  /** Seconds from 0 to 10000000. */
  readonly start: number
  /** Seconds from 0 to 10000000. */
  readonly end: number
  readonly summary?: string | undefined
}

export interface Translation {
  readonly language: string
  readonly text: string
  readonly segments: ReadonlyArray<{
    /** Seconds from 0 to 10000000. */
    readonly start: number
    /** Seconds from 0 to 10000000. */
    readonly end: number
    readonly speaker: string | null
    readonly text: string
  }>
}

export interface DoneTranscriptionSummary {
  readonly title: string | null
  /** An id that begins with tr_. */
  readonly id: string
  readonly source: Source
  readonly options: Options
  readonly language: string | null
  readonly detected_language?: {
    readonly code: string
    readonly confidence: number
  } | undefined
  /** A whole number of at least 0. */
  readonly duration_seconds: number
  /** A whole number of at least 0. */
  readonly word_count: number
  /** A whole number of at least 0. */
  readonly billed_minutes: number
  readonly cached: boolean
  readonly origin: "engine" | "captions" | "cache"
  readonly engine: string | null
  readonly metadata: { readonly [name: string]: unknown } | null
  /** An id that begins with batch_. */
  readonly batch_id: string | null
  readonly created_at: string
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly started_at: string | null
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly expires_at: string | null
  readonly enrichment: Enrichment
  readonly integrity: {
    readonly speech_seconds: number | null
    readonly transcribed_seconds: number | null
    /** A number between 0 and 1. */
    readonly coverage: number | null
    readonly gaps: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
    }>
    readonly repeats: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      /** A whole number of at least 0. */
      readonly count: number
      readonly text: string
    }>
    readonly low_confidence: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      /** A number between 0 and 1. */
      readonly confidence: number
    }>
    readonly flags: ReadonlyArray<"low_coverage" | "text_in_silence" | "impossible_rate" | "time_disorder" | "ends_early" | "interpolated_words" | "looping" | "language_switch" | "no_audio">
  } | null
  readonly warnings: ReadonlyArray<Warning>
  readonly status: "done"
  readonly phase: null
  readonly progress: 1
  readonly completed_at: string
  readonly error: null
  readonly failure: null
}

export interface PatchTranscription {
  /** A text of 1 to 300 characters. */
  readonly title?: string | null | undefined
  readonly metadata?: { readonly [name: string]: unknown } | null | undefined
  readonly speakers?: { readonly [name: string]: string | null } | null | undefined
}

export interface ExportLink {
  readonly url: string
  readonly expires_at: string
}

export interface ExportRequest {
  readonly format: "srt" | "vtt" | "txt" | "md" | "json" | "podcast_json" | "chapters" | "csv" | "tsv" | "html" | "docx"
  readonly word_level?: boolean | null | undefined
  /** An ISO language code such as en or pt-BR. */
  readonly language?: string | null | undefined
  readonly speakers?: boolean | null | undefined
  readonly profile?: "standard" | "podcast" | "netflix" | null | undefined
  /** A whole number from 16 to 80. */
  readonly max_chars_per_line?: number | null | undefined
  /** A whole number from 1 to 4. */
  readonly max_lines?: number | null | undefined
}

export interface EpisodeList {
  /** A whole number of at least 0. */
  readonly total: number
  /** A whole number of at least 0. */
  readonly returned: number
  readonly data: ReadonlyArray<Episode>
  readonly next_cursor: string | null
}

export interface Episode {
  readonly title: string | null
  readonly guid: string
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly published_at: string | null
  /** A whole number of at least 0. */
  readonly duration_seconds: number | null
  readonly audio_url: string
  /** A whole number of at least 0. */
  readonly index: number
  readonly link: string | null
  readonly image: string | null
  readonly transcripts: ReadonlyArray<PublishedTranscript>
}

export interface PublishedTranscript {
  readonly url: string
  readonly type: string | null
  readonly language: string | null
}

export interface Batch {
  /** An id that begins with batch_. */
  readonly batch_id: string
  /** A whole number of at least 0. */
  readonly total: number
  readonly transcriptions: ReadonlyArray<{
    readonly title: string
    /** An id that begins with tr_. */
    readonly id: string
    readonly guid: string
    readonly url: string
  }>
  readonly skipped: ReadonlyArray<{
    readonly title: string | null
    readonly guid: string
    readonly reason: "no_media" | "duplicate" | "too_long" | "blocked_address"
  }>
}

export interface TranscribeFeed {
  /** A text of 1 to 8192 characters. */
  readonly feed: string
  readonly episodes?: "latest" | "all" | number | null | undefined
  /** A whole number of at least 0. */
  readonly max_credits?: number | null | undefined
  /** An ISO language code such as en or pt-BR. */
  readonly language?: string | null | undefined
  readonly diarize?: boolean | null | undefined
  readonly summary?: boolean | null | undefined
  readonly chapters?: boolean | null | undefined
  /** An ISO language code such as en or pt-BR. */
  readonly translate_to?: string | null | undefined
  readonly quality?: "fast" | "accurate" | null | undefined
  readonly speakers?: {
    /** A whole number from 1 to 32. */
    readonly min?: number | null | undefined
    /** A whole number from 1 to 32. */
    readonly max?: number | null | undefined
  } | null | undefined
  /** At most 200 terms. */
  readonly vocabulary?: ReadonlyArray<string> | null | undefined
  /** Seconds from 0 to 10000000. */
  readonly start_at?: number | null | undefined
  /** Seconds from 0 to 10000000. */
  readonly end_at?: number | null | undefined
  readonly metadata?: { readonly [name: string]: unknown } | null | undefined
  /** A whole number from 1 to 315360000. */
  readonly delete_after_seconds?: number | null | undefined
}

export interface BatchStatus {
  readonly title: string | null
  /** An id that begins with batch_. */
  readonly batch_id: string
  readonly feed_url: string
  /** A whole number of at least 0. */
  readonly total: number
  /** A whole number of at least 0. */
  readonly queued: number
  /** A whole number of at least 0. */
  readonly done: number
  /** A whole number of at least 0. */
  readonly failed: number
  /** A whole number of at least 0. */
  readonly waiting_for_credits: number
  /** A number between 0 and 1. */
  readonly progress: number
  /** A whole number of at least 0. */
  readonly billed_minutes: number
  readonly created_at: string
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly canceled_at: string | null
}

export interface BatchCanceled {
  /** An id that begins with batch_. */
  readonly batch_id: string
  /** A whole number of at least 0. */
  readonly canceled: number
  /** A whole number of at least 0. */
  readonly already_ended: number
}

export interface UploadHandshake {
  readonly upload_url: string
  readonly media_ref: string
  /** A whole number of at least 1. */
  readonly expires_in: number
  readonly upload_page: string
}

export interface UploadRequest {
  /** A text of 1 to 255 characters. */
  readonly filename: string
  /** A media type such as audio/mpeg or video/mp4. */
  readonly content_type: string
  /** A whole number of at least 1. */
  readonly bytes: number
}

export interface WebhookEndpointWithSecret {
  readonly description: string | null
  /** An id that begins with we_. */
  readonly id: string
  readonly url: string
  readonly events: ReadonlyArray<"transcription.completed" | "transcription.failed">
  readonly enabled: boolean
  readonly disabled_reason: "manual" | "failing" | "gone" | null
  readonly created_at: string
  readonly secret: string
}

export interface CreateWebhookEndpoint {
  /** A text of 0 to 500 characters. */
  readonly description?: string | null | undefined
  /** A text of 1 to 2048 characters. */
  readonly url: string
  /** A list of event types, at least one. */
  readonly events?: ReadonlyArray<"transcription.completed" | "transcription.failed"> | null | undefined
}

export interface PatchWebhookEndpoint {
  /** A text of 0 to 500 characters. */
  readonly description?: string | null | undefined
  /** A text of 1 to 2048 characters. */
  readonly url?: string | null | undefined
  /** A list of event types, at least one. */
  readonly events?: ReadonlyArray<"transcription.completed" | "transcription.failed"> | null | undefined
  readonly enabled?: boolean | null | undefined
}

export interface RotateSecret {
  /** A whole number from 0 to 604800. */
  readonly grace_seconds?: number | null | undefined
}

export interface WebhookDeliveryWithAttempts {
  /** An id that begins with dlv_. */
  readonly id: string
  /** An id that begins with we_. */
  readonly endpoint_id: string
  readonly event_id: string
  readonly event_type: "transcription.completed" | "transcription.failed" | "webhook.test"
  readonly state: "pending" | "delivering" | "succeeded" | "failed" | "canceled"
  /** A whole number of at least 0. */
  readonly attempts: number
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly next_at: string | null
  readonly last_status: number | null
  readonly created_at: string
  readonly body: string
  readonly attempt_log: ReadonlyArray<DeliveryAttempt>
}

export interface DeliveryAttempt {
  /** A whole number of at least 1. */
  readonly number: number
  readonly trigger: "auto" | "manual" | "test"
  readonly started_at: string
  /** A whole number of at least 0. */
  readonly duration_ms: number | null
  readonly status: number | null
  readonly error: "timeout" | "dns" | "tls" | "refused" | "blocked_address" | "redirect" | "http_status" | "unknown" | null
  readonly request_headers: { readonly [name: string]: string }
  readonly response_headers: { readonly [name: string]: string } | null
  readonly response_body: string | null
}

export interface Credits {
  readonly balance: number
  /** A whole number of at least 0. */
  readonly held: number
  readonly available: number
  readonly is_paid: boolean
  readonly auto_reload: AutoReload
  readonly features: {
    readonly diarize: boolean
    readonly whole_feed: boolean
    readonly word_level_export: boolean
  }
}

export interface AutoReload {
  readonly enabled: boolean
  /** A whole number of at least 0. */
  readonly threshold: number | null
  /** A whole number of at least 0. */
  readonly amount: number | null
  /** A whole number of at least 0. */
  readonly monthly_cap: number | null
}

export type PutAutoReload = {
  readonly enabled: false
} | {
  readonly enabled: true
  /** A whole number from 0 to 10000000. */
  readonly threshold: number
  /** A whole number from 1 to 10000000. */
  readonly amount: number
  /** A whole number from 1 to 10000000. */
  readonly monthly_cap: number
}

export interface Purchase {
  /** An id that begins with pur_. */
  readonly id: string
  /** A whole number of at least 0. */
  readonly credits: number
  readonly state: "pending" | "processing" | "action_required" | "succeeded" | "failed"
  readonly checkout_url: string | null
  readonly created_at: string
}

export interface CreatePurchase {
  /** A whole number from 1 to 10000000. */
  readonly credits: number
}

export interface Quote {
  /** A whole number of at least 0. */
  readonly minutes: number | null
  /** A whole number of at least 0. */
  readonly credits: number | null
  readonly rate: 1 | 3 | null
  readonly cached: boolean
  readonly balance_after: number | null
}

export interface Usage {
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly from: string
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly to: string
  readonly group_by: "day" | "month" | "key"
  readonly data: ReadonlyArray<{
    readonly group: string
    /** A whole number of at least 0. */
    readonly transcriptions: number
    /** A whole number of at least 0. */
    readonly minutes: number
    /** A whole number of at least 0. */
    readonly credits: number
  }>
  readonly total: {
    /** A whole number of at least 0. */
    readonly transcriptions: number
    /** A whole number of at least 0. */
    readonly minutes: number
    /** A whole number of at least 0. */
    readonly credits: number
  }
}

export interface ApiKeyWithValue {
  /** An id that begins with key_. */
  readonly id: string
  readonly name: string | null
  readonly prefix: string
  readonly last4: string
  readonly scopes: ReadonlyArray<"transcriptions:read" | "transcriptions:write" | "webhooks" | "billing:read" | "billing:write" | "keys">
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly expires_at: string | null
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly last_used_at: string | null
  readonly created_at: string
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly revoked_at: string | null
  readonly key: string
}

export interface CreateApiKey {
  /** A text of 1 to 100 characters. */
  readonly name?: string | null | undefined
  /** A list of scopes, at least one. */
  readonly scopes?: ReadonlyArray<"transcriptions:read" | "transcriptions:write" | "webhooks" | "billing:read" | "billing:write" | "keys"> | null | undefined
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly expires_at?: string | null | undefined
}

export interface SearchHit {
  readonly title: string | null
  /** An id that begins with tr_. */
  readonly id: string
  /** Seconds from 0 to 10000000. */
  readonly start: number
  /** Seconds from 0 to 10000000. */
  readonly end: number
  readonly speaker: string | null
  readonly text: string
  readonly highlights: ReadonlyArray<readonly [number, number]>
  readonly before: ReadonlyArray<{
    /** Seconds from 0 to 10000000. */
    readonly start: number
    /** Seconds from 0 to 10000000. */
    readonly end: number
    readonly speaker: string | null
    readonly text: string
  }>
  readonly after: ReadonlyArray<{
    /** Seconds from 0 to 10000000. */
    readonly start: number
    /** Seconds from 0 to 10000000. */
    readonly end: number
    readonly speaker: string | null
    readonly text: string
  }>
}

export interface TranscriptionsListQuery {
  readonly limit?: number | undefined
  /** A text of 1 to 1024 characters. */
  readonly cursor?: string | undefined
  readonly order?: "desc" | "asc" | undefined
  readonly status?: "queued" | "done" | "failed" | undefined
  readonly phase?: "waiting" | "waiting_for_credits" | "fetching" | "decoding" | "transcribing" | "diarizing" | "enriching" | "finalizing" | undefined
  /** An ISO language code such as en or pt-BR. */
  readonly language?: string | undefined
  /** A text of 1 to 64 characters. */
  readonly batch_id?: string | undefined
  /** A text of 1 to 8192 characters. */
  readonly feed?: string | undefined
  readonly created_after?: string | undefined
  readonly created_before?: string | undefined
  /** A text of 1 to 200 characters. */
  readonly q?: string | undefined
  /** Values of metadata that a job must have: `metadata[name]=value`. */
  readonly metadata?: { readonly [name: string]: string } | undefined
}

export interface TranscriptionsGetQuery {
  readonly wait?: number | undefined
  readonly include?: "words" | undefined
}

export interface TranscriptionsExportQuery {
  readonly format: "srt" | "vtt" | "txt" | "md" | "json" | "podcast_json" | "chapters" | "csv" | "tsv" | "html" | "docx"
  readonly word_level?: boolean | undefined
  /** An ISO language code such as en or pt-BR. */
  readonly language?: string | undefined
  readonly speakers?: boolean | undefined
  readonly profile?: "standard" | "podcast" | "netflix" | undefined
  readonly max_chars_per_line?: number | undefined
  readonly max_lines?: number | undefined
}

export interface TranscriptionsSearchQuery {
  /** A text of 1 to 200 characters. */
  readonly q: string
  /** A text of 1 to 100 characters. */
  readonly speaker?: string | undefined
  readonly context?: number | undefined
  readonly limit?: number | undefined
  /** A text of 1 to 1024 characters. */
  readonly cursor?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export interface TranscriptionsSearchAllQuery {
  /** A text of 1 to 200 characters. */
  readonly q: string
  /** A text of 1 to 100 characters. */
  readonly speaker?: string | undefined
  readonly context?: number | undefined
  readonly limit?: number | undefined
  /** A text of 1 to 1024 characters. */
  readonly cursor?: string | undefined
  /** A text of 1 to 8192 characters. */
  readonly feed?: string | undefined
  readonly created_after?: string | undefined
  readonly created_before?: string | undefined
}

export interface ExportsOpenQuery {
  readonly format: "srt" | "vtt" | "txt" | "md" | "json" | "podcast_json" | "chapters" | "csv" | "tsv" | "html" | "docx"
  readonly word_level?: boolean | undefined
  /** An ISO language code such as en or pt-BR. */
  readonly language?: string | undefined
  readonly speakers?: boolean | undefined
  readonly profile?: "standard" | "podcast" | "netflix" | undefined
  readonly max_chars_per_line?: number | undefined
  readonly max_lines?: number | undefined
  /** When the address ends, in unix seconds. */
  readonly expires: string
  /** What the address is signed with. */
  readonly signature: string
}

export interface PodcastsEpisodesQuery {
  /** A text of 1 to 8192 characters. */
  readonly feed: string
  readonly limit?: number | undefined
  /** A text of 1 to 1024 characters. */
  readonly cursor?: string | undefined
}

export interface UploadsPutQuery {
  /** The announced content type. */
  readonly type: string
  /** The announced length. */
  readonly bytes: string
  /** When the address ends, in unix seconds. */
  readonly expires: string
  /** What the address is signed with. */
  readonly signature: string
}

export interface WebhooksListQuery {
  readonly limit?: number | undefined
  /** A text of 1 to 1024 characters. */
  readonly cursor?: string | undefined
  readonly order?: "desc" | "asc" | undefined
}

export interface WebhooksDeliveriesQuery {
  readonly limit?: number | undefined
  /** A text of 1 to 1024 characters. */
  readonly cursor?: string | undefined
  readonly order?: "desc" | "asc" | undefined
  readonly status?: "pending" | "delivering" | "succeeded" | "failed" | "canceled" | undefined
}

export interface CreditsEntriesQuery {
  readonly limit?: number | undefined
  /** A text of 1 to 1024 characters. */
  readonly cursor?: string | undefined
  readonly order?: "desc" | "asc" | undefined
}

export interface CreditsUsageQuery {
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly from?: string | undefined
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly to?: string | undefined
  readonly group_by?: "day" | "month" | "key" | undefined
}

export interface KeysListQuery {
  readonly limit?: number | undefined
  /** A text of 1 to 1024 characters. */
  readonly cursor?: string | undefined
  readonly order?: "desc" | "asc" | undefined
}

/** What each operation takes and answers. */
export interface Operations {
  readonly "transcriptions.create": {
    readonly query: undefined
    readonly body: CreateTranscription
    readonly answer: {
      /** An id that begins with tr_. */
      readonly id: string
      readonly status: "done"
      readonly url: string
    } | {
      /** An id that begins with tr_. */
      readonly id: string
      readonly status: "queued"
      readonly url: string
    }
  }
  readonly "transcriptions.list": {
    readonly query: TranscriptionsListQuery
    readonly body: undefined
    readonly answer: TranscriptionList
  }
  readonly "transcriptions.get": {
    readonly query: TranscriptionsGetQuery
    readonly body: undefined
    readonly answer: QueuedTranscription | FailedTranscription | DoneTranscription
  }
  readonly "transcriptions.update": {
    readonly query: undefined
    readonly body: PatchTranscription
    readonly answer: QueuedTranscription | FailedTranscription | DoneTranscriptionSummary
  }
  readonly "transcriptions.delete": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  readonly "transcriptions.events": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  readonly "transcriptions.cancel": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: QueuedTranscription | FailedTranscription | DoneTranscriptionSummary
  }
  readonly "transcriptions.retry": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: QueuedTranscription | FailedTranscription | DoneTranscriptionSummary
  }
  readonly "transcriptions.export": {
    readonly query: TranscriptionsExportQuery
    readonly body: undefined
    readonly answer: unknown
  }
  readonly "transcriptions.exportLink": {
    readonly query: undefined
    readonly body: ExportRequest
    readonly answer: ExportLink
  }
  readonly "transcriptions.search": {
    readonly query: TranscriptionsSearchQuery
    readonly body: undefined
    readonly answer: SearchResults
  }
  readonly "transcriptions.searchAll": {
    readonly query: TranscriptionsSearchAllQuery
    readonly body: undefined
    readonly answer: SearchResults
  }
  readonly "exports.open": {
    readonly query: ExportsOpenQuery
    readonly body: undefined
    readonly answer: unknown
  }
  readonly "podcasts.episodes": {
    readonly query: PodcastsEpisodesQuery
    readonly body: undefined
    readonly answer: EpisodeList
  }
  readonly "podcasts.transcribe": {
    readonly query: undefined
    readonly body: TranscribeFeed
    readonly answer: Batch
  }
  readonly "podcasts.batch": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: BatchStatus
  }
  readonly "podcasts.cancelBatch": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: BatchCanceled
  }
  readonly "uploads.create": {
    readonly query: undefined
    readonly body: UploadRequest
    readonly answer: UploadHandshake
  }
  readonly "uploads.put": {
    readonly query: UploadsPutQuery
    readonly body: undefined
    readonly answer: undefined
  }
  readonly "webhooks.create": {
    readonly query: undefined
    readonly body: CreateWebhookEndpoint
    readonly answer: WebhookEndpointWithSecret
  }
  readonly "webhooks.list": {
    readonly query: WebhooksListQuery
    readonly body: undefined
    readonly answer: WebhookEndpointList
  }
  readonly "webhooks.get": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: WebhookEndpoint
  }
  readonly "webhooks.update": {
    readonly query: undefined
    readonly body: PatchWebhookEndpoint
    readonly answer: WebhookEndpoint
  }
  readonly "webhooks.delete": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  readonly "webhooks.rotateSecret": {
    readonly query: undefined
    readonly body: RotateSecret
    readonly answer: WebhookEndpointWithSecret
  }
  readonly "webhooks.test": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      /** An id that begins with dlv_. */
      readonly id: string
      /** An id that begins with we_. */
      readonly endpoint_id: string
      readonly event_id: string
      readonly event_type: "transcription.completed" | "transcription.failed" | "webhook.test"
      readonly state: "pending" | "delivering" | "succeeded" | "failed" | "canceled"
      /** A whole number of at least 0. */
      readonly attempts: number
      /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
      readonly next_at: string | null
      readonly last_status: number | null
      readonly created_at: string
    }
  }
  readonly "webhooks.deliveries": {
    readonly query: WebhooksDeliveriesQuery
    readonly body: undefined
    readonly answer: WebhookDeliveryList
  }
  readonly "webhooks.delivery": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: WebhookDeliveryWithAttempts
  }
  readonly "webhooks.redeliver": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      /** An id that begins with dlv_. */
      readonly id: string
      /** An id that begins with we_. */
      readonly endpoint_id: string
      readonly event_id: string
      readonly event_type: "transcription.completed" | "transcription.failed" | "webhook.test"
      readonly state: "pending" | "delivering" | "succeeded" | "failed" | "canceled"
      /** A whole number of at least 0. */
      readonly attempts: number
      /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
      readonly next_at: string | null
      readonly last_status: number | null
      readonly created_at: string
    }
  }
  readonly "credits.get": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: Credits
  }
  readonly "credits.entries": {
    readonly query: CreditsEntriesQuery
    readonly body: undefined
    readonly answer: LedgerEntryList
  }
  readonly "credits.setAutoReload": {
    readonly query: undefined
    readonly body: PutAutoReload
    readonly answer: AutoReload
  }
  readonly "credits.purchase": {
    readonly query: undefined
    readonly body: CreatePurchase
    readonly answer: Purchase
  }
  readonly "credits.quote": {
    readonly query: undefined
    readonly body: CreateTranscription | TranscribeFeed
    readonly answer: Quote
  }
  readonly "credits.usage": {
    readonly query: CreditsUsageQuery
    readonly body: undefined
    readonly answer: Usage
  }
  readonly "keys.list": {
    readonly query: KeysListQuery
    readonly body: undefined
    readonly answer: ApiKeyList
  }
  readonly "keys.create": {
    readonly query: undefined
    readonly body: CreateApiKey
    readonly answer: ApiKeyWithValue
  }
  readonly "keys.revoke": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  readonly "host.healthz": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly status: "ok"
    }
  }
  readonly "host.readyz": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      readonly status: "ok"
    }
  }
}
