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
  | "key_limit_reached"
  | "too_large"
  | "unsupported_content_type"
  | "request_timeout"
  | "idempotency_in_progress"
  | "idempotency_answer_lost"
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
  | "recording_not_kept"
  | "revision_conflict"
  | "invalid_edit"
  | "signature_invalid"
  | "range_not_satisfiable"
  | "batch_too_large"
  | "sign_in_again"

export interface TranscriptionList {
  readonly data: ReadonlyArray<TranscriptionSummary>
  /** Whether there is a next page. */
  readonly has_more: boolean
  /** What `cursor` of the next page is; null on the last one. */
  readonly next_cursor: string | null
}

export type TranscriptionSummary = QueuedTranscription | FailedTranscription | DoneTranscriptionSummary

export interface TranscriptionCounts {
  /** A whole number of at least 0. */
  readonly queued: number
  /** A whole number of at least 0. */
  readonly done: number
  /** A whole number of at least 0. */
  readonly failed: number
}

export interface TranscriptWords {
  /** How many words each segment has. */
  readonly counts: ReadonlyArray<number>
  /** Characters (UTF-16 units) between the end of the word before in the same segment, or the beginning of its text, and the word. */
  readonly offsets: ReadonlyArray<number>
  /** Characters (UTF-16 units) of the word; 0 where the text of the segment does not hold it. */
  readonly lengths: ReadonlyArray<number>
  /** 1/100 s from the end of the word before to the start of the word; for the first word from 0; negative where they overlap. */
  readonly starts: ReadonlyArray<number>
  /** 1/100 s from the start of the word to its end. */
  readonly ends: ReadonlyArray<number>
  /** 0 to 100, or null where the engine gives none. */
  readonly confidence: ReadonlyArray<number | null>
}

export interface MediaLink {
  /** An address that plays the recording without a key, for a limited time. */
  readonly url: string
  /** The media type of the recording. */
  readonly content_type: string
  /** How large the recording is. */
  readonly bytes: number
  /** How long the media is. */
  readonly duration_seconds: number | null
  /** Whether a browser that is told to play from a moment begins there. */
  readonly exact_seek: boolean
  /** When the address ends. */
  readonly expires_at: string
}

export interface Publication {
  /** A name for people. That of the episode or the file unless you give one. */
  readonly title: string | null
  /** An id that begins with tr_. */
  readonly transcription_id: string
  /** What the feed calls the episode; its audio address where it has no guid. */
  readonly guid: string | null
  /** When it was published. */
  readonly published_at: string
  readonly files: ReadonlyArray<{
    readonly format: "vtt" | "srt" | "json" | "html" | "chapters"
    readonly url: string
    readonly type: string
    readonly language: string | null
  }>
  readonly tags: {
    readonly transcripts: ReadonlyArray<string>
    readonly chapters: string | null
  }
  readonly show: {
    readonly feed_url: string
    readonly json_url: string
    readonly opml_url: string
  } | null
}

export interface EditedTranscription {
  /** How often the transcript was corrected; 0 as it was heard. */
  readonly revision: number
  /** How many lines the transcript has now. */
  readonly lines: number
}

export interface EditRevisionList {
  readonly data: ReadonlyArray<EditRevision>
  /** Whether there is a next page. */
  readonly has_more: boolean
  /** What `cursor` of the next page is; null on the last one. */
  readonly next_cursor: string | null
}

export interface EditRevision {
  /** How often the transcript was corrected; 0 as it was heard. */
  readonly revision: number
  /** How many operations it has; 0 for an undo. */
  readonly operations: number
  /** What its first 10 operations are: `type` as in a correction, and `line`, counted from 0 as the operations before it left the lines; null for speakers in all lines. Older servers leave it out. */
  readonly changes?: ReadonlyArray<{
    readonly type: "text" | "split" | "merge" | "remove" | "speaker" | "rename_speaker" | "merge_speakers" | "times"
    /** A whole number of at least 0. */
    readonly line: number | null
  }> | undefined
  /** The revision that it took back; null for one that has operations. */
  readonly undoes: number | null
  /** When it was made. */
  readonly made_at: string
  /** The key it was made with; null for a program that embeds Earmark. */
  readonly made_by: {
    readonly key_id: string
    readonly name: string | null
  } | null
}

export interface SearchResults {
  readonly query: string
  /** How many there are in all. */
  readonly total: number
  /** Whether `total` counts all. Where many transcripts have hits, it counts those of the first ones, and there are at least so many. */
  readonly total_is_exact: boolean
  readonly data: ReadonlyArray<SearchHit>
  /** Whether there is a next page. */
  readonly has_more: boolean
  /** What `cursor` of the next page is; null on the last one. */
  readonly next_cursor: string | null
}

export interface Answer {
  /** `supported`: a language model has answered, and quotes bear out all of it. `partial`: something is missing, or the best passages answer, word for word. `not_found`: nothing fits. */
  readonly status: "supported" | "partial" | "not_found"
  /** The claims as one text. */
  readonly text: string
  /** What the answer says, each with what it rests on. */
  readonly claims: ReadonlyArray<AnswerClaim>
  readonly coverage: AnswerCoverage
}

export interface BatchList {
  readonly data: ReadonlyArray<BatchStatus>
  /** Whether there is a next page. */
  readonly has_more: boolean
  /** What `cursor` of the next page is; null on the last one. */
  readonly next_cursor: string | null
}

export interface BatchStatus {
  /** A name for people. That of the episode or the file unless you give one. */
  readonly title: string | null
  /** The batch that it belongs to. */
  readonly batch_id: string
  readonly feed_url: string
  /** How many there are in all. */
  readonly total: number
  /** A whole number of at least 0. */
  readonly queued: number
  /** A whole number of at least 0. */
  readonly done: number
  /** A whole number of at least 0. */
  readonly failed: number
  /** A whole number of at least 0. */
  readonly waiting_for_credits: number
  /** How far it is, from 0 to 1. */
  readonly progress: number
  /** How many minutes were charged; 0 for what failed, was cached, or has captions. */
  readonly billed_minutes: number
  /** When it was made. */
  readonly created_at: string
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly canceled_at: string | null
}

export interface WebhookEndpointList {
  readonly data: ReadonlyArray<WebhookEndpoint>
  /** Whether there is a next page. */
  readonly has_more: boolean
  /** What `cursor` of the next page is; null on the last one. */
  readonly next_cursor: string | null
}

export interface WebhookEndpoint {
  readonly description: string | null
  /** An id that begins with we_. */
  readonly id: string
  /** Where deliveries are sent. */
  readonly url: string
  /** Which events are sent; all when left out. */
  readonly events: ReadonlyArray<"transcription.completed" | "transcription.failed">
  /** Whether events are sent. */
  readonly enabled: boolean
  /** Why nothing is sent: `manual`, `failing` for days, or `gone` (410). */
  readonly disabled_reason: "manual" | "failing" | "gone" | null
  /** When it was made. */
  readonly created_at: string
  /** Until when deliveries are signed with the secret before as well; null when they are not. */
  readonly previous_secret_valid_until: string | null
}

export interface WebhookDeliveryList {
  readonly data: ReadonlyArray<WebhookDelivery>
  /** Whether there is a next page. */
  readonly has_more: boolean
  /** What `cursor` of the next page is; null on the last one. */
  readonly next_cursor: string | null
}

export interface WebhookDelivery {
  /** An id that begins with dlv_. */
  readonly id: string
  /** An id that begins with we_. */
  readonly endpoint_id: string
  /** The same in every attempt: keep it, to do nothing twice. */
  readonly event_id: string
  readonly event_type: "transcription.completed" | "transcription.failed" | "webhook.test"
  readonly state: "pending" | "delivering" | "succeeded" | "failed" | "canceled"
  /** How often it was tried. */
  readonly attempts: number
  /** When it is tried again. */
  readonly next_at: string | null
  /** What the endpoint answered last; null when it did not. */
  readonly last_status: number | null
  /** When it was made. */
  readonly created_at: string
}

export interface LedgerEntryList {
  readonly data: ReadonlyArray<LedgerEntry>
  /** Whether there is a next page. */
  readonly has_more: boolean
  /** What `cursor` of the next page is; null on the last one. */
  readonly next_cursor: string | null
}

export interface LedgerEntry {
  /** An id that begins with le_. */
  readonly id: string
  readonly kind: "signup" | "purchase" | "reload" | "settlement" | "refund" | "adjustment"
  readonly amount: number
  /** An id that begins with tr_. */
  readonly transcription_id: string | null
  /** When it was made. */
  readonly created_at: string
}

export interface PurchaseList {
  readonly data: ReadonlyArray<Purchase>
  /** Whether there is a next page. */
  readonly has_more: boolean
  /** What `cursor` of the next page is; null on the last one. */
  readonly next_cursor: string | null
}

