/** What can go wrong with one source, as facts. A host may say each in its own words: see `Explain`. */
import { clockOf, counted } from "@earmark/core/text"
import type { SourceRefused, WorkFailed } from "@earmark/service"

/** What is at the place of a result, and is never written over unless that is asked for. */
export type Others =
  /** A result of this source that somebody has changed since. */
  | "edited"
  /** The result of another source, or the text of another publisher. */
  | "foreign"
  /** Nobody knows. */
  | "unknown"

export type Problem =
  /** The work on the media failed. `address`: of the media on the web, without a login. */
  | { readonly reason: "work_failed"; readonly failure: WorkFailed; readonly address: string | null }
  /** A link that leads to no media. */
  | { readonly reason: "source_refused"; readonly refused: SourceRefused }
  /** The beginning that was asked for lies behind the end of the media; in seconds. */
  | { readonly reason: "starts_after_end"; readonly start: number; readonly length: number }
  /** The feed has so many episodes, and none that was asked for. */
  | { readonly reason: "no_such_episode"; readonly count: number }
  /** Standard input is a terminal. */
  | { readonly reason: "nothing_piped" }
  /** Seconds that the cap leaves. */
  | { readonly reason: "over_minutes"; readonly seconds: number; readonly left: number }
  | { readonly reason: "over_credits"; readonly credits: number; readonly left: number }
  /** There is a cap, and the length of the source is unknown. */
  | { readonly reason: "length_unknown" }
  /** Results that are there already; `others`: null where they are those of this source, which somebody may have changed. */
  | {
      readonly reason: "present"
      readonly paths: ReadonlyArray<string>
      readonly others: Others | null
      readonly isChanged: boolean
    }
  /** It failed in an earlier run, with this message, and was not tried again. */
  | { readonly reason: "failed_before"; readonly message: string }
  /** A server reads feeds at addresses alone. */
  | { readonly reason: "feed_is_file" }
  /** Its run was stopped. */
  | { readonly reason: "stopped" }

/** A problem in a sentence for people. */
export type Explain = (problem: Problem) => string

const WHOSE: Readonly<Record<Others, string>> = {
  unknown: "not known to be Earmark's",
  edited: "changed since Earmark made it",
  foreign: "the result of another source",
}

type Present = Extract<Problem, { readonly reason: "present" }>

/** `a.txt is there already, and changed since Earmark made it` */
export const presentText = ({ paths, others, isChanged }: Present): string => {
  const are = `${paths.join(", ")} ${paths.length === 1 ? "is" : "are"} there already`
  if (others !== null) return `${are}, and ${WHOSE[others]}`
  return isChanged ? `${are}, changed since Earmark made ${paths.length === 1 ? "it" : "them"}` : are
}

/** A sentence has a stop. */
export const withStop = (text: string): string => (/[.!?`]$/.test(text) ? text : `${text}.`)

const failureText = ({ code, cause, operatorDetail }: WorkFailed): string =>
  withStop(
    operatorDetail ?? (cause instanceof Error && cause.message !== "" ? cause.message : `It failed: ${code}`),
  )

/** In words that fit every program: they name no option of a command and no setting of a host. */
export const explainPlainly: Explain = (problem) => {
  switch (problem.reason) {
    case "work_failed":
      return failureText(problem.failure)
    case "source_refused":
      return problem.refused.detail
    case "starts_after_end":
      return `The start ${clockOf(problem.start)} is behind its end: it is ${clockOf(problem.length)} long.`
    case "no_such_episode":
      return `The feed has ${counted(problem.count, "episode")}, and none that fits.`
    case "nothing_piped":
      return "Nothing is piped in. Pipe a recording in, or name a file."
    case "over_minutes":
      return `it is ${clockOf(problem.seconds)} long, and the cap leaves ${clockOf(problem.left)}.`
    case "over_credits":
      return `it takes ${counted(problem.credits, "credit")}, and the cap leaves ${problem.left}.`
    case "length_unknown":
      return "its length is unknown, and a cap is never passed."
    case "present":
      return presentText(problem)
    case "failed_before":
      return problem.message
    case "feed_is_file":
      return "A server reads feeds at addresses, and this is a file. Give the address."
    case "stopped":
      return "It was stopped. Transcribe it again: what was heard is kept."
  }
}
