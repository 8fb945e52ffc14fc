import { FetchFailed } from "@earmark/service"

export type FailureReason = FetchFailed["reason"]

interface Particulars {
  readonly status?: number | null
  readonly retryAfter?: number | null
  readonly isTransient?: boolean
}

const OFTEN_PASSING: ReadonlySet<FailureReason> = new Set(["refused", "timeout", "interrupted"])

export const failed = (reason: FailureReason, detail: string, particulars: Particulars = {}): FetchFailed =>
  new FetchFailed({
    reason,
    detail,
    status: particulars.status ?? null,
    retryAfter: particulars.retryAfter ?? null,
    isTransient: particulars.isTransient ?? OFTEN_PASSING.has(reason),
  })

/** What the guard itself says on a socket, where only a plain error passes. */
export const BLOCKED = "ADDRESS_BLOCKED"
export const CONNECT_TIMED_OUT = "CONNECT_TIMED_OUT"

/** An error with a code of its own, for the callbacks of sockets. */
export class GuardError extends Error {
  constructor(readonly code: string) {
    super(code)
  }
}

export const blocked = (host: string): FetchFailed =>
  failed("address_blocked", `${host} is not an address of the public internet`)

const NAME_UNKNOWN_NOW: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ETIMEOUT",
  "ESERVFAIL",
  "EREFUSED",
  "ECONNREFUSED_DNS",
  "ECANCELLED",
])
const NAME_UNKNOWN: ReadonlySet<string> = new Set([
  "ENOTFOUND",
  "ENODATA",
  "ENONAME",
  "EBADNAME",
  "EBADRESP",
  "EFORMERR",
  "EAI_FAIL",
  "EAI_NODATA",
  "EAI_NONAME",
])
const UNREACHABLE: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "EINVAL",
])
const TLS_CODE =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|EPROTO$|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$)/

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : ""

/** What went wrong with this host, in our words: the words of a foreign error may carry a path or an address. */
export const failureOf = (error: unknown, host: string, status: number | null = null): FetchFailed => {
  if (error instanceof FetchFailed) return error
  const code = codeOf(error)
  const because = (reason: FailureReason, what: string, isTransient?: boolean) =>
    failed(reason, `${host} ${what}`, { status, ...(isTransient === undefined ? {} : { isTransient }) })
  if (code === BLOCKED) return blocked(host)
  if (code === CONNECT_TIMED_OUT || code === "ETIMEDOUT") return because("timeout", "did not answer in time")
  if (NAME_UNKNOWN_NOW.has(code)) return because("name_unknown", "could not be looked up just now", true)
  if (NAME_UNKNOWN.has(code)) return because("name_unknown", "cannot be found; check the address")
  if (UNREACHABLE.has(code)) return because("refused", "does not take connections")
  if (TLS_CODE.test(code)) return because("tls", "has no certificate or encryption that can be trusted")
  if (code === "HPE_HEADER_OVERFLOW") return because("too_large", "answered with more headers than are read")
  if (code.startsWith("HPE_")) return because("interrupted", "did not answer in HTTP", false)
  if (code === "Z_BUF_ERROR") return because("interrupted", "broke off its compressed answer")
  if (code.startsWith("Z_") || code.startsWith("ERR_BROTLI") || code.startsWith("ERR__ERROR_"))
    return because("interrupted", "sent an answer that cannot be decompressed", false)
  if (code === "ERR_INVALID_CHAR" || code === "ERR_HTTP_INVALID_HEADER_VALUE")
    return because("address_invalid", "cannot be asked with these headers")
  return because("interrupted", "closed the connection too early")
}
