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
export {
  Chapter,
  Enrichment,
  type ExtraState,
  SpokenSegment,
  SpokenWord,
  Translation,
  WordTiming,
} from "./content.js"
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
  GrantNotFound,
  JobAlreadyEnded,
  JobExpired,
  JobNotFound,
  JobNotRetryable,
  JobNotWaiting,
  JobWaitsForCredits,
  KeyNotFound,
  PurchaseNotFound,
} from "./errors.js"
export { Failure, FailureCode, failureOf, failureSentence, isRetryable } from "./failures.js"
export { LanguageCode, Seconds, Timestamp } from "./fields.js"
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
  sourceLabel,
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
export { mediaTypeOf } from "./mediaTypes.js"
export { Metadata } from "./metadata.js"
export {
  effectiveOptions,
  Options,
  OptionsSnapshot,
  Quality,
  type RequestedOptions,
  requestedOptions,
  SpeakerRange,
} from "./options.js"
export { CREDITS_WAIT_SECONDS, JobStatus, Phase, WorkPhase } from "./states.js"
export { Warning, WarningCode, warningOf } from "./warnings.js"
