export { Account, ApiKey, ApiKeyWithValue, CreateKey, PlanLimits, Scope } from "./accounts.js"
export {
  AutoReload,
  CreatePurchase,
  Credits,
  EntryKind,
  Feature,
  LedgerEntry,
  OperatorEntry,
  OperatorPurchase,
  PaymentState,
  Purchase,
  PutAutoReload,
  Quote,
  Usage,
  UsageQuery,
} from "./billing.js"
export {
  Acknowledgement,
  acknowledge,
  CreateTranscription,
  Metadata,
  PatchTranscription,
  transcriptionPath,
} from "./CreateTranscription.js"
export {
  acceptsCaptions,
  type CaptionsFacts,
  type CaptionsOrigin,
  type CaptionsRefusal,
  captionsRefusals,
} from "./captionBacked.js"
export {
  type Admission,
  admit,
  afterOutcome,
  type Circuit,
  closedCircuit,
  isFailingForGood,
} from "./circuit.js"
export { Chapter, Enrichment, SpokenSegment, SpokenWord, Translation, WordTiming } from "./content.js"
export { decodeCreate, decodeRequest, RequestInvalid } from "./decodeRequest.js"
export {
  afterAttempt,
  DEFAULT_BACKOFF,
  isDeliveryOver,
  type NextStep,
  type Outcome,
  parseRetryAfter,
} from "./deliveries.js"
export {
  AccountNotFound,
  BatchNotFound,
  DeliveryNotFound,
  EndpointNotFound,
  JobAlreadyEnded,
  JobExpired,
  JobNotFound,
  JobNotRetryable,
  JobNotWaiting,
  JobWaitsForCredits,
  KeyNotFound,
  PurchaseNotFound,
} from "./errors.js"
export {
  CompletedEvent,
  type EndedJob,
  Event,
  EventType,
  endedEvent,
  eventBody,
  eventIdOf,
  FailedEvent,
  jobOfEvent,
  SubscribedEvent,
  TestEvent,
  testEvent,
} from "./events.js"
export { CaptionProfile, ExportFormat, ExportLink, ExportQuery, ExportRequest } from "./exports.js"
export { Failure, FailureCode, failureOf, failureSentence } from "./failures.js"
export {
  type Followed,
  type FollowPlace,
  firstPlace,
  followFinished,
  followSpans,
  formatPlace,
  fromFirstSpan,
  isSamePlan,
  parsePlace,
  spansAfter,
} from "./following.js"
export { DoubtReason, Integrity, IntegrityFlag } from "./Integrity.js"
export {
  AccountId,
  BatchId,
  DeliveryId,
  EndpointId,
  EntryId,
  ID_RANDOM_BYTES,
  type IdKind,
  IdMalformed,
  JobId,
  KeyId,
  makeId,
  PurchaseId,
  parseId,
  ReloadId,
  timeOfId,
} from "./ids.js"
export {
  DoneJob,
  DoneJobSummary,
  FailedJob,
  Job,
  JobSummary,
  Origin,
  QueuedJob,
  Source,
  SourceKind,
} from "./Job.js"
export {
  advance,
  creditsWaitIsOver,
  type Done,
  type Failed,
  type JobEvent,
  type JobState,
  type Queued,
  queuedAt,
  type TransitionRefused,
} from "./JobState.js"
export { decodeListQuery, ListQuery, listOf, Order, PageQuery } from "./lists.js"
export { mediaTypeOf } from "./mediaTypes.js"
export {
  effectiveOptions,
  Options,
  OptionsSnapshot,
  Quality,
  type RequestedOptions,
  SpeakerRange,
} from "./options.js"
export {
  Batch,
  BatchCanceled,
  BatchStatus,
  Episode,
  EpisodeChoice,
  EpisodeList,
  EpisodesQuery,
  isWholeFeed,
  LARGEST_BATCH,
  PublishedTranscript,
  SkipReason,
  TranscribeFeed,
} from "./podcasts.js"
export { PROBLEM_TITLES, Problem, ProblemCode, RequestProblem } from "./problems.js"
export { decodeQuote, type QuoteRequest } from "./quotes.js"
export { ReadQuery } from "./reading.js"
export { SearchAllQuery, SearchAnswer, SearchHit, SearchQuery } from "./search.js"
export { CREDITS_WAIT_SECONDS, JobStatus, Phase, WorkPhase } from "./states.js"
export { EndUpdate, JobUpdate, ProgressUpdate, SegmentUpdate } from "./stream.js"
export {
  extensionOf,
  isFeedType,
  isSameMediaType,
  MediaRefUnknown,
  MediaType,
  makeMediaRef,
  parseMediaRef,
  UNUSED_UPLOAD_SECONDS,
  UPLOAD_SECONDS,
  Upload,
  UploadHandshake,
  UploadRequest,
  UploadState,
} from "./uploads.js"
export { Warning, WarningCode, warningOf } from "./warnings.js"
export {
  Attempt,
  AttemptError,
  CreateEndpoint,
  DeliveriesQuery,
  Delivery,
  DeliveryState,
  DeliveryWithAttempts,
  DisabledReason,
  Endpoint,
  EndpointUrl,
  EndpointWithSecret,
  PatchEndpoint,
  RotateSecret,
  TestDelivery,
} from "./webhooks.js"
export { LanguageCode, Seconds, Timestamp } from "./wire.js"
