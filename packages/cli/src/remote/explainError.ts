/** What a service says of a request, or why it says nothing, in a sentence with what to do. */
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

/** Beside what the service says of it, which is how to unlock it there. */
const UNLOCK = " Or work on this machine: --local."

/** What is not there may be elsewhere. */
const LOOK = " earmark jobs list, earmark webhooks list and earmark keys list tell what is there."

/** Of an error of the client. Any other is a bug, and is thrown again. */
export const explainError = (library: Library, baseUrl: string, error: unknown): Explained => {
  const { AnswerError, ConnectionError, EarmarkError, ProblemError } = library
  if (!(error instanceof EarmarkError)) throw error
  const { code } = error
  if (error instanceof ConnectionError) {
    const message = `${error.message.replace(/\.$/, "")}. Is the service running there? earmark serve starts one; --server names another. With --local this machine does it instead; earmark config use makes that the rule.`
    return { code, message, isMistake: false }
  }
  if (error instanceof AnswerError) {
    const message = `${sentence(error.message)} Is ${baseUrl} the address of a service?`
    return { code, message, isMistake: false }
  }
  if (!(error instanceof ProblemError)) return { code, message: sentence(error.message), isMistake: false }
  if (code === "unauthorized") {
    const message = `${baseUrl} does not take this key. Sign in with another one: earmark login ${baseUrl}`
    return { code, message, isMistake: false }
  }
  const wayOut = code === "feature_locked" ? UNLOCK : code === "not_found" ? LOOK : ""
  return { code, message: `${sentence(error.detail)}${wayOut}`, isMistake: error.status === 400 }
}