export interface ApiKeyList {
  readonly data: ReadonlyArray<ApiKey>
  /** Whether there is a next page. */
  readonly has_more: boolean
  /** What `cursor` of the next page is; null on the last one. */
  readonly next_cursor: string | null
}

export interface ApiKey {
  /** An id that begins with key_. */
  readonly id: string
  readonly name: string | null
  /** How the key begins. */
  readonly prefix: string
  /** How the key ends. */
  readonly last4: string
  /** What the key may do. */
  readonly scopes: ReadonlyArray<"transcriptions:read" | "transcriptions:write" | "webhooks" | "billing:read" | "billing:write" | "keys">
  /** When the key ends; null when it does not. */
  readonly expires_at: string | null
  /** When the key was last used. */
  readonly last_used_at: string | null
  /** When it was made. */
  readonly created_at: string
  /** When the key was revoked. */
  readonly revoked_at: string | null
  /** How many credits the jobs of this key may use in a calendar month (UTC). Null: no limit. */
  readonly monthly_credits: number | null
  /** The credits that the key has used since the month began: what its jobs hold, and what they were charged. */
  readonly monthly_credits_used: number
}

export interface GrantList {
  readonly data: ReadonlyArray<Grant>
  /** Whether there is a next page. */
  readonly has_more: boolean
  /** What `cursor` of the next page is; null on the last one. */
  readonly next_cursor: string | null
}

export interface Grant {
  readonly id: string
  readonly client: string
  /** What the app calls itself, unproven. */
  readonly name: string | null
  /** What the app may do. */
  readonly scopes: ReadonlyArray<string>
  readonly granted_at: string
  /** When it ends to be there; null when it stays. */
  readonly expires_at: string | null
}

export interface Account {
  /** The account. */
  readonly id: string
  /** What it is called. */
  readonly name: string | null
  /** What this key or session may do. */
  readonly scopes: ReadonlyArray<"transcriptions:read" | "transcriptions:write" | "webhooks" | "billing:read" | "billing:write" | "keys">
  /** Whether jobs are scripted and cost nothing. */
  readonly is_test: boolean
  /** `account`; `operator` for who may operate the server, `library` where a command shows the transcripts of a machine. */
  readonly role: "account" | "operator" | "library"
  /** How far the account may go. Null: no limit. */
  readonly limits: {
    /** A whole number of at least 0. */
    readonly max_media_minutes: number | null
    /** A whole number of at least 0. */
    readonly max_upload_bytes: number | null
    /** A whole number of at least 0. */
    readonly max_waiting_jobs: number | null
  }
  /** What can be had here: `translation` is false where no translator is set up, `auto_reload` where every purchase needs a person. */
  readonly features: {
    readonly translation: boolean
    readonly auto_reload: boolean
  }
  /** When the person signed in, and the id of the session; null for a key. */
  readonly sign_in: {
    /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
    readonly at: string
    readonly session: string
  } | null
}

/** The result is there. */
export interface DoneAcknowledgement {
  /** An id that begins with tr_. */
  readonly id: string
  /** `done`: the text is there. */
  readonly status: "done"
  /** The path of the job. */
  readonly url: string
  /** Whether the result of an earlier transcription was used. */
  readonly cached?: boolean | undefined
}

/** The job is queued. */
export interface QueuedAcknowledgement {
  /** An id that begins with tr_. */
  readonly id: string
  /** `queued`: read the job until it is `done` or `failed`. */
  readonly status: "queued"
  /** The path of the job. */
  readonly url: string
  /** Whether the result of an earlier transcription was used. */
  readonly cached?: boolean | undefined
}

export interface CreateTranscription {
  /** A name for people. That of the episode or the file unless you give one. */
  readonly title?: string | null | undefined
  /** The address of the media, a podcast feed, an Apple podcast link, or a social link. */
  readonly url?: string | null | undefined
  /** What an upload was given; good for its own account, 24 hours long. */
  readonly media_ref?: string | null | undefined
  /** The public address of a file of media. */
  readonly blob_url?: string | null | undefined
  /** The guid of the episode that is meant; the latest when neither this nor `episode_index` is given. */
  readonly episode_guid?: string | null | undefined
  /** The place of the episode that is meant: 0 is the newest. */
  readonly episode_index?: number | null | undefined
  /** What is said in it, as plain text or captions: each word gets its time, and no speech is recognized. Without `quality` and `vocabulary`. */
  readonly transcript_text?: string | null | undefined
  /** The ISO code of what is spoken; recognised when left out. */
  readonly language?: string | null | undefined
  /** Tell speakers apart. Long media then costs three times as much. */
  readonly diarize?: boolean | null | undefined
  /** Write a summary. */
  readonly summary?: boolean | null | undefined
  /** Make chapters. */
  readonly chapters?: boolean | null | undefined
  /** The ISO code of a language to translate into. */
  readonly translate_to?: string | null | undefined
  /** `accurate` unless told otherwise. A request that names `accurate` never takes published captions. */
  readonly quality?: "fast" | "accurate" | null | undefined
  /** How many people speak, as far as you know. Only with `diarize`. */
  readonly speakers?: {
    /** A whole number from 1 to 32. */
    readonly min?: number | null | undefined
    /** A whole number from 1 to 32. */
    readonly max?: number | null | undefined
  } | null | undefined
  /** Names and words that are likely to be spoken: at most 200. */
  readonly vocabulary?: ReadonlyArray<string> | null | undefined
  /** Where to begin, in seconds. */
  readonly start_at?: number | null | undefined
  /** Where to end, in seconds. */
  readonly end_at?: number | null | undefined
  /** Values of yours, kept and given back untouched: at most 16 kB of JSON. */
  readonly metadata?: { readonly [name: string]: unknown } | null | undefined
  /** How long after its end the text and the media are deleted. Reading it answers 410 from then on; lists still name it. */
  readonly delete_after_seconds?: number | null | undefined
}

export type Transcription = QueuedTranscription | FailedTranscription | DoneTranscription

export interface QueuedTranscription {
  /** A name for people. That of the episode or the file unless you give one. */
  readonly title: string | null
  /** An id that begins with tr_. */
  readonly id: string
  readonly source: Source
  /** The source as one text: its address, or the `media_ref` of an upload. */
  readonly source_label?: string | undefined
  readonly options: Options
  /** The ISO code of what is spoken; recognised when left out. */
  readonly language: string | null
  /** The language that was recognised. */
  readonly detected_language?: {
    readonly code: string
    readonly confidence: number
  } | undefined
  /** How long the media is. */
  readonly duration_seconds: number | null
  /** How many words there are. */
  readonly word_count: number | null
  /** How many minutes were charged; 0 for what failed, was cached, or has captions. */
  readonly billed_minutes: number | null
  /** Whether the result of an earlier transcription was used. */
  readonly cached: boolean
  /** How the text came about. */
  readonly origin: "engine" | "captions" | "cache" | null
  /** What recognised the speech; `aligner` where the request brought the text. */
  readonly engine: string | null
  /** Where the times of the words come from: the `engine`, the sound of the words (`aligned`), or the lengths of words and sounds (`estimated`: more than 5 % of the words could not be found in the sound). `null` for captions, and for transcripts from before this was kept. */
  readonly word_timing?: "engine" | "aligned" | "estimated" | null | undefined
  /** Values of yours, kept and given back untouched: at most 16 kB of JSON. */
  readonly metadata: { readonly [name: string]: unknown } | null
  /** The batch that it belongs to. */
  readonly batch_id: string | null
  /** When it was made. */
  readonly created_at: string
  /** When work on it began. */
  readonly started_at: string | null
  /** When it ends to be there; null when it stays. */
  readonly expires_at: string | null
  /** When it was published. */
  readonly published_at?: string | null | undefined
  readonly enrichment: Enrichment
  /** What speaks for and against the text being whole, measured and not guessed. */
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
    readonly doubts?: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      readonly reason: "misfit" | "looping" | "impossible_rate"
    }> | undefined
    readonly low_confidence: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      /** A number between 0 and 1. */
      readonly confidence: number
    }>
    readonly flags: ReadonlyArray<"low_coverage" | "text_in_silence" | "impossible_rate" | "time_disorder" | "ends_early" | "interpolated_words" | "looping" | "language_switch" | "text_doubtful" | "no_audio">
  } | null
  /** What was asked for and could not be honoured. */
  readonly warnings: ReadonlyArray<Warning>
  /** `queued` until it is `done` or `failed`. */
  readonly status: "queued"
  /** What is being done; null when it has ended. */
  readonly phase: "waiting" | "waiting_for_credits" | "fetching" | "decoding" | "transcribing" | "diarizing" | "enriching" | "finalizing"
  /** How far it is, from 0 to 1. */
  readonly progress: number
  /** When it ended. */
  readonly completed_at: null
  /** Why it failed, in a sentence. */
  readonly error: null
  /** Why it failed, for programs. */
  readonly failure: null
}

