import { hasTooManyJsonValues } from "@earmark/core/requests"

/** Tools that do what REST counts as asking for work. */
const CREATING: ReadonlyArray<string> = ["transcribe", "transcribe_podcast_feed", "upload_file"]

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const isCreating = (message: unknown): boolean => {
  if (!isObject(message) || message.method !== "tools/call") return false
  const { params } = message
  return isObject(params) && typeof params.name === "string" && CREATING.includes(params.name)
}

const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch {
    return undefined
  }
}

/** Which limit of the account a request counts against. Nothing but a call of these tools counts as work. */
export const rateOf = (body: Uint8Array | null): "create" | "read" => {
  // What the connector refuses unread is not read for this either.
  if (body === null || hasTooManyJsonValues(body)) return "read"
  const message = parsed(body)
  const messages: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
  return messages.some(isCreating) ? "create" : "read"
}
