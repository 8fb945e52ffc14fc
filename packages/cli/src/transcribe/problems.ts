/** What went wrong with a source, with the options and commands that help. */
import { type Explain, explainPlainly, presentText } from "@earmark/batch"
import { explainFailure } from "./explain.js"
import { clockOf, counted } from "./figures.js"
import { STOPPED, sentenceOf } from "./sentences.js"

export const explainProblem: Explain = (problem) => {
  switch (problem.reason) {
    case "work_failed":
      return explainFailure(problem.failure, problem.address)
    case "source_refused":
      return sentenceOf(problem.refused)
    case "starts_after_end":
      return `--start ${clockOf(problem.start)} is behind its end: it is ${clockOf(problem.length)} long.`
    case "no_such_episode":
      return `The feed has ${counted(problem.count, "episode")}, and none that fits; earmark feed lists them.`
    case "nothing_piped":
      return "Nothing is piped in. Pipe a recording in (command | earmark transcribe -), or name a file."
    case "over_minutes":
      return `it is ${clockOf(problem.seconds)} long, and --max-minutes leaves ${clockOf(problem.left)}.`
    case "over_credits":
      return `it takes ${counted(problem.credits, "credit")}, and --max-credits leaves ${problem.left}.`
    case "length_unknown":
      return "its length is unknown, so it could exceed --max-minutes or --max-credits."
    case "present":
      return `${presentText(problem)} (--force ${problem.others === null ? "makes it again" : "overwrites it"})`
    case "failed_before":
      return `${problem.message} (--retry-failed tries again)`
    case "feed_is_file":
      return `${explainPlainly(problem).replace(/\.$/, "")}, or add --local.`
    case "stopped":
      return STOPPED
  }
}