export interface Source {
  readonly kind: "media" | "episode" | "social" | "upload" | "blob"
  /** Where the media is. */
  readonly url?: string | undefined
  /** What an upload was given; good for its own account, 24 hours long. */
  readonly media_ref?: string | undefined
  readonly feed_url?: string | undefined
  /** The guid of the episode that is meant; the latest when neither this nor `episode_index` is given. */
  readonly episode_guid?: string | undefined
  /** When it was published. */
  readonly published_at?: string | undefined
}

export interface Options {
  /** The ISO code that was asked for; null where it was to be recognised. */
  readonly language: string | null
  /** Whether speakers were to be told apart. */
  readonly diarize: boolean
  /** Whether a summary was asked for. */
  readonly summary: boolean
  /** Whether chapters were asked for. */
  readonly chapters: boolean
  /** The language that was asked for. */
  readonly translate_to: string | null
  /** `accurate` unless told otherwise. A request that names `accurate` never takes published captions. */
  readonly quality: "fast" | "accurate"
  /** How many people speak, as far as was known. */
  readonly speakers: {
    /** A whole number from 1 to 32. */
    readonly min?: number | null | undefined
    /** A whole number from 1 to 32. */
    readonly max?: number | null | undefined
  } | null
  /** Names and words that are likely to be spoken: at most 200. */
  readonly vocabulary: ReadonlyArray<string>
  /** Where to begin, in seconds. */
  readonly start_at: number | null
  /** Where to end, in seconds. */
  readonly end_at: number | null
}

export interface Enrichment {
  /** How the summary fares. */
  readonly summary?: {
    readonly status: "pending" | "done" | "failed"
    readonly error?: string | undefined
    readonly stale?: true | undefined
    /** A whole number of at least 0. */
    readonly revision?: number | undefined
  } | undefined
  /** How the chapters fare. */
  readonly chapters?: {
    readonly status: "pending" | "done" | "failed"
    readonly error?: string | undefined
    readonly stale?: true | undefined
    /** A whole number of at least 0. */
    readonly revision?: number | undefined
  } | undefined
  /** How the translation fares that is shown. */
  readonly translation?: {
    readonly status: "pending" | "done" | "failed"
    readonly error?: string | undefined
    readonly stale?: true | undefined
    /** A whole number of at least 0. */
    readonly revision?: number | undefined
  } | undefined
  /** How every translation fares, by its language. */
  readonly translations?: { readonly [name: string]: {
    readonly status: "pending" | "done" | "failed"
    readonly error?: string | undefined
    readonly stale?: true | undefined
    /** A whole number of at least 0. */
    readonly revision?: number | undefined
  } } | undefined
}

export interface Warning {
  readonly code: "vocabulary_ignored" | "vocabulary_truncated" | "language_guessed" | "no_word_times" | "no_confidence" | "quality_ignored" | "draft_quality" | "media_truncated" | "media_damaged" | "channels_cancel" | "channels_alike" | "narrowband" | "vad_energy" | "speech_lost" | "text_doubtful" | "parts_doubtful" | "captions_incomplete" | "diarization_failed" | "clip_capped" | "translation_incomplete" | "word_times_estimated"
  readonly detail: string
}

export interface FailedTranscription {
  /** A name for people. That of the episode or the file unless you give one. */
  readonly title: string | null
  /** An id that begins with tr_. */
  readonly id: string
  readonly source: Source
  /** The source as one text: its address, or the `media_ref` of an upload. */
  readonly source_label?: string | undefined
  readonly options: Options
  /** The ISO code of what is spoken; recognised when left out. */
  readonly language: string | null
  /** The language that was recognised. */
  readonly detected_language?: {
    readonly code: string
    readonly confidence: number
  } | undefined
  /** How long the media is. */
  readonly duration_seconds: number | null
  /** How many words there are. */
  readonly word_count: number | null
  /** How many minutes were charged; 0 for what failed, was cached, or has captions. */
  readonly billed_minutes: number | null
  /** Whether the result of an earlier transcription was used. */
  readonly cached: boolean
  /** How the text came about. */
  readonly origin: "engine" | "captions" | "cache" | null
  /** What recognised the speech; `aligner` where the request brought the text. */
  readonly engine: string | null
  /** Where the times of the words come from: the `engine`, the sound of the words (`aligned`), or the lengths of words and sounds (`estimated`: more than 5 % of the words could not be found in the sound). `null` for captions, and for transcripts from before this was kept. */
  readonly word_timing?: "engine" | "aligned" | "estimated" | null | undefined
  /** Values of yours, kept and given back untouched: at most 16 kB of JSON. */
  readonly metadata: { readonly [name: string]: unknown } | null
  /** The batch that it belongs to. */
  readonly batch_id: string | null
  /** When it was made. */
  readonly created_at: string
  /** When work on it began. */
  readonly started_at: string | null
  /** When it ends to be there; null when it stays. */
  readonly expires_at: string | null
  /** When it was published. */
  readonly published_at?: string | null | undefined
  readonly enrichment: Enrichment
  /** What speaks for and against the text being whole, measured and not guessed. */
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
    readonly doubts?: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      readonly reason: "misfit" | "looping" | "impossible_rate"
    }> | undefined
    readonly low_confidence: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      /** A number between 0 and 1. */
      readonly confidence: number
    }>
    readonly flags: ReadonlyArray<"low_coverage" | "text_in_silence" | "impossible_rate" | "time_disorder" | "ends_early" | "interpolated_words" | "looping" | "language_switch" | "text_doubtful" | "no_audio">
  } | null
  /** What was asked for and could not be honoured. */
  readonly warnings: ReadonlyArray<Warning>
  /** `queued` until it is `done` or `failed`. */
  readonly status: "failed"
  /** What is being done; null when it has ended. */
  readonly phase: null
  /** How far it is, from 0 to 1. */
  readonly progress: number
  /** When it ended. */
  readonly completed_at: string
  /** Why it failed, in a sentence. */
  readonly error: string
  readonly failure: Failure
}

export interface Failure {
  readonly code: "source_unresolvable" | "source_forbidden" | "source_not_found" | "source_blocked" | "download_failed" | "download_timeout" | "unsupported_media" | "empty_media" | "no_speech" | "media_too_long" | "media_too_large" | "feed_invalid" | "episode_not_found" | "upload_missing" | "language_unsupported" | "insufficient_credits" | "engine_error" | "engine_timeout" | "engine_unavailable" | "internal_error" | "canceled" | "expired"
  readonly stage: "waiting" | "waiting_for_credits" | "fetching" | "decoding" | "transcribing" | "diarizing" | "enriching" | "finalizing"
  readonly retryable: boolean
  /** How often it was tried. */
  readonly attempts: number
}

