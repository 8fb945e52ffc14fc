export {
  AnswerError,
  ConnectionError,
  InputError,
  ProblemError,
  TimeoutError,
  TranscriptionFailed,
} from "../client/errors.js"
export { EarmarkClient, type EarmarkClientOptions, makeClient } from "./EarmarkClient.js"
export type { AccountEvent, TranscriptionEvent } from "./events.js"
export type { Exporting } from "./exportAs.js"
export type { CallError } from "./operation.js"
