/** What a server says of a request, or why it says nothing, in a sentence with what to do. */
import type { Redacted } from "effect"

/** A server and the key to use there. */
export interface Target {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  /** Where the key comes from, as an error names it. */
  readonly keyFrom?: string | undefined
  /** How to do without this key, where the server refuses it. */
  readonly keyRefused?: string | undefined
  /** What the command takes in place of a server that does not answer, to end a sentence with; undefined where no other will do. */
  readonly wayOut?: string | undefined
  /** Of a server that is not named: no key goes to a listener of another user. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

type Library = Pick<
  typeof import("@earmark/api/client"),
  "AnswerError" | "ConnectionError" | "EarmarkError" | "ProblemError"
>

export interface Explained {
  readonly code: string
  readonly message: string
  /** The request itself is wrong. */
  readonly isMistake: boolean
}

/** Programs are told of a field by a pointer to it (`#/start_at: ...`), people by its name. */
export const sentence = (text: string): string =>
  text
    .replace(/#\/([\w/-]+): (?:The value )?/g, (_, path: string) => `${path.replaceAll("/", ".")}: `)
    .replace(/\.?$/, ".")

/** Beside what the server says of it, which is how to unlock it there. */
const UNLOCK = " Or work on this machine: --local."

/** What is not there may be elsewhere. */
const LOOK = " earmark jobs list, earmark webhooks list and earmark keys list tell what is there."

/** Of an error of the client. Any other is a bug, and is thrown again. */
export const explainError = (
  library: Library,
  {
    baseUrl,
    keyFrom,
    keyRefused,
    wayOut = "",
  }: Pick<Target, "baseUrl" | "keyFrom" | "keyRefused" | "wayOut">,
  error: unknown,
): Explained => {
  const { AnswerError, ConnectionError, EarmarkError, ProblemError } = library
  if (!(error instanceof EarmarkError)) throw error
  const { code } = error
  if (error instanceof ConnectionError) {
    const message = `${error.message.replace(/\.$/, "")}. Is the server running there? Start one with earmark serve${wayOut}.`
    return { code, message, isMistake: false }
  }
  if (error instanceof AnswerError) {
    const message = `${sentence(error.message)} Is ${baseUrl} the address of an Earmark server?`
    return { code, message, isMistake: false }
  }
  if (!(error instanceof ProblemError)) return { code, message: sentence(error.message), isMistake: false }
  if (code === "unauthorized") {
    const key = keyFrom === undefined ? "this key" : `the key of ${keyFrom}`
    const orForget = keyRefused === undefined ? "" : `, or remove this one: ${keyRefused}`
    const message = `${baseUrl} does not accept ${key}. Sign in with another key: earmark login ${baseUrl}${orForget}`
    return { code, message, isMistake: false }
  }
  const advice = code === "feature_locked" ? UNLOCK : code === "not_found" ? LOOK : ""
  return { code, message: `${sentence(error.detail)}${advice}`, isMistake: error.status === 400 }
}