export interface DoneTranscription {
  /** A name for people. That of the episode or the file unless you give one. */
  readonly title: string | null
  /** An id that begins with tr_. */
  readonly id: string
  readonly source: Source
  /** The source as one text: its address, or the `media_ref` of an upload. */
  readonly source_label?: string | undefined
  readonly options: Options
  /** The ISO code of what is spoken; recognised when left out. */
  readonly language: string | null
  /** The language that was recognised. */
  readonly detected_language?: {
    readonly code: string
    readonly confidence: number
  } | undefined
  /** How long the media is. */
  readonly duration_seconds: number
  /** How many words there are. */
  readonly word_count: number
  /** How many minutes were charged; 0 for what failed, was cached, or has captions. */
  readonly billed_minutes: number
  /** Whether the result of an earlier transcription was used. */
  readonly cached: boolean
  /** How the text came about. */
  readonly origin: "engine" | "captions" | "cache"
  /** What recognised the speech; `aligner` where the request brought the text. */
  readonly engine: string | null
  /** Where the times of the words come from: the `engine`, the sound of the words (`aligned`), or the lengths of words and sounds (`estimated`: more than 5 % of the words could not be found in the sound). `null` for captions, and for transcripts from before this was kept. */
  readonly word_timing?: "engine" | "aligned" | "estimated" | null | undefined
  /** Values of yours, kept and given back untouched: at most 16 kB of JSON. */
  readonly metadata: { readonly [name: string]: unknown } | null
  /** The batch that it belongs to. */
  readonly batch_id: string | null
  /** When it was made. */
  readonly created_at: string
  /** When work on it began. */
  readonly started_at: string | null
  /** When it ends to be there; null when it stays. */
  readonly expires_at: string | null
  /** When it was published. */
  readonly published_at?: string | null | undefined
  readonly enrichment: Enrichment
  /** What speaks for and against the text being whole, measured and not guessed. */
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
    readonly doubts?: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      readonly reason: "misfit" | "looping" | "impossible_rate"
    }> | undefined
    readonly low_confidence: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      /** A number between 0 and 1. */
      readonly confidence: number
    }>
    readonly flags: ReadonlyArray<"low_coverage" | "text_in_silence" | "impossible_rate" | "time_disorder" | "ends_early" | "interpolated_words" | "looping" | "language_switch" | "text_doubtful" | "no_audio">
  } | null
  /** What was asked for and could not be honoured. */
  readonly warnings: ReadonlyArray<Warning>
  /** `queued` until it is `done` or `failed`. */
  readonly status: "done"
  /** What is being done; null when it has ended. */
  readonly phase: null
  /** How far it is, from 0 to 1. */
  readonly progress: 1
  /** When it ended. */
  readonly completed_at: string
  /** Why it failed, in a sentence. */
  readonly error: null
  /** Why it failed, for programs. */
  readonly failure: null
  /** How often the transcript was corrected; 0 as it was heard. */
  readonly revision?: number | undefined
  /** What was said. */
  readonly text: string
  /** Timed lines. */
  readonly segments: ReadonlyArray<Segment>
  /** What speakers are called, such as `{"Speaker 1": "Ann"}`: those who have a name, given with `PATCH` or by published captions. Segments have the labels. */
  readonly speakers: { readonly [name: string]: string }
  /** What was said, in a few sentences. */
  readonly summary?: string | undefined
  /** The chapters, where they were asked for. */
  readonly chapters?: ReadonlyArray<Chapter> | undefined
  readonly translation?: Translation | undefined
}

export interface Segment {
  /** Where it begins, in seconds. */
  readonly start: number
  /** Where it ends, in seconds. */
  readonly end: number
  /** `Speaker 1` and so on; null when it is not known who speaks. */
  readonly speaker: string | null
  /** What was said. */
  readonly text: string
  /** The words of the line, with `include=words`. */
  readonly words?: ReadonlyArray<Word> | undefined
  /** Present when a person changed the text, the speaker or the times of the line. */
  readonly edited?: true | undefined
}

export interface Word {
  /** Where it begins, in seconds. */
  readonly start: number
  /** Where it ends, in seconds. */
  readonly end: number
  /** What was said. */
  readonly text: string
  /** How sure the engine is, from 0 to 1; null when it does not say. */
  readonly confidence: number | null
  /** `Speaker 1` and so on; null when it is not known who speaks. */
  readonly speaker?: string | null | undefined
}

export interface Chapter {
  /** What the chapter is called. */
  readonly title: string
  /** Where it begins, in seconds. */
  readonly start: number
  /** Where it ends, in seconds. */
  readonly end: number
  /** What the chapter is about. */
  readonly summary?: string | undefined
}

export interface Translation {
  /** The ISO code of its language. */
  readonly language: string
  /** What was said. */
  readonly text: string
  /** Timed lines. */
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
  /** A name for people. That of the episode or the file unless you give one. */
  readonly title: string | null
  /** An id that begins with tr_. */
  readonly id: string
  readonly source: Source
  /** The source as one text: its address, or the `media_ref` of an upload. */
  readonly source_label?: string | undefined
  readonly options: Options
  /** The ISO code of what is spoken; recognised when left out. */
  readonly language: string | null
  /** The language that was recognised. */
  readonly detected_language?: {
    readonly code: string
    readonly confidence: number
  } | undefined
  /** How long the media is. */
  readonly duration_seconds: number
  /** How many words there are. */
  readonly word_count: number
  /** How many minutes were charged; 0 for what failed, was cached, or has captions. */
  readonly billed_minutes: number
  /** Whether the result of an earlier transcription was used. */
  readonly cached: boolean
  /** How the text came about. */
  readonly origin: "engine" | "captions" | "cache"
  /** What recognised the speech; `aligner` where the request brought the text. */
  readonly engine: string | null
  /** Where the times of the words come from: the `engine`, the sound of the words (`aligned`), or the lengths of words and sounds (`estimated`: more than 5 % of the words could not be found in the sound). `null` for captions, and for transcripts from before this was kept. */
  readonly word_timing?: "engine" | "aligned" | "estimated" | null | undefined
  /** Values of yours, kept and given back untouched: at most 16 kB of JSON. */
  readonly metadata: { readonly [name: string]: unknown } | null
  /** The batch that it belongs to. */
  readonly batch_id: string | null
  /** When it was made. */
  readonly created_at: string
  /** When work on it began. */
  readonly started_at: string | null
  /** When it ends to be there; null when it stays. */
  readonly expires_at: string | null
  /** When it was published. */
  readonly published_at?: string | null | undefined
  readonly enrichment: Enrichment
  /** What speaks for and against the text being whole, measured and not guessed. */
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
    readonly doubts?: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      readonly reason: "misfit" | "looping" | "impossible_rate"
    }> | undefined
    readonly low_confidence: ReadonlyArray<{
      /** Seconds from 0 to 10000000. */
      readonly start: number
      /** Seconds from 0 to 10000000. */
      readonly end: number
      /** A number between 0 and 1. */
      readonly confidence: number
    }>
    readonly flags: ReadonlyArray<"low_coverage" | "text_in_silence" | "impossible_rate" | "time_disorder" | "ends_early" | "interpolated_words" | "looping" | "language_switch" | "text_doubtful" | "no_audio">
  } | null
  /** What was asked for and could not be honoured. */
  readonly warnings: ReadonlyArray<Warning>
  /** `queued` until it is `done` or `failed`. */
  readonly status: "done"
  /** What is being done; null when it has ended. */
  readonly phase: null
  /** How far it is, from 0 to 1. */
  readonly progress: 1
  /** When it ended. */
  readonly completed_at: string
  /** Why it failed, in a sentence. */
  readonly error: null
  /** Why it failed, for programs. */
  readonly failure: null
  /** How often the transcript was corrected; 0 as it was heard. */
  readonly revision?: number | undefined
}

export interface PatchTranscription {
  /** A name for people. That of the episode or the file unless you give one. */
  readonly title?: string | null | undefined
  /** Values of yours, kept and given back untouched: at most 16 kB of JSON. */
  readonly metadata?: { readonly [name: string]: unknown } | null | undefined
  /** New names, such as `{"Speaker 1": "Ann"}`, which exports and searches show; null gives a speaker the label back. At most 100 speakers have names. */
  readonly speakers?: { readonly [name: string]: string | null } | null | undefined
}

export type TranscriptionUpdate = {
  readonly event: "progress"
  readonly data: {
    readonly phase: "waiting" | "waiting_for_credits" | "fetching" | "decoding" | "transcribing" | "diarizing" | "enriching" | "finalizing"
    /** A number between 0 and 1. */
    readonly progress: number
  }
} | {
  readonly event: "segment"
  readonly data: {
    /** A whole number of at least 0. */
    readonly index: number
    /** Seconds from 0 to 10000000. */
    readonly start: number
    /** Seconds from 0 to 10000000. */
    readonly end: number
    readonly speaker: string | null
    readonly text: string
    readonly words?: ReadonlyArray<Word> | undefined
    readonly edited?: true | undefined
  }
} | {
  readonly event: "done" | "failed"
  readonly data: {
    /** An id that begins with tr_. */
    readonly id: string
    readonly status: "done" | "failed"
    readonly url: string
    readonly failure: {
      readonly code: "source_unresolvable" | "source_forbidden" | "source_not_found" | "source_blocked" | "download_failed" | "download_timeout" | "unsupported_media" | "empty_media" | "no_speech" | "media_too_long" | "media_too_large" | "feed_invalid" | "episode_not_found" | "upload_missing" | "language_unsupported" | "insufficient_credits" | "engine_error" | "engine_timeout" | "engine_unavailable" | "internal_error" | "canceled" | "expired"
    } | null
  }
}

export interface ExportLink {
  /** An address that downloads the file without a key, for a limited time. */
  readonly url: string
  /** When the address ends. */
  readonly expires_at: string
}

export interface ExportRequest {
  /** Which kind of file. */
  readonly format: "srt" | "vtt" | "txt" | "md" | "json" | "podcast_json" | "chapters" | "csv" | "tsv" | "html" | "docx"
  /** With times for single words. */
  readonly word_level?: boolean | null | undefined
  /** The ISO code of the transcript or of its translation. */
  readonly language?: string | null | undefined
  /** Whether the file names speakers. */
  readonly speakers?: boolean | null | undefined
  /** How captions are cut. */
  readonly profile?: "standard" | "podcast" | "netflix" | null | undefined
  /** How wide a line may be. */
  readonly max_chars_per_line?: number | null | undefined
  /** How many lines a caption may have. */
  readonly max_lines?: number | null | undefined
  /** The revision to export; the newest when left out. */
  readonly revision?: number | null | undefined
}

