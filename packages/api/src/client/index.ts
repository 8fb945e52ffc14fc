export { EarmarkClient, type EarmarkClientOptions } from "./EarmarkClient.js"
export type { ExportedFile, Exporting } from "./ExportedFile.js"
export {
  AnswerError,
  ConnectionError,
  EarmarkError,
  InputError,
  type ProblemBody,
  ProblemError,
  TimeoutError,
  TranscriptionFailed,
} from "./errors.js"
export type { FollowOptions, WaitOptions } from "./follow.js"
export { mediaTypeOf } from "./mediaTypes.js"
export { operations } from "./operations.js"
export type { Pages } from "./Pages.js"
export type { Uploaded, UploadOptions, UploadProgress } from "./sendUpload.js"
export type { RepeatableOptions, RequestOptions } from "./Transport.js"
export type { TranscribeCallOptions, TranscribeOptions, TranscribeSource } from "./transcribe.js"
export type {
  AccountEvent,
  Acknowledgement,
  EndedTranscription,
  Transcription,
  TranscriptionEvent,
} from "./types.js"
export type { UploadSource } from "./UploadSource.js"
export type * from "./wire.js"
