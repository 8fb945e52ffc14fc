/** Work that a server does. Loaded where one is named: its client is of no use to this machine. */
import { join } from "node:path"
import { AnswerError, ConnectionError, EarmarkClient, EarmarkError, ProblemError } from "@earmark/api/client"
import { makeServerWorkplace, uploadName } from "@earmark/batch"
import { fileLength } from "@earmark/media"
import { Redacted } from "effect"
import { explainError } from "../remote/explainError.js"
import type { Target } from "../remote/target.js"
import { explainProblem } from "./problems.js"

export const serverWork = (server: Target, state: string) => {
  const { baseUrl, apiKey, fetch } = server
  return makeServerWorkplace({
    client: new EarmarkClient({ baseUrl, apiKey: Redacted.value(apiKey), fetch }),
    baseUrl,
    folder: join(state, "servers"),
    explainError: (error) =>
      explainError({ AnswerError, ConnectionError, EarmarkError, ProblemError }, server, error),
    uploadName: (reference) => uploadName(state, reference),
    fileLength,
    explain: explainProblem,
  })
}