export interface EditTranscription {
  /** The `revision` of the transcript that the changes were made on. */
  readonly base_revision: number
  /** At most 1000 operations; send the others as the next revision. */
  readonly operations: ReadonlyArray<{
    readonly type: "text"
    /** A whole number of at least 0. */
    readonly line: number
    /** A text of 1 to 10000 characters. */
    readonly text: string
  } | {
    readonly type: "split"
    /** A whole number of at least 0. */
    readonly line: number
    /** A whole number of at least 0. */
    readonly at: number
  } | {
    readonly type: "merge"
    /** A whole number of at least 0. */
    readonly line: number
  } | {
    readonly type: "remove"
    /** A whole number of at least 0. */
    readonly line: number
  } | {
    readonly type: "speaker"
    /** A whole number of at least 0. */
    readonly line: number
    /** A text of 1 to 100 characters. */
    readonly speaker: string | null
  } | {
    readonly type: "rename_speaker"
    /** A text of 1 to 100 characters. */
    readonly from: string
    /** A text of 1 to 100 characters. */
    readonly to: string
  } | {
    readonly type: "merge_speakers"
    /** A text of 1 to 100 characters. */
    readonly from: string
    /** A text of 1 to 100 characters. */
    readonly into: string
  } | {
    readonly type: "times"
    /** A whole number of at least 0. */
    readonly line: number
    /** Seconds from 0 to 10000000. */
    readonly start: number
    /** Seconds from 0 to 10000000. */
    readonly end: number
  }>
}

export interface TranscriptExtras {
  readonly enrichment: Enrichment
}

export interface AskForExtras {
  /** Whether a summary is wanted. */
  readonly summary?: boolean | null | undefined
  /** Whether chapters are wanted. */
  readonly chapters?: boolean | null | undefined
  /** The ISO code of the language of a translation. */
  readonly translate_to?: string | null | undefined
}

export interface AskTranscription {
  /** What you want to know, in any words. */
  readonly question: string
}

export interface AskTranscriptions {
  /** What you want to know, in any words. */
  readonly question: string
  /** 1 to 32 ids of transcriptions. */
  readonly ids?: ReadonlyArray<string> | null | undefined
  /** What is done of this batch. */
  readonly batch_id?: string | null | undefined
  /** Everything that is done. */
  readonly all?: true | null | undefined
}

export interface EpisodeList {
  /** What the show is called. */
  readonly title?: string | null | undefined
  /** How many there are in all. */
  readonly total: number
  /** How many are on this page. */
  readonly returned: number
  readonly data: ReadonlyArray<Episode>
  /** What `cursor` of the next page is; null on the last one. */
  readonly next_cursor: string | null
}

export interface Episode {
  /** What the feed calls the episode. */
  readonly title: string | null
  /** What the feed calls the episode; its audio address where it has no guid. */
  readonly guid: string
  /** When it was published. */
  readonly published_at: string | null
  /** How long the media is. */
  readonly duration_seconds: number | null
  /** Where the media of the episode is. */
  readonly audio_url: string
  /** Its place in the feed: 0 is the newest. */
  readonly index: number
  readonly link: string | null
  readonly image: string | null
  readonly transcripts: ReadonlyArray<PublishedTranscript>
}

export interface PublishedTranscript {
  /** Where the transcript is. */
  readonly url: string
  readonly type: string | null
  /** The ISO code of its language. */
  readonly language: string | null
}

export interface Batch {
  /** The batch that it belongs to. */
  readonly batch_id: string
  /** How many there are in all. */
  readonly total: number
  readonly transcriptions: ReadonlyArray<{
    readonly title: string
    /** An id that begins with tr_. */
    readonly id: string
    readonly guid: string
    readonly url: string
  }>
  /** Episodes that cannot become a transcription, and why. */
  readonly skipped: ReadonlyArray<{
    readonly title: string | null
    readonly guid: string
    readonly reason: "no_media" | "duplicate" | "too_long" | "blocked_address"
  }>
}

export interface TranscribeFeed {
  /** The address of a feed, an Apple podcast link, or the media_ref of a feed that was uploaded. */
  readonly feed: string
  /** `latest` (unless told otherwise), `all`, or how many of the newest. */
  readonly episodes?: "latest" | "all" | number | null | undefined
  /** Makes nothing when it would cost more than this. */
  readonly max_credits?: number | null | undefined
  /** The ISO code of what is spoken; recognised when left out. */
  readonly language?: string | null | undefined
  /** Tell speakers apart. Long media then costs three times as much. */
  readonly diarize?: boolean | null | undefined
  /** Write a summary. */
  readonly summary?: boolean | null | undefined
  /** Make chapters. */
  readonly chapters?: boolean | null | undefined
  /** The ISO code of a language to translate into. */
  readonly translate_to?: string | null | undefined
  /** `accurate` unless told otherwise. A request that names `accurate` never takes published captions. */
  readonly quality?: "fast" | "accurate" | null | undefined
  /** How many people speak, as far as you know. Only with `diarize`. */
  readonly speakers?: {
    /** A whole number from 1 to 32. */
    readonly min?: number | null | undefined
    /** A whole number from 1 to 32. */
    readonly max?: number | null | undefined
  } | null | undefined
  /** Names and words that are likely to be spoken: at most 200. */
  readonly vocabulary?: ReadonlyArray<string> | null | undefined
  /** Where to begin, in seconds. */
  readonly start_at?: number | null | undefined
  /** Where to end, in seconds. */
  readonly end_at?: number | null | undefined
  /** Values of yours, kept and given back untouched: at most 16 kB of JSON. */
  readonly metadata?: { readonly [name: string]: unknown } | null | undefined
  /** How long after its end the text and the media are deleted. Reading it answers 410 from then on; lists still name it. */
  readonly delete_after_seconds?: number | null | undefined
}

export interface BatchCanceled {
  /** The batch that it belongs to. */
  readonly batch_id: string
  /** A whole number of at least 0. */
  readonly canceled: number
  /** A whole number of at least 0. */
  readonly already_ended: number
}

export interface UploadHandshake {
  /** Where the bytes are sent with PUT, once, without a key. */
  readonly upload_url: string
  /** What an upload was given; good for its own account, 24 hours long. */
  readonly media_ref: string
  /** For how many seconds the address is good. */
  readonly expires_in: number
  /** A page where a person drops the file. */
  readonly upload_page: string
}

export interface UploadRequest {
  /** The name of the file, where it has one. Its transcriptions are called so, without the extension, unless you give a title. */
  readonly filename?: string | null | undefined
  /** `audio/*`, `video/*`, `application/ogg`, or that of a feed such as `application/rss+xml`; the PUT has to say the same. */
  readonly content_type: string
  /** The exact length; the PUT has to have it. */
  readonly bytes: number
}

export interface UploadParts {
  /** What an upload was given; good for its own account, 24 hours long. */
  readonly media_ref: string
  /** For how many seconds the address is good. */
  readonly expires_in: number
  /** The parts of the file, in order. All but the last have the same size. */
  readonly parts: ReadonlyArray<UploadPart>
}

export interface UploadPart {
  /** Its place in the file: 1 is the first. */
  readonly part_number: number
  /** The exact length; the PUT has to have it. */
  readonly bytes: number
  /** Whether its bytes have arrived. */
  readonly is_received: boolean
  /** Where the bytes are sent with PUT, once, without a key. */
  readonly upload_url: string
}

export interface UploadNamed {
  /** What an upload was given; good for its own account, 24 hours long. */
  readonly media_ref: string
}

export interface CompletedUpload {
  /** What an upload was given; good for its own account, 24 hours long. */
  readonly media_ref: string
}

export interface WebhookEndpointWithSecret {
  readonly description: string | null
  /** An id that begins with we_. */
  readonly id: string
  /** Where deliveries are sent. */
  readonly url: string
  /** Which events are sent; all when left out. */
  readonly events: ReadonlyArray<"transcription.completed" | "transcription.failed">
  /** Whether events are sent. */
  readonly enabled: boolean
  /** Why nothing is sent: `manual`, `failing` for days, or `gone` (410). */
  readonly disabled_reason: "manual" | "failing" | "gone" | null
  /** When it was made. */
  readonly created_at: string
  /** Until when deliveries are signed with the secret before as well; null when they are not. */
  readonly previous_secret_valid_until: string | null
  /** What deliveries are signed with. It is shown once. */
  readonly secret: string
}

