import type { SearchResults } from "@earmark/api/client"
import { Effect } from "effect"
import { failed, usage } from "../CommandFailed.js"
import type { Given } from "../grammar/Grammar.js"
import type { search as searchSpec } from "../grammar/transcripts.js"
import { isColoured } from "../isColoured.js"
import { libraryOf } from "../library/libraryOf.js"
import { printable } from "../output.js"
import { clockAt, counted } from "../transcribe/figures.js"
import { timeIn } from "../transcribe/since.js"
import { andMore, narrowedBy, pageOf, show } from "./administration/administer.js"

const line = (mark: string, { start, speaker }: { start: number; speaker: string | null }, text: string) =>
  `${mark} ${clockAt(start).padStart(8)}  ${speaker === null ? "" : `${printable(speaker)}: `}${text}\n`

type Hit = SearchResults["data"][number]

/** The text of a line with what was found in it marked. */
const marked = ({ text, highlights }: Pick<Hit, "text" | "highlights">, isBold: boolean): string => {
  if (!isBold) return printable(text)
  let at = 0
  let shown = ""
  for (const [from = 0, to = 0] of highlights) {
    shown += `${printable(text.slice(at, from))}\u001b[1m${printable(text.slice(from, to))}\u001b[22m`
    at = to
  }
  return shown + printable(text.slice(at))
}

/** What tells people where a transcript comes from: an address or a path. The name of an upload tells them nothing. */
const placeOf = ({ source, source_label: label }: Hit): string =>
  label === undefined || label === source?.media_ref || label === source?.kind ? "" : `  ${printable(label)}`

/** Lines of one transcript in their order, each once: what is around one hit may be another hit, or be around it too. */
const linesOf = (found: ReadonlyArray<Hit>, isBold: boolean): ReadonlyArray<string> => {
  const lines = new Map<string, { readonly start: number; readonly shown: string }>()
  const put = ({ start, text }: { readonly start: number; readonly text: string }, shown: string) =>
    lines.set(`${start} ${text}`, { start, shown })
  for (const { before, after } of found)
    for (const each of [...before, ...after]) put(each, line(" ", each, printable(each.text)))
  // Older servers tell the begin of the line alone.
  for (const hit of found) put(hit, line(">", { ...hit, start: hit.at ?? hit.start }, marked(hit, isBold)))
  return [...lines.values()].sort((one, other) => one.start - other.start).map(({ shown }) => shown)
}

const hits = (data: ReadonlyArray<Hit>, isBold: boolean): string => {
  const byJob = new Map<string, Array<Hit>>()
  for (const hit of data) byJob.set(hit.id, [...(byJob.get(hit.id) ?? []), hit])
  return [...byJob.values()]
    .map((found) => {
      const [first] = found
      const head = first && `${printable(first.title ?? "untitled")} (${first.id})${placeOf(first)}\n`
      return [head, ...linesOf(found, isBold)].join("")
    })
    .join("\n")
}

const BLANK = /\s/
const QUOTE = /["“”„«»]/

/** An argument with blanks was quoted in the shell: its words are meant one after the other. */
const phraseOf = (argument: string): string =>
  BLANK.test(argument.trim()) && !QUOTE.test(argument) ? `"${argument}"` : argument

const MOST_WITHOUT_PAGES = 1_000_000

const MORE_LINES = "There may be more: --all lists them, --limit more of them."

/** A search by a pattern has no pages: it ends where it has found as many as were wanted. */
const outcomeOf =
  (limit: number | null) =>
  (found: SearchResults): string => {
    const more = andMore(found) ?? (limit !== null && found.data.length === limit ? MORE_LINES : null)
    const least = found.total_is_exact === false ? "At least " : ""
    return `${least}${counted(found.total, "line")} found.${more === null ? "" : ` ${more}`}`
  }

const withFilters = (given: ReadonlyArray<string>): string =>
  given.length === 0 ? "" : ` with ${given.join(" and ")}`

export const search = (options: Given<typeof searchSpec>) =>
  Effect.gen(function* () {
    if (options.words.length === 0)
      return yield* usage("earmark search needs <words>. See earmark search --help.")
    const library = yield* libraryOf(options)
    const job = options.job !== undefined ? yield* library.idOf(options.job) : null
    const filters = {
      feed: options.feed,
      speaker: options.speaker,
      context: options.context ?? (process.stdout.isTTY && !options.json ? 1 : 0),
    }
    const dates =
      job === null
        ? {
            created_after: yield* timeIn("--after", options.after),
            created_before: yield* timeIn("--before", options.before),
          }
        : {}
    const hasDates = options.after !== undefined || options.before !== undefined
    if (hasDates && (options.regex || job !== null))
      return yield* usage("--after and --before choose transcripts. Leave out --regex and --job.")
    const found = options.regex
      ? yield* library.searchPattern(job, {
          ...filters,
          pattern: options.words.join(" "),
          limit: options.all ? MOST_WITHOUT_PAGES : options.limit,
        })
      : yield* pageOf(options, (place) =>
          library.search(job, { ...filters, ...dates, ...place, q: options.words.map(phraseOf).join(" ") }),
        )
    const isBold = process.stdout.isTTY && (yield* isColoured(options.color))
    if (found.data.length > 0 || options.json)
      yield* show(
        found,
        options.json,
        ({ data }) => hits(data, isBold),
        outcomeOf(options.regex && !options.all ? options.limit : null),
      )
    if (found.data.length === 0)
      return yield* failed(
        `Nothing was found for "${printable(options.words.join(" "))}"${withFilters(narrowedBy({ "--job": options.job, "--feed": options.feed, "--speaker": options.speaker, "--after": options.after, "--before": options.before }))}.`,
      )
  })
