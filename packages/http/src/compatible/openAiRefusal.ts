import { PROBLEM_STATUS } from "@earmark/api"
import type { Refusal } from "../answers/Refusal.js"
import { jsonReply, type Reply } from "../answers/Reply.js"

const typeOf = (status: number): string => {
  if (status === 401) return "authentication_error"
  if (status === 402) return "insufficient_quota"
  if (status === 403) return "permission_error"
  if (status === 429) return "rate_limit_error"
  return status >= 500 ? "server_error" : "invalid_request_error"
}

/** Fields of ours, as this protocol calls them. */
const PARAMETERS: Readonly<Record<string, string>> = {
  vocabulary: "prompt",
  quality: "model",
  media_ref: "file",
}

const parameterOf = ({ errors }: Refusal): string | null => {
  const field = errors?.[0]?.pointer.split("/")[1]
  if (field === undefined) return null
  return Object.hasOwn(PARAMETERS, field) ? (PARAMETERS[field] ?? null) : field
}

const POINTED = /^#\/\S*: /

/** The field is told by its name in this protocol, and not by a pointer into our own. */
const messageOf = ({ detail }: Refusal, parameter: string | null): string =>
  parameter === null ? detail : detail.replace(POINTED, `${parameter}: `)

/** An error as OpenAI's clients read it. The code is the one that problems have. */
export const openAiError = (refusal: Refusal) => {
  const param = parameterOf(refusal)
  return {
    error: {
      message: messageOf(refusal, param),
      type: typeOf(PROBLEM_STATUS[refusal.code]),
      param,
      code: refusal.code,
    },
  }
}

export const openAiRefusal = (refusal: Refusal, { requestId }: { readonly requestId: string }): Reply =>
  jsonReply(PROBLEM_STATUS[refusal.code], openAiError(refusal), {
    ...refusal.headers,
    "X-Request-Id": requestId,
  })