export interface CreateWebhookEndpoint {
  /** A text of 0 to 500 characters. */
  readonly description?: string | null | undefined
  /** Where deliveries are to be sent. */
  readonly url: string
  /** A list of 1 to 10 event types. */
  readonly events?: ReadonlyArray<"transcription.completed" | "transcription.failed"> | null | undefined
}

export interface PatchWebhookEndpoint {
  /** A text of 0 to 500 characters. */
  readonly description?: string | null | undefined
  /** Where deliveries are to be sent. */
  readonly url?: string | null | undefined
  /** A list of 1 to 10 event types. */
  readonly events?: ReadonlyArray<"transcription.completed" | "transcription.failed"> | null | undefined
  /** Whether events are sent. */
  readonly enabled?: boolean | null | undefined
  /** Null ends the secrets before the current one at once; no other value is taken. */
  readonly previous_secret_valid_until?: null | undefined
}

export interface RotateSecret {
  /** How long the secret before stays good; 0 ends it at once. */
  readonly grace_seconds?: number | null | undefined
}

export interface WebhookTestDelivery {
  /** An id that begins with dlv_. */
  readonly id: string
  /** An id that begins with we_. */
  readonly endpoint_id: string
  /** The same in every attempt: keep it, to do nothing twice. */
  readonly event_id: string
  readonly event_type: "transcription.completed" | "transcription.failed" | "webhook.test"
  readonly state: "pending" | "delivering" | "succeeded" | "failed" | "canceled"
  /** How often it was tried. */
  readonly attempts: number
  /** When it is tried again. */
  readonly next_at: string | null
  /** What the endpoint answered last; null when it did not. */
  readonly last_status: number | null
  /** When it was made. */
  readonly created_at: string
  /** Whether the endpoint is sent other events, too. */
  readonly endpoint_enabled?: boolean | undefined
  /** What to know about it; only where there is something. */
  readonly note?: string | undefined
}

export interface WebhookDeliveryWithAttempts {
  /** An id that begins with dlv_. */
  readonly id: string
  /** An id that begins with we_. */
  readonly endpoint_id: string
  /** The same in every attempt: keep it, to do nothing twice. */
  readonly event_id: string
  readonly event_type: "transcription.completed" | "transcription.failed" | "webhook.test"
  readonly state: "pending" | "delivering" | "succeeded" | "failed" | "canceled"
  /** How often it was tried. */
  readonly attempts: number
  /** When it is tried again. */
  readonly next_at: string | null
  /** What the endpoint answered last; null when it did not. */
  readonly last_status: number | null
  /** When it was made. */
  readonly created_at: string
  readonly body: string
  readonly attempt_log: ReadonlyArray<DeliveryAttempt>
}

export interface DeliveryAttempt {
  /** A whole number of at least 1. */
  readonly number: number
  readonly trigger: "auto" | "manual" | "test"
  /** When work on it began. */
  readonly started_at: string
  /** A whole number of at least 0. */
  readonly duration_ms: number | null
  /** What the endpoint answered; null when it did not. */
  readonly status: number | null
  /** Why there was no answer. */
  readonly error: "timeout" | "dns" | "tls" | "refused" | "blocked_address" | "redirect" | "http_status" | "unknown" | null
  readonly request_headers: { readonly [name: string]: string }
  readonly response_headers: { readonly [name: string]: string } | null
  readonly response_body: string | null
}

export interface Credits {
  /** All credits, with those that running jobs hold. */
  readonly balance: number
  /** What running jobs hold. */
  readonly held: number
  /** What can be spent now. */
  readonly available: number
  /** How many minutes `available` buys at the normal rate. */
  readonly minutes?: number | undefined
  /** Whether anything was ever bought. */
  readonly is_paid: boolean
  /** Whether this server charges for transcriptions. When false, they cost no credits and every feature is unlocked. */
  readonly billing?: boolean | undefined
  readonly auto_reload: AutoReload
  /** What the account may do. */
  readonly features: {
    readonly diarize: boolean
    readonly whole_feed: boolean
    readonly word_level_export: boolean
  }
}

export interface AutoReload {
  /** Whether events are sent. */
  readonly enabled: boolean
  /** Credits are bought when fewer than this are available. */
  readonly threshold: number | null
  /** A whole number of at least 0. */
  readonly amount: number | null
  /** The most that is bought in a month. */
  readonly monthly_cap: number | null
}

export type PutAutoReload = {
  readonly enabled: false
  /** A whole number from 0 to 10000000. */
  readonly threshold?: number | null | undefined
  /** A whole number from 1 to 10000000. */
  readonly amount?: number | null | undefined
  /** A whole number from 1 to 10000000. */
  readonly monthly_cap?: number | null | undefined
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
  /** How many credits. */
  readonly credits: number
  /** What is paid for the credits, in the smallest unit of the currency, such as cents. Null where nothing here knows it: the operator confirms the purchase. */
  readonly price?: {
    /** A whole number of at least 0. */
    readonly amount: number
    /** A string matching the pattern ^[a-z]{3}$. */
    readonly currency: string
  } | null | undefined
  readonly state: "pending" | "processing" | "action_required" | "succeeded" | "failed" | "canceled"
  /** The page where the purchase is paid. Only in the answer to its creation; null later, and for purchases that are paid elsewhere. */
  readonly checkout_url: string | null
  /** When it was made. */
  readonly created_at: string
}

export interface CreatePurchase {
  /** How many credits. */
  readonly credits: number
}

export interface Quote {
  /** What the episode or the file is called; null when that is not known. */
  readonly title?: string | null | undefined
  readonly source?: Source | undefined
  /** The source as one text: its address, or the `media_ref` of an upload. */
  readonly source_label?: string | undefined
  /** How long the media is. */
  readonly duration_seconds?: number | null | undefined
  /** How many minutes. */
  readonly minutes: number | null
  /** How many credits. */
  readonly credits: number | null
  /** Credits for a minute. */
  readonly rate: 1 | 3 | null
  /** Whether the result of an earlier transcription was used. */
  readonly cached: boolean
  /** `latest` (unless told otherwise), `all`, or how many of the newest. */
  readonly episodes: number | null
  /** A whole number of at least 0. */
  readonly unknown_lengths: number | null
  /** What would be left. */
  readonly balance_after: number | null
  readonly locked?: "diarize" | "whole_feed" | "word_level_export" | undefined
  /** Why a length is missing, in a sentence: that of the recording, or those of some episodes of a feed. Only then. */
  readonly unknown_because?: string | undefined
}

export interface Usage {
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly from: string
  /** An RFC 3339 time such as 2026-01-31T08:00:00.000Z. */
  readonly to: string
  /** What each row is of. */
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
  /** How many there are in all. */
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
  /** How the key begins. */
  readonly prefix: string
  /** How the key ends. */
  readonly last4: string
  /** What the key may do. */
  readonly scopes: ReadonlyArray<"transcriptions:read" | "transcriptions:write" | "webhooks" | "billing:read" | "billing:write" | "keys">
  /** When the key ends; null when it does not. */
  readonly expires_at: string | null
  /** When the key was last used. */
  readonly last_used_at: string | null
  /** When it was made. */
  readonly created_at: string
  /** When the key was revoked. */
  readonly revoked_at: string | null
  /** How many credits the jobs of this key may use in a calendar month (UTC). Null: no limit. */
  readonly monthly_credits: number | null
  /** The credits that the key has used since the month began: what its jobs hold, and what they were charged. */
  readonly monthly_credits_used: number
  /** The key itself. It is shown once. */
  readonly key: string
}

export interface CreateApiKey {
  /** A text of 1 to 100 characters. */
  readonly name?: string | null | undefined
  /** A list of scopes, at least one. */
  readonly scopes?: ReadonlyArray<"transcriptions:read" | "transcriptions:write" | "webhooks" | "billing:read" | "billing:write" | "keys"> | null | undefined
  /** When the key is to end; never when left out. */
  readonly expires_at?: string | null | undefined
  /** How many credits the jobs of this key may use in a calendar month (UTC). Null: no limit. */
  readonly monthly_credits?: number | null | undefined
}

