/** Makes what came back a value, or an error. */
import { AnswerError, type EarmarkError, type ProblemBody, ProblemError } from "./errors.js"

const SHOWN = 200

const requestIdOf = ({ headers }: Response): string | undefined => headers.get("request-id") ?? undefined

const retryAfterOf = ({ headers }: Response): number | undefined => {
  const written = headers.get("retry-after")
  return written !== null && /^\d{1,6}$/.test(written) ? Number(written) : undefined
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isProblem = (value: unknown): value is ProblemBody =>
  typeof value === "object" &&
  value !== null &&
  "code" in value &&
  typeof value.code === "string" &&
  "detail" in value &&
  typeof value.detail === "string"

/** The beginning of what it says, in one line; of a web page its words. */
const shown = (text: string): string => {
  const line = text.slice(0, SHOWN).replace(/\s+/g, " ").trim()
  if (line === "") return "an empty body"
  if (!line.startsWith("<")) return line
  const words = line
    .replace(/<[^>]*>?/g, " ")
    .replace(/\s+/g, " ")
    .trim()
  return words === "" ? "a web page" : `a web page, ${words}`
}

const unexpected = (response: Response, text: string): AnswerError => {
  const location = response.headers.get("location")
  const about =
    location === null
      ? `Something answered ${response.status} that is not an Earmark server: ${shown(text)}`
      : `The address answers ${response.status} and leads to ${location}: use the address of the server itself as baseUrl`
  return new AnswerError({
    message: about,
    status: response.status,
    requestId: requestIdOf(response),
    retryAfterSeconds: retryAfterOf(response),
  })
}

/** The error that an answer outside of 2xx stands for. */
export const refusalOf = async (response: Response): Promise<EarmarkError> => {
  const text = await response.text()
  const body = parsed(text)
  return isProblem(body)
    ? new ProblemError(
        { ...body, status: response.status, title: body.title ?? body.code },
        { retryAfterSeconds: retryAfterOf(response) },
      )
    : unexpected(response, text)
}

const NOTHING = "null"

/**
 * The JSON of an answer, of the type that the wire says it has; undefined where there is no body.
 * This is the one place that trusts the service: nothing is checked field by field.
 */
export const readJson = async <Answer>(response: Response): Promise<Answer> => {
  const text = await response.text()
  const isEmpty = response.status === 204
  // Every answer of the service is an object.
  if (!isEmpty && !/^\s*\{/.test(text)) throw unexpected(response, text)
  try {
    return isEmpty ? (JSON.parse(NOTHING) ?? undefined) : JSON.parse(text)
  } catch {
    throw unexpected(response, text)
  }
}
