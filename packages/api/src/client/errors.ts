/** What can go wrong with a call. Each error has a `code` that never changes and a sentence for people. */
import type { FailedTranscription, ProblemCode } from "./wire.js"

interface Told {
  readonly message: string
  readonly requestId?: string | undefined
  readonly cause?: unknown
}

/** Every error of the client is one of these. */
export abstract class EarmarkError extends Error {
  abstract readonly _tag: string
  /** Names the kind of trouble, for programs. */
  abstract readonly code: string
  /** Names the request; tell it when you ask for help. */
  readonly requestId: string | undefined

  constructor({ message, requestId, cause }: Told) {
    super(message, { cause })
    this.requestId = requestId
  }
}

/** The body of a problem, as the service wrote it. */
export interface ProblemBody {
  readonly type?: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly request_id?: string
  /** What is wrong in the request, place by place. */
  readonly errors?: ReadonlyArray<{ readonly pointer: string; readonly detail: string }>
  readonly [extra: string]: unknown
}

/** The service refused the request, and says why. */
export class ProblemError extends EarmarkError {
  readonly _tag = "ProblemError"
  override readonly name = "ProblemError"
  // Codes may be added: whoever compares with a known one gets help from the editor.
  readonly code: ProblemCode | (string & {})
  readonly status: number
  readonly title: string
  /** What happened and what to do, in one sentence. */
  readonly detail: string
  readonly errors: ReadonlyArray<{ readonly pointer: string; readonly detail: string }>
  /** After how many seconds to try again, where the service says so. */
  readonly retryAfterSeconds: number | undefined
  /** The whole body, with what only some codes have: `balance`, `needed`, `top_up_url`, `feature`. */
  readonly problem: ProblemBody

  constructor(problem: ProblemBody, facts: { readonly retryAfterSeconds?: number | undefined } = {}) {
    super({ message: `${problem.code}: ${problem.detail}`, requestId: problem.request_id })
    this.code = problem.code
    this.status = problem.status
    this.title = problem.title
    this.detail = problem.detail
    this.errors = problem.errors ?? []
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.problem = problem
  }
}

/** The service could not be reached, or the connection broke. */
export class ConnectionError extends EarmarkError {
  readonly _tag = "ConnectionError"
  override readonly name = "ConnectionError"
  readonly code = "connection_failed"
}

/** Nothing came in the time that was allowed. */
export class TimeoutError extends EarmarkError {
  readonly _tag = "TimeoutError"
  override readonly name = "TimeoutError"
  readonly code = "timed_out"
}

/** Something answered that does not speak as the service does: a proxy, another program, a redirect. */
export class AnswerError extends EarmarkError {
  readonly _tag = "AnswerError"
  override readonly name = "AnswerError"
  readonly code = "unexpected_answer"
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(told: Told & { readonly status: number; readonly retryAfterSeconds?: number | undefined }) {
    super(told)
    this.status = told.status
    this.retryAfterSeconds = told.retryAfterSeconds
  }
}

/** What was given cannot be sent. Nothing was. */
export class InputError extends EarmarkError {
  readonly _tag = "InputError"
  override readonly name = "InputError"
  readonly code = "invalid_input"
}

/** The transcription ended, and failed. */
export class TranscriptionFailed extends EarmarkError {
  readonly _tag = "TranscriptionFailed"
  override readonly name = "TranscriptionFailed"
  readonly code: FailedTranscription["failure"]["code"]
  readonly transcription: FailedTranscription

  constructor(transcription: FailedTranscription) {
    super({ message: `${transcription.failure.code}: ${transcription.error}` })
    this.code = transcription.failure.code
    this.transcription = transcription
  }
}