export interface SearchHit {
  /** A name for people. That of the episode or the file unless you give one. */
  readonly title: string | null
  /** An id that begins with tr_. */
  readonly id: string
  readonly source?: Source | undefined
  /** The source as one text: its address, or the `media_ref` of an upload. */
  readonly source_label?: string | undefined
  /** Where it begins, in seconds. */
  readonly start: number
  /** Where it ends, in seconds. */
  readonly end: number
  /** The name, or `Speaker 1` and so on; null when it is not known who speaks. */
  readonly speaker: string | null
  /** What was said. */
  readonly text: string
  /** When the first of the words is said, in seconds; estimated where words have no times. */
  readonly at: number
  /** Ranges of characters in `text`: from, and up to. */
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

export interface AnswerClaim {
  /** One sentence; without a language model, a passage word for word. */
  readonly text: string
  /** Words of transcripts, each compared with its transcript. */
  readonly citations: ReadonlyArray<Citation>
}

export interface Citation {
  /** The transcription that it is in. */
  readonly transcription_id: string
  /** The place of the line in `segments`, from 0. */
  readonly segment_id: number
  /** When the words begin, in seconds. */
  readonly start: number
  /** When the words end, in seconds. */
  readonly end: number
  /** Who says it: the name, or `Speaker 1` and so on; null when it is not known who speaks. */
  readonly speaker: string | null
  /** What is said, word for word. */
  readonly excerpt: string
}

export interface AnswerCoverage {
  /** How many finished transcripts the question was about. */
  readonly transcripts: number
  /** How many of them were read: those that fit the question best. */
  readonly transcripts_read: number
  /** How many lines those have. */
  readonly lines_read: number
  /** How many lines a language model was shown; 0 where the passages answer. */
  readonly lines_shown: number
  /** Claims that were left out, since no citation of theirs is in a transcript. */
  readonly dropped_claims: number
  /** Citations that were left out, since they are not in the transcript. */
  readonly dropped_citations: number
  /** Why the language model did not answer; null where it did, or there is none. */
  readonly note: string | null
  /** The titles of the transcriptions that are cited. */
  readonly cited: ReadonlyArray<{
    readonly title: string | null
    /** An id that begins with tr_. */
    readonly transcription_id: string
  }>
}

export interface TranscriptionCompletedEvent {
  readonly id: string
  readonly type: "transcription.completed"
  /** When it happened, in unix seconds. */
  readonly created: number
  readonly data: {
    readonly transcription: {
      /** An id that begins with tr_. */
      readonly id: string
      readonly status: "done"
      readonly url: string
      readonly failure?: {
        readonly code: "source_unresolvable" | "source_forbidden" | "source_not_found" | "source_blocked" | "download_failed" | "download_timeout" | "unsupported_media" | "empty_media" | "no_speech" | "media_too_long" | "media_too_large" | "feed_invalid" | "episode_not_found" | "upload_missing" | "language_unsupported" | "insufficient_credits" | "engine_error" | "engine_timeout" | "engine_unavailable" | "internal_error" | "canceled" | "expired"
      } | undefined
    }
  }
}

export interface TranscriptionFailedEvent {
  readonly id: string
  readonly type: "transcription.failed"
  /** When it happened, in unix seconds. */
  readonly created: number
  readonly data: {
    readonly transcription: {
      /** An id that begins with tr_. */
      readonly id: string
      readonly status: "failed"
      readonly url: string
      readonly failure?: {
        readonly code: "source_unresolvable" | "source_forbidden" | "source_not_found" | "source_blocked" | "download_failed" | "download_timeout" | "unsupported_media" | "empty_media" | "no_speech" | "media_too_long" | "media_too_large" | "feed_invalid" | "episode_not_found" | "upload_missing" | "language_unsupported" | "insufficient_credits" | "engine_error" | "engine_timeout" | "engine_unavailable" | "internal_error" | "canceled" | "expired"
      } | undefined
    }
  }
}

export interface WebhookTestEvent {
  readonly id: string
  readonly type: "webhook.test"
  /** When it happened, in unix seconds. */
  readonly created: number
  readonly data: {
    readonly webhook: {
      /** An id that begins with we_. */
      readonly id: string
    }
  }
}

export interface TranscriptionsListQuery {
  /** How many there may be on a page. */
  readonly limit?: number | undefined
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined
  /** Newest first (`desc`), unless told otherwise. */
  readonly order?: "desc" | "asc" | undefined
  /** Only those in this state. */
  readonly status?: "queued" | "done" | "failed" | undefined
  /** Only those in this phase. */
  readonly phase?: "waiting" | "waiting_for_credits" | "fetching" | "decoding" | "transcribing" | "diarizing" | "enriching" | "finalizing" | undefined
  /** The ISO code of a language: only what is in it, or the text or translation that is meant. */
  readonly language?: string | undefined
  /** Only those of this batch. */
  readonly batch_id?: string | undefined
  /** The address of a feed, an Apple podcast link, or the media_ref of a feed that was uploaded. */
  readonly feed?: string | undefined
  /** Only what was made after this time. */
  readonly created_after?: string | undefined
  /** Only what was made before this time. */
  readonly created_before?: string | undefined
  /** The words to look for; every one has to be there. */
  readonly q?: string | undefined
  /** Values of metadata that a job must have: `metadata[name]=value`. */
  readonly metadata?: { readonly [name: string]: string } | undefined
}

export interface TranscriptionsGetQuery {
  /** Holds the answer until the transcription ends, at most that many seconds. */
  readonly wait?: number | undefined
  /** `words`: with the times of single words. */
  readonly include?: "words" | undefined
  /** The transcript as it was at this revision; 0 is what was heard, and the newest is given when it is left out. */
  readonly revision?: number | undefined
  /** The ISO code of the translation to show; the first one when left out. */
  readonly translation?: string | undefined
}

export interface TranscriptionsExportQuery {
  /** Which kind of file. */
  readonly format: "srt" | "vtt" | "txt" | "md" | "json" | "podcast_json" | "chapters" | "csv" | "tsv" | "html" | "docx"
  /** With times for single words. */
  readonly word_level?: boolean | undefined
  /** The ISO code of a language: only what is in it, or the text or translation that is meant. */
  readonly language?: string | undefined
  /** Whether the file names speakers. */
  readonly speakers?: boolean | undefined
  /** How captions are cut. */
  readonly profile?: "standard" | "podcast" | "netflix" | undefined
  /** How wide a line may be. */
  readonly max_chars_per_line?: number | undefined
  /** How many lines a caption may have. */
  readonly max_lines?: number | undefined
  /** The transcript as it was at this revision; 0 is what was heard, and the newest is given when it is left out. */
  readonly revision?: number | undefined
}

export interface TranscriptionsWaveformQuery {
  /** From here on. */
  readonly from?: number | undefined
  /** Up to here. */
  readonly to?: number | undefined
  /** How many points there shall be, 2000 unless told otherwise. */
  readonly points?: number | undefined
}

export interface TranscriptionsEditsQuery {
  /** How many there may be on a page. */
  readonly limit?: number | undefined
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined
}

export interface TranscriptionsSearchQuery {
  /** The words to look for; every one has to be there. */
  readonly q: string
  /** Only lines of this speaker: the name, or the label such as `Speaker 1`. */
  readonly speaker?: string | undefined
  /** How many lines before and after a hit are shown. */
  readonly context?: number | undefined
  /** How many there may be on a page. */
  readonly limit?: number | undefined
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined
  /** From here on. */
  readonly from?: number | undefined
  /** Up to here. */
  readonly to?: number | undefined
}

export interface TranscriptionsSearchAllQuery {
  /** The words to look for; every one has to be there. */
  readonly q: string
  /** Only lines of this speaker: the name, or the label such as `Speaker 1`. */
  readonly speaker?: string | undefined
  /** How many lines before and after a hit are shown. */
  readonly context?: number | undefined
  /** How many there may be on a page. */
  readonly limit?: number | undefined
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined
  /** The address of a feed, an Apple podcast link, or the media_ref of a feed that was uploaded. */
  readonly feed?: string | undefined
  /** Only what was made after this time. */
  readonly created_after?: string | undefined
  /** Only what was made before this time. */
  readonly created_before?: string | undefined
}

export interface TranscriptionsExportAllQuery {
  /** The ids of the transcriptions, with commas between them. */
  readonly ids?: string | undefined
  /** Only those of this batch. */
  readonly batch_id?: string | undefined
  /** Which kind of file. */
  readonly format: "srt" | "vtt" | "txt" | "md" | "json" | "podcast_json" | "chapters" | "csv" | "tsv" | "html" | "docx"
  /** With times for single words. */
  readonly word_level?: boolean | undefined
  /** The ISO code of a language: only what is in it, or the text or translation that is meant. */
  readonly language?: string | undefined
  /** Whether the file names speakers. */
  readonly speakers?: boolean | undefined
  /** How captions are cut. */
  readonly profile?: "standard" | "podcast" | "netflix" | undefined
  /** How wide a line may be. */
  readonly max_chars_per_line?: number | undefined
  /** How many lines a caption may have. */
  readonly max_lines?: number | undefined
}

export interface ExportsOpenQuery {
  /** Which kind of file. */
  readonly format: "srt" | "vtt" | "txt" | "md" | "json" | "podcast_json" | "chapters" | "csv" | "tsv" | "html" | "docx"
  /** With times for single words. */
  readonly word_level?: boolean | undefined
  /** The ISO code of a language: only what is in it, or the text or translation that is meant. */
  readonly language?: string | undefined
  /** Whether the file names speakers. */
  readonly speakers?: boolean | undefined
  /** How captions are cut. */
  readonly profile?: "standard" | "podcast" | "netflix" | undefined
  /** How wide a line may be. */
  readonly max_chars_per_line?: number | undefined
  /** How many lines a caption may have. */
  readonly max_lines?: number | undefined
  /** The transcript as it was at this revision; 0 is what was heard, and the newest is given when it is left out. */
  readonly revision?: number | undefined
  /** When the address ends, in unix seconds. */
  readonly expires: string
  /** What the address is signed with. */
  readonly signature: string
}

export interface ExportsMediaQuery {
  /** When the address ends, in unix seconds. */
  readonly expires: string
  /** What the address is signed with. */
  readonly signature: string
}

export interface PodcastsEpisodesQuery {
  /** The address of a feed, an Apple podcast link, or the media_ref of a feed that was uploaded. */
  readonly feed: string
  /** How many there may be on a page. */
  readonly limit?: number | undefined
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined
}

export interface PodcastsBatchesQuery {
  /** How many there may be on a page. */
  readonly limit?: number | undefined
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined
  /** Newest first (`desc`), unless told otherwise. */
  readonly order?: "desc" | "asc" | undefined
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
  /** How many there may be on a page. */
  readonly limit?: number | undefined
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined
  /** Newest first (`desc`), unless told otherwise. */
  readonly order?: "desc" | "asc" | undefined
}

export interface WebhooksDeliveriesQuery {
  /** How many there may be on a page. */
  readonly limit?: number | undefined
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined
  /** Newest first (`desc`), unless told otherwise. */
  readonly order?: "desc" | "asc" | undefined
  /** From here on. */
  readonly from?: string | undefined
  /** Up to here. */
  readonly to?: string | undefined
  /** Only those in this state. */
  readonly status?: "pending" | "delivering" | "succeeded" | "failed" | "canceled" | undefined
  /** Only deliveries of this event. */
  readonly event_type?: "transcription.completed" | "transcription.failed" | "webhook.test" | undefined
}

export interface CreditsEntriesQuery {
  /** How many there may be on a page. */
  readonly limit?: number | undefined
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined
  /** Newest first (`desc`), unless told otherwise. */
  readonly order?: "desc" | "asc" | undefined
  /** From here on. */
  readonly from?: string | undefined
  /** Up to here. */
  readonly to?: string | undefined
  /** Only entries of this kind. */
  readonly kind?: "signup" | "purchase" | "reload" | "settlement" | "refund" | "adjustment" | undefined
}

export interface CreditsPurchasesQuery {
  /** How many there may be on a page. */
  readonly limit?: number | undefined
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined
  /** Newest first (`desc`), unless told otherwise. */
  readonly order?: "desc" | "asc" | undefined
}

export interface CreditsUsageQuery {
  /** From here on. */
  readonly from?: string | undefined
  /** Up to here. */
  readonly to?: string | undefined
  /** What each row is of. */
  readonly group_by?: "day" | "month" | "key" | undefined
}

export interface KeysListQuery {
  /** How many there may be on a page. */
  readonly limit?: number | undefined
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined
  /** Newest first (`desc`), unless told otherwise. */
  readonly order?: "desc" | "asc" | undefined
}

export interface GrantsListQuery {
  /** How many there may be on a page. */
  readonly limit?: number | undefined
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined
  /** Newest first (`desc`), unless told otherwise. */
  readonly order?: "desc" | "asc" | undefined
}

/** What each operation takes and answers. */
export interface Operations {
  readonly "transcriptions.create": {
    readonly query: undefined
    readonly body: CreateTranscription
    readonly answer: DoneAcknowledgement | QueuedAcknowledgement
  }
  readonly "transcriptions.list": {
    readonly query: TranscriptionsListQuery
    readonly body: undefined
    readonly answer: TranscriptionList
  }
  readonly "transcriptions.counts": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: TranscriptionCounts
  }
  readonly "transcriptions.get": {
    readonly query: TranscriptionsGetQuery
    readonly body: undefined
    readonly answer: Transcription
  }
  readonly "transcriptions.update": {
    readonly query: undefined
    readonly body: PatchTranscription
    readonly answer: TranscriptionSummary
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
    readonly answer: TranscriptionSummary
  }
  readonly "transcriptions.retry": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: TranscriptionSummary
  }
  readonly "transcriptions.export": {
    readonly query: TranscriptionsExportQuery
    readonly body: undefined
    readonly answer: { readonly [name: string]: unknown }
  }
  readonly "transcriptions.exportLink": {
    readonly query: undefined
    readonly body: ExportRequest
    readonly answer: ExportLink
  }
  readonly "transcriptions.words": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: TranscriptWords
  }
  readonly "transcriptions.mediaLink": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: MediaLink
  }
  readonly "transcriptions.waveform": {
    readonly query: TranscriptionsWaveformQuery
    readonly body: undefined
    readonly answer: undefined
  }
  readonly "transcriptions.publish": {
    readonly query: undefined
    readonly body: {
      /** Each format once. */
      readonly formats?: ReadonlyArray<"vtt" | "srt" | "json" | "html" | "chapters"> | null | undefined
    }
    readonly answer: Publication
  }
  readonly "transcriptions.publication": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: Publication
  }
  readonly "transcriptions.unpublish": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  readonly "transcriptions.edit": {
    readonly query: undefined
    readonly body: EditTranscription
    readonly answer: EditedTranscription
  }
  readonly "transcriptions.edits": {
    readonly query: TranscriptionsEditsQuery
    readonly body: undefined
    readonly answer: EditRevisionList
  }
  readonly "transcriptions.undoEdit": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: EditedTranscription
  }
  readonly "transcriptions.extras": {
    readonly query: undefined
    readonly body: AskForExtras
    readonly answer: TranscriptExtras
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
  readonly "transcriptions.ask": {
    readonly query: undefined
    readonly body: AskTranscription
    readonly answer: Answer
  }
  readonly "transcriptions.askAll": {
    readonly query: undefined
    readonly body: AskTranscriptions
    readonly answer: Answer
  }
  readonly "transcriptions.eventsAll": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  readonly "transcriptions.exportAll": {
    readonly query: TranscriptionsExportAllQuery
    readonly body: undefined
    readonly answer: undefined
  }
  readonly "exports.open": {
    readonly query: ExportsOpenQuery
    readonly body: undefined
    readonly answer: { readonly [name: string]: unknown }
  }
  readonly "exports.media": {
    readonly query: ExportsMediaQuery
    readonly body: undefined
    readonly answer: undefined
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
  readonly "podcasts.batches": {
    readonly query: PodcastsBatchesQuery
    readonly body: undefined
    readonly answer: BatchList
  }
  readonly "podcasts.batch": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: BatchStatus
  }
  readonly "podcasts.retryBatch": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: {
      /** An id that begins with batch_. */
      readonly batch_id: string
      /** How many failed jobs are queued again. */
      readonly retried: number
      /** How many stay failed: they would fail again, are past their time, or credits were lacking. */
      readonly left: number
    }
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
  readonly "uploads.parts": {
    readonly query: undefined
    readonly body: UploadNamed
    readonly answer: UploadParts
  }
  readonly "uploads.complete": {
    readonly query: undefined
    readonly body: UploadNamed
    readonly answer: CompletedUpload
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
    readonly answer: WebhookTestDelivery
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
    readonly answer: WebhookDelivery
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
  readonly "credits.purchases": {
    readonly query: CreditsPurchasesQuery
    readonly body: undefined
    readonly answer: PurchaseList
  }
  readonly "credits.getPurchase": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: Purchase
  }
  readonly "credits.cancelPurchase": {
    readonly query: undefined
    readonly body: undefined
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
  readonly "credits.notice": {
    readonly query: undefined
    readonly body: string
    readonly answer: undefined
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
  readonly "keys.update": {
    readonly query: undefined
    readonly body: {
      /** A text of 1 to 100 characters. */
      readonly name?: string | null | undefined
      /** A whole number of at least 0. */
      readonly monthly_credits?: number | null | undefined
    }
    readonly answer: ApiKey
  }
  readonly "keys.revoke": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  readonly "grants.list": {
    readonly query: GrantsListQuery
    readonly body: undefined
    readonly answer: GrantList
  }
  readonly "grants.revoke": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: undefined
  }
  readonly "account.get": {
    readonly query: undefined
    readonly body: undefined
    readonly answer: Account
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
