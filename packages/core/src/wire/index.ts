export {
  Account,
  ApiKey,
  ApiKeyWithValue,
  CreateKey,
  GrantedApp,
  Identity,
  PatchKey,
  PlanLimits,
  Scope,
} from "./accounts.js"
export {
  AutoReload,
  CreatePurchase,
  Credits,
  EntriesQuery,
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
  PatchTranscription,
  transcriptionPath,
} from "./CreateTranscription.js"
export { decodeCreate, decodeRequest, RequestInvalid, requestInvalidOf } from "./decodeRequest.js"
export { Edited, EditRequest, EditRevision, EditsQuery, MOST_CHANGES } from "./edits.js"
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
export {
  ArchiveQuery,
  type ArchiveRequest,
  CaptionProfile,
  decodeArchiveQuery,
  ExportFormat,
  ExportLink,
  ExportQuery,
  ExportRequest,
  MOST_ARCHIVED,
} from "./exports.js"
export { ExtrasRequest, TranscriptExtras } from "./extras.js"
export { decodeListQuery, JobCounts, ListQuery, listOf, MOST_COUNTED, Order, PageQuery } from "./lists.js"
export { MEDIA_LINK_SECONDS, MediaLink } from "./media.js"
export {
  Batch,
  BatchCanceled,
  BatchRetried,
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
export { Publication, PublishedFormat, PublishRequest } from "./publications.js"
export { Answer, AskAllRequest, AskRequest, Citation, Claim, Coverage, MOST_ASKED } from "./questions.js"
export { decodeQuote, type QuoteRequest } from "./quotes.js"
export { ReadQuery } from "./reading.js"
export { SearchAllQuery, SearchAnswer, SearchHit, SearchQuery } from "./search.js"
export {
  AccountUpdate,
  CreditsChange,
  EndUpdate,
  JobChange,
  JobUpdate,
  ProgressUpdate,
  SegmentUpdate,
} from "./stream.js"
export {
  CompletedUpload,
  extensionOf,
  isFeedType,
  isSameMediaType,
  MediaRefUnknown,
  MediaType,
  makeMediaRef,
  parseMediaRef,
  partsOf,
  UNUSED_UPLOAD_SECONDS,
  UPLOAD_SECONDS,
  Upload,
  UploadHandshake,
  UploadNamed,
  UploadPart,
  UploadParts,
  UploadRequest,
  UploadState,
} from "./uploads.js"
export { WaveformQuery } from "./waveform.js"
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
export { TranscriptWords } from "./words.js"
