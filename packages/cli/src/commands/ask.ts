import type { Answer } from "@earmark/api/client"
import { Effect } from "effect"
import { failed, usage } from "../CommandFailed.js"
import type { Given } from "../grammar/Grammar.js"
import { type ask as askSpec, IN_QUOTES } from "../grammar/transcripts.js"
import { libraryOf } from "../library/libraryOf.js"
import { note, printable } from "../output.js"
import { clockAt, counted } from "../transcribe/figures.js"
import { show } from "./administration/administer.js"

type Claim = Answer["claims"][number]
type Citation = Claim["citations"][number]

const lineOf = ({ start, speaker, excerpt }: Citation): string => {
  const who = speaker === null ? "" : `${printable(speaker)}: `
  return `  ${clockAt(start).padStart(8)}  ${who}${printable(excerpt)}\n`
}

/** A passage is its own quotes. */
const isPassage = ({ text, citations }: Claim): boolean =>
  citations.length > 0 &&
  text.startsWith(citations[0]?.excerpt ?? "") &&
  citations.every(({ excerpt }) => text.includes(excerpt))

const blockOf = (claim: Claim, titles: ReadonlyMap<string, string | null>): string => {
  let id = ""
  const lines = claim.citations.map((citation) => {
    const isSame = citation.transcription_id === id
    id = citation.transcription_id
    const head = isSame ? "" : `  ${printable(titles.get(id) ?? "untitled")} (${id})\n`
    return head + lineOf(citation)
  })
  return `${isPassage(claim) ? "" : `${printable(claim.text)}\n`}${lines.join("")}`
}

const shown = ({ claims, coverage }: Answer): string => {
  const titles = new Map(coverage.cited.map(({ transcription_id, title }) => [transcription_id, title]))
  return claims.map((claim) => blockOf(claim, titles)).join("\n")
}

const HOW =
  "These passages fit best, word for word. Where a language model is set up (EARMARK_LLM_URL), it puts them into an answer."

const outcome = ({ coverage, status }: Answer): string => {
  const { dropped_claims: dropped, lines_shown: read, note, transcripts, transcripts_read } = coverage
  const those = `${transcripts_read} of ${counted(transcripts, "transcript")} had lines that fit.`
  const left = dropped === 0 ? "" : ` ${counted(dropped, "claim")} left out: no transcript has the quotes.`
  if (note !== null) return `${note} ${those}${left}`
  if (read === 0) return `${HOW} ${those}`
  return `${status === "supported" ? "Every claim is quoted." : "A part of this could not be answered."} ${those}${left}`
}

export const ask = (options: Given<typeof askSpec>) =>
  Effect.gen(function* () {
    if (options.all && options.id !== undefined) return yield* usage("Give an id or --all, not both.")
    if (options.id !== undefined && !options.id.startsWith("tr_"))
      return yield* usage(`"${options.id}" is not the id of a transcription. ${IN_QUOTES}`)
    const library = yield* libraryOf(options)
    const id = options.id !== undefined ? yield* library.idOf(options.id) : null
    const answer = yield* library.ask(id, options.question)
    if (answer.status !== "not_found" || options.json) yield* show(answer, options.json, shown, outcome)
    if (answer.status !== "not_found") return
    if (answer.coverage.transcripts === 0) return yield* failed("There are no finished transcripts to ask.")
    yield* note(`${counted(answer.coverage.transcripts, "transcript")} looked through.`)
    return yield* failed(
      `Nothing in the transcripts fits "${printable(options.question)}". Ask in other words, and in the language of the recordings.`,
    )
  })
