import type { ProblemCode, RequestInvalid } from "@earmark/core/wire"
import { Data } from "effect"
import type { BackendRefused } from "../BackendRefused.js"

/** The codes of the REST interface, and three that only tools have. */
export type ToolCode = ProblemCode | "not_ready" | "cost_needs_consent" | "local_only"

/** A call that is not done as asked: what happened, and what to do. */
export class ToolRefused extends Data.TaggedError("ToolRefused")<{
  readonly code: ToolCode
  readonly detail: string
  readonly action?: string
  readonly retryAfterSeconds?: number
  readonly details?: Readonly<Record<string, unknown>>
}> {
  override get message() {
    return this.detail
  }
}

const RETRYABLE: ReadonlySet<ToolCode> = new Set<ToolCode>([
  "idempotency_in_progress",
  "internal_error",
  "not_ready",
  "rate_limited",
  "request_timeout",
  "too_many_jobs",
  "unavailable",
])

const WRONG_REQUEST = "Report it: this program and the server do not fit together."

/** What to do about each: an error that leaves that open is no help. */
const ACTIONS: Readonly<Record<ToolCode, string>> = {
  batch_too_large: "Choose fewer episodes, and transcribe the rest in another call.",
  blocked_address: "upload_file brings files.",
  cost_needs_consent:
    "Tell the person what it costs, then repeat the call with max_credits at or above that.",
  episode_not_found: "list_podcast_episodes shows the episodes of the feed with their guid and index.",
  expired: "It cannot be brought back; transcribe the media again.",
  feature_locked: "Any purchase of credits unlocks it; or repeat the call without it.",
  feed_invalid: "Check the address of the feed, or give the link of one episode's audio to transcribe.",
  headers_too_large: WRONG_REQUEST,
  idempotency_answer_lost:
    "list_transcriptions shows what the first call made; use a new idempotency_key for another request.",
  idempotency_in_progress: "Wait a second, then repeat the call with the same idempotency_key.",
  idempotency_key_invalid: "Use letters, digits and dashes for it, or leave it out.",
  idempotency_key_reused: "Use a new idempotency_key for another request.",
  insufficient_scope: "Ask the person for an API key, or for a permission, that allows it.",
  internal_error: "Repeat the call; report it when it happens again.",
  invalid_edit: "Read the transcript again, and correct what is named.",
  invalid_json: WRONG_REQUEST,
  invalid_request: "Correct what is named, then repeat the call.",
  invalid_state: "get_transcription tells the state it is in.",
  key_limit_reached:
    "Ask the person to raise the monthly limit of the API key, or wait until resets_at, then repeat the call.",
  language_unsupported: "Do what the message says, or tell the person what is missing here.",
  local_only: "Use the other ways that the description of the tool names.",
  media_ref_unknown: "Bring the file again with upload_file, and use the media_ref that it returns.",
  media_too_long: "Cut it with start_at and end_at.",
  method_not_allowed: WRONG_REQUEST,
  missing_source: "For a file, upload_file gives the media_ref.",
  multiple_sources: "Correct what is named, then repeat the call.",
  no_word_timing: "Repeat the call without word_level.",
  not_acceptable: WRONG_REQUEST,
  not_found: "Use an id that a tool has returned; list_transcriptions shows what there is.",
  not_ready: "Call get_transcription with wait_seconds until status is done.",
  out_of_credits: "Ask the person to buy credits, then repeat the call.",
  range_not_satisfiable: WRONG_REQUEST,
  rate_limited: "Wait, then repeat the call.",
  recording_not_kept: "Transcribe the recording from a file that you upload: that one is kept.",
  request_timeout: "Repeat the call.",
  revision_conflict: "Read the transcript again, then repeat the call with its revision.",
  signature_invalid: "Ask for a new link: this one was changed, or is too old.",
  sign_in_again: "Ask the person to sign in again.",
  source_not_supported: "Give a link of the media file itself, or bring the file with upload_file.",
  too_large: "Bring a smaller file, or give a link instead.",
  too_many_jobs: "Wait until some jobs are done, then repeat the call.",
  unauthorized: "Ask the person to check the API key in the settings of this server.",
  unavailable: "Wait a moment, then repeat the call.",
  unknown_field: "Leave the field out, or use the name that the schema of the tool has for it.",
  unresolvable_link: "Give a link of the media file itself, or bring the file with upload_file.",
  unsupported_content_type: WRONG_REQUEST,
  unsupported_media: "Give audio or video.",
}

/** A refusal as data, the same for every tool. */
export interface ToolError {
  readonly code: ToolCode
  readonly message: string
  readonly retryable: boolean
  readonly retry_after_seconds?: number
  readonly action: string
  readonly details?: Readonly<Record<string, unknown>>
}

const isEmpty = (details: Readonly<Record<string, unknown>>): boolean => Object.keys(details).length === 0

const detailsOf = (refused: ToolRefused | BackendRefused | RequestInvalid) => {
  switch (refused._tag) {
    case "ToolRefused":
      return refused.details ?? {}
    case "BackendRefused":
      return { ...refused.extras, ...(refused.problems !== undefined && { errors: refused.problems }) }
    case "RequestInvalid":
      return { errors: refused.problems }
  }
}

/** What is wrong with an input names the field as the caller wrote it. */
const inputMessage = ({ problems }: RequestInvalid): string =>
  problems
    .map(({ pointer, detail }) => (pointer === "#" ? detail : `${pointer.slice(2)}: ${detail}`))
    .join("; ")

/** With what is known of the case: models read the line, and seldom the data beside it. */
const actionOf = (
  code: ToolCode,
  details: Readonly<Record<string, unknown>>,
  wait: number | undefined,
): string => {
  if (code === "out_of_credits" && typeof details.top_up_url === "string") {
    return `Ask the person to buy credits at ${details.top_up_url}, then repeat the call.`
  }
  const isOnlyLater = code === "rate_limited" || code === "unavailable" || code === "too_many_jobs"
  return isOnlyLater && wait !== undefined
    ? `Wait ${wait} ${wait === 1 ? "second" : "seconds"}, then repeat the call.`
    : ACTIONS[code]
}

export const toolErrorOf = (refused: ToolRefused | BackendRefused | RequestInvalid): ToolError => {
  const { code } = refused
  const details = detailsOf(refused)
  const wait = refused._tag === "RequestInvalid" ? undefined : refused.retryAfterSeconds
  const given = refused._tag === "ToolRefused" ? refused.action : undefined
  const remedy = refused._tag === "BackendRefused" ? refused.remedy : undefined
  // Advice for one fault does not fit several.
  const isSeveral = refused._tag === "RequestInvalid" && refused.problems.length > 1
  const action = remedy ?? given ?? actionOf(isSeveral ? "invalid_request" : code, details, wait)
  return {
    code,
    message: refused._tag === "RequestInvalid" ? inputMessage(refused) : refused.detail,
    retryable: remedy === undefined && RETRYABLE.has(code),
    ...(wait !== undefined && { retry_after_seconds: wait }),
    action,
    ...(!isEmpty(details) && { details }),
  }
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** The first line that a model sees. */
export const errorLine = ({ code, message, action }: ToolError): string =>
  `${code}: ${sentence(message)} ${action}`
