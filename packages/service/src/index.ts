export { Administration } from "./administration/Administration.js"
export {
  AdministrationCode,
  AdministrationRefused,
  refused,
} from "./administration/AdministrationRefused.js"
export { type Change, type Operation, operations } from "./administration/operations.js"
export * as Earmark from "./Earmark.js"
export type { EarmarkOptions, Stores, Surroundings } from "./earmarkLayer.js"
export * as FoundOnce from "./FoundOnce.js"
export * as PaymentsManual from "./manual/PaymentsManual.js"
export * as ObjectStoreMemory from "./memory/ObjectStoreMemory.js"
export * as RateLimiterMemory from "./memory/RateLimiterMemory.js"
export * as StoreMemory from "./memory/StoreMemory.js"
export { limiterLetThrough } from "./observing/metrics.js"
export { layerTelling } from "./observing/tellingJobs.js"
export { continueTrace, traced, tracingOn } from "./observing/traces.js"
export { type Asked, makeOperations, type Operations } from "./operations.js"
export { AccountLinks, type Identity } from "./ports/AccountLinks.js"
export { Accounts, ApiKeys, type Bearer, type NewKey } from "./ports/Accounts.js"
export { Answerer, type ShownLine } from "./ports/Answerer.js"
export {
  EditStore,
  type NewRevision,
  NothingToEdit,
  RevisionConflict,
  type StoredRevision,
} from "./ports/EditStore.js"
export {
  type ClaimedExtra,
  type ExtraLease,
  type ExtraName,
  type ExtraOutcome,
  ExtraStore,
  type ExtraValue,
  type MadeExtra,
} from "./ports/ExtraStore.js"
export { type FetchedAnswer, Fetcher, FetchFailed, type FetchRequest } from "./ports/Fetcher.js"
export { Figures, type StoreFigures } from "./ports/Figures.js"
export { Idempotency } from "./ports/Idempotency.js"
export { type EventListener, JobChanges, type JobRows } from "./ports/JobChanges.js"
export { type JobHeard, JobNews, type JobTold, makeJobNews } from "./ports/JobNews.js"
export {
  type AttemptFailure,
  type Claimed,
  type DeadEntry,
  JobQueue,
  type Lease,
  LeaseLost,
  type QueueStats,
  type Span,
} from "./ports/JobQueue.js"
export {
  type ChangedJobs,
  type FoundJob,
  type Guard,
  type Guarded,
  type GuardRefused,
  type Holding,
  type HoldingFilter,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  type JobFilter,
  type JobStep,
  JobStore,
  type NewBatch,
  type NewJob,
  type Page,
  type PageRequest,
  type Position,
  type SearchCandidate,
  type SearchFilter,
  type Standing,
  type StoredBatch,
  type TimeSpan,
  TooManyJobs,
  type Usage,
} from "./ports/JobStore.js"
export {
  type Credited,
  Ledger,
  type LedgerLine,
  RELOAD_TAKEN_SECONDS,
  type Reload,
  type ReloadSettings,
} from "./ports/Ledger.js"
export {
  GRANT,
  type NewOAuthRecord,
  type OAuthRecord,
  OAuthRecords,
  SERVER_KEYS,
} from "./ports/OAuthRecords.js"
export { isObjectKey } from "./ports/objectKey.js"
export {
  LOOK_AFTER_SECONDS,
  LOOKED_AFTER_DAYS,
  type Money,
  type Payer,
  type PaymentOrder,
  PaymentStore,
  type PurchaseFilter,
} from "./ports/PaymentStore.js"
export {
  type Charge,
  type CheckoutFacts,
  NoticeInvalid,
  type PaymentFacts,
  type PaymentNotice,
  PaymentRefused,
  type PaymentReturn,
  Payments,
  PaymentUnknown,
} from "./ports/Payments.js"
export { PublicationStore, type PublishedJob, type StoredPublication } from "./ports/PublicationStore.js"
export { RateLimiter } from "./ports/RateLimiter.js"
export { objectsOf, type RecordingPart, recordingRef } from "./ports/recordings.js"
export type {
  ChapterMark,
  Content,
  Finished,
  FoundSource,
  JobSource,
  SourceFacts,
  StoredJob,
} from "./ports/records.js"
export {
  type SignedIn,
  SignIn,
  type SignInAttempt,
  type SignInField,
  SignInRefused,
  type SignInStep,
} from "./ports/SignIn.js"
export {
  type CaptionOffer,
  type ResolvedFeed,
  type ResolvedSource,
  SourceRefused,
  type SourceRequest,
  SourceResolver,
} from "./ports/SourceResolver.js"
export {
  type AudioWindow,
  type CopyRule,
  Diarizer,
  type EmbeddedCaptions,
  type EngineAnswer,
  type EngineCapabilities,
  type EngineWord,
  LengthUnknown,
  type Listening,
  MachineTrouble,
  type Media,
  MediaDecoder,
  type Recognition,
  type Recording,
  type SpeakerListener,
  type SpeakerTurn,
  SpeechEngine,
  type SpeechSpan,
  Translator,
  VoiceActivity,
  type VoiceDetector,
  type WindowShape,
  WorkFailed,
  Writer,
} from "./ports/Speech.js"
export { StorageError } from "./ports/StorageError.js"
export { type KeyReplaced, StoreKey } from "./ports/StoreKey.js"
export { StoreSettings } from "./ports/StoreSettings.js"
export {
  askedExtras,
  changedEndpoint,
  describedJob,
  endedExtra,
  expiryOf,
  freshJob,
  namesAfter,
  resultFromCache,
  rotatedSecrets,
} from "./ports/stored.js"
export { ObjectMissing, ObjectRefused, ObjectStore, type StoredUpload, UploadStore } from "./ports/Uploads.js"
export { type SentAnswer, WebhookSender } from "./ports/WebhookSender.js"
export {
  type AttemptOutcome,
  type ClaimedDelivery,
  type EndpointChange,
  type SealedSecret,
  SecretNotRotated,
  type SecretRotation,
  type StoredDelivery,
  type StoredEndpoint,
  WebhookStore,
} from "./ports/WebhookStore.js"
export { EarmarkClosed } from "./promise/EarmarkClosed.js"
export type { MediaFacts, MediaInput } from "./promise/mediaInput.js"
export { TranscriptionFailed } from "./promise/TranscriptionFailed.js"
export { makeEarmark } from "./promise.js"
export * as Scripted from "./scripted/Scripted.js"
export { type PaymentScript, ScriptedPayments } from "./scripted/ScriptedPayments.js"
export {
  type Reaction,
  type Received,
  type ReceiverScript,
  ScriptedReceiver,
} from "./scripted/ScriptedReceiver.js"
export type { Script } from "./scripted/ScriptedSpeech.js"
export { GrantedApps } from "./signIn/GrantedApps.js"
export { type Described, Identities, IdentityUnknown } from "./signIn/Identities.js"
export { identityOf } from "./signIn/identity.js"
export { Operators } from "./signIn/Operators.js"
export * as SignInApiKey from "./signIn/SignInApiKey.js"
export { makeSessions, makeSignInLink, type Session } from "./signIn/sessions.js"
export * as TimeLimit from "./TimeLimit.js"
export { type AloneSource, makeTranscribeAlone, type Watching } from "./transcribe/Alone.js"
export { type AlignedText, alignText, type GivenText, givenTextOf } from "./transcribe/alignText.js"
export type { Checkpoints, HearingOptions, HearingProgress } from "./transcribe/Checkpoints.js"
export { inSlices } from "./transcribe/inSlices.js"
export { type Heard, type Hearing, makeTranscriber } from "./transcribe/Transcriber.js"
export * as TranslatorNone from "./transcribe/TranslatorNone.js"
export type { Known } from "./transcribe/transcribeSource.js"
export * as VoiceActivityEnergy from "./transcribe/VoiceActivityEnergy.js"
export * as WriterExtractive from "./transcribe/WriterExtractive.js"
export { type AccountEvent, AccountEvents } from "./useCases/AccountEvents.js"
export { answerQuestion, type Questioned } from "./useCases/answering.js"
export { Cancellations } from "./useCases/Cancellations.js"
export { CreditDesk } from "./useCases/CreditDesk.js"
export type { Listed } from "./useCases/Cursors.js"
export { Customers } from "./useCases/Customers.js"
export { isHeard, type MediaKeys, type ResultKeys } from "./useCases/cacheKey.js"
export { claimStore, SecretsKeyDiffers } from "./useCases/claimStore.js"
export { withCorrectedTimes } from "./useCases/correctedTimes.js"
export { Edits } from "./useCases/Edits.js"
export { Entropy } from "./useCases/Entropy.js"
export { ExportArchives } from "./useCases/ExportArchives.js"
export { ExportLinks } from "./useCases/ExportLinks.js"
export { Extras } from "./useCases/Extras.js"
export { hasExactSeek } from "./useCases/exactSeek.js"
export { exportOf } from "./useCases/exporting.js"
export { FailedAttempts, tooManyFailures } from "./useCases/FailedAttempts.js"
export { Following, type Update } from "./useCases/Following.js"
export { makeExtra, type Staff as ExtraStaff } from "./useCases/finishing.js"
export {
  foundNothing,
  gatherHits,
  placeOf,
  positionOf,
  type Searched,
  type SearchPlace,
  searchIn,
} from "./useCases/hits.js"
export { JobWatch } from "./useCases/JobWatch.js"
export { Keys } from "./useCases/Keys.js"
export {
  correctedContent,
  enrichmentAt,
  wantedExtras,
  withExtras,
  withoutStaleSummary,
} from "./useCases/laterExtras.js"
export { canTranslate } from "./useCases/limits.js"
export { PaymentNotices } from "./useCases/PaymentNotices.js"
export { type BatchRefused, Podcasts } from "./useCases/Podcasts.js"
export { Publications } from "./useCases/Publications.js"
export { Purchases } from "./useCases/Purchases.js"
export { type ProblemExtras, problemOf, type Refused, type ToldProblem } from "./useCases/problemOf.js"
export { Questions } from "./useCases/Questions.js"
export { Quotes } from "./useCases/Quotes.js"
export { type OpenedRecording, Recordings } from "./useCases/Recordings.js"
export { Reloads } from "./useCases/Reloads.js"
export type { Answered, RequestContext } from "./useCases/Repeats.js"
export {
  AutoReloadRefused,
  BillingOff,
  BudgetExceeded,
  FeatureLocked,
  IdempotencyAnswerLost,
  PurchaseDecided,
  PurchaseOfProvider,
  RecordingNotKept,
  ReferenceTaken,
  type RepeatRefused,
  RequestRefused,
  ScopeNotHeld,
  TranscriptNotReady,
  Unauthorized,
  uploadTooLarge,
} from "./useCases/refusals.js"
export { Secrets } from "./useCases/Secrets.js"
export { ServiceConfig } from "./useCases/ServiceConfig.js"
export { makeSearches } from "./useCases/searching.js"
export { showContent } from "./useCases/showJob.js"
export { namesTooMany, speakerMissing } from "./useCases/speakerNames.js"
export { type CreateRefused, type OpenedJob, Transcriptions } from "./useCases/Transcriptions.js"
export { UploadParts } from "./useCases/UploadParts.js"
export { type ArrivingUpload, UploadMismatch, Uploads } from "./useCases/Uploads.js"
export { Webhooks } from "./useCases/Webhooks.js"
export { Deliveries } from "./worker/Deliveries.js"
export { DeliveryConfig } from "./worker/DeliveryConfig.js"
export { ExtraWork } from "./worker/ExtraWork.js"
export { Upkeep } from "./worker/Upkeep.js"
export { Worker } from "./worker/Worker.js"
export { WorkerConfig } from "./worker/WorkerConfig.js"
