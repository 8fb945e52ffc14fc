import { isLoopbackName } from "@earmark/core/links"

const MOST_REDIRECTS = 10
const LONGEST_NAME = 100
const LONGEST_REDIRECT = 2000

/** Schemes that browsers act on by themselves: an answer must never go there. */
const FORBIDDEN: ReadonlyArray<string> = [
  "about:",
  "blob:",
  "chrome:",
  "data:",
  "file:",
  "filesystem:",
  "ftp:",
  "javascript:",
  "mailto:",
  "tel:",
  "vbscript:",
  "view-source:",
  "ws:",
  "wss:",
]

/** What a client says of itself, as it arrived. */
export type ClientMetadata = Readonly<Record<string, unknown>>

export interface ClientProblem {
  readonly error: "invalid_redirect_uri" | "invalid_client_metadata"
  readonly description: string
}

const VISIBLE = /^[\x21-\x7e]+$/

/** Browsers take more for a host, and a policy of a page takes some of that for its own words. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i

const redirectProblem = (given: unknown): string | null => {
  if (typeof given !== "string" || given.length > LONGEST_REDIRECT || !URL.canParse(given))
    return `A redirect address is an absolute address of at most ${LONGEST_REDIRECT} characters.`
  if (!VISIBLE.test(given))
    return "A redirect address has visible ASCII characters only; percent-encode others."
  const url = new URL(given)
  if (url.host !== "" && !HOST.test(url.host)) {
    return "The host of a redirect address has letters, digits, dots, dashes and underscores only."
  }
  if (given.includes("#")) return "A redirect address has no fragment."
  if (url.username !== "" || url.password !== "") return "A redirect address holds no credentials."
  if (url.protocol === "https:") return null
  if (url.protocol === "http:") {
    return isLoopbackName(url.hostname)
      ? null
      : "A redirect address with http leads to 127.0.0.1, [::1] or localhost; others use https."
  }
  return FORBIDDEN.includes(url.protocol)
    ? `A redirect address cannot have the scheme ${url.protocol.slice(0, -1)}.`
    : null
}

const CONTROL = /\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u

/** Whether every text in a value stands on one line and reads as it is written. */
const isOnOneLine = (value: unknown): boolean => {
  if (typeof value === "string") return !CONTROL.test(value)
  return typeof value !== "object" || value === null || Object.values(value).every(isOnOneLine)
}

/** Why a client with this metadata is not served; null when it is. */
export const problemOfClient = ({
  redirect_uris,
  client_name,
  ...rest
}: ClientMetadata): ClientProblem | null => {
  if (!Array.isArray(redirect_uris) || redirect_uris.length === 0 || redirect_uris.length > MOST_REDIRECTS) {
    const description = `redirect_uris holds 1 to ${MOST_REDIRECTS} addresses.`
    return { error: "invalid_redirect_uri", description }
  }
  for (const each of redirect_uris) {
    const description = redirectProblem(each)
    if (description !== null) return { error: "invalid_redirect_uri", description }
  }
  if (!isOnOneLine(rest)) {
    const description = "The metadata holds control characters."
    return { error: "invalid_client_metadata", description }
  }
  if (client_name === undefined) return null
  const isName =
    typeof client_name === "string" && client_name.length <= LONGEST_NAME && isOnOneLine(client_name)
  if (isName) return null
  const description = `client_name has at most ${LONGEST_NAME} characters, on one line.`
  return { error: "invalid_client_metadata", description }
}
