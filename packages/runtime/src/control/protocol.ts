/** One JSON object a line, each way. Answers come in the order of the requests of a connection. */
import { AdministrationCode, type AdministrationRefused } from "@earmark/service"
import { Schema } from "effect"

/** What clients send. */
export const RequestLine = Schema.parseJson(
  Schema.Struct({ operation: Schema.String, request: Schema.Unknown }),
)

/** What comes back: an answer, or why there is none. */
export const AnswerLine = Schema.parseJson(
  Schema.Union(
    // First, since an answer that is not there is one that is unknown.
    Schema.Struct({ error: Schema.Struct({ code: AdministrationCode, message: Schema.String }) }),
    Schema.Struct({ answer: Schema.Unknown }),
  ),
)
export type AnswerLine = typeof AnswerLine.Type

export const LONGEST_REQUEST = 1024 * 1024

// Findings of a broken ledger are the longest answer.
export const LONGEST_ANSWER = 16 * 1024 * 1024

export const answered = (answer: unknown): AnswerLine => ({ answer })

export const failed = ({ code, message }: AdministrationRefused): AnswerLine => ({ error: { code, message } })
