import type { SearchResults } from "@earmark/api/client"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { failed, usage } from "../CommandFailed.js"
import type { Page } from "../help.js"
import { isColoured } from "../isColoured.js"
import { libraryOf } from "../library/libraryOf.js"
import { printable } from "../output.js"
import { clockOf, counted } from "../transcribe/figures.js"
import { andMore, json, pageOf, paging, show } from "./administration/administer.js"
import { colour } from "./colour.js"
import { place } from "./remote/options.js"

const words = Args.text({ name: "words" }).pipe(
  Args.withDescription("What a line must hold: every word, and words in quotes one after the other."),
  Args.repeated,
)

const regex = Options.boolean("regex").pipe(
  Options.withDescription("Take the words for a regular expression, on this machine."),
)

const job = Options.text("job").pipe(
  Options.withDescription("Only in this transcript (tr_...); in all of them when left out."),
  Options.optional,
)

const speaker = Options.text("speaker").pipe(
  Options.withDescription("Only what this speaker says."),
  Options.optional,
)

const feed = Options.text("feed").pipe(
  Options.withDescription("Only in episodes of the feed with this address."),
  Options.optional,
)

const context = Options.integer("context").pipe(
  Options.withDescription("How many lines before and after each to show (default: 1 on a terminal, else 0)."),
  Options.optional,
)

const line = (mark: string, { start, speaker }: { start: number; speaker: string | null }, text: string) =>
  `${mark} ${clockOf(start).padStart(8)}  ${speaker === null ? "" : `${printable(speaker)}: `}${text}\n`

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

/** A hit with the source of its transcript. */
type Sourced = Hit & { readonly source: string | null }

const hits = (data: ReadonlyArray<Sourced>, isBold: boolean): string => {
  let title = ""
  const blocks = data.map((hit) => {
    const source = hit.source === null ? "" : `  ${printable(hit.source)}`
    const name = `${printable(hit.title ?? "untitled")} (${hit.id})${source}`
    const head = name === title ? "" : `${title === "" ? "" : "\n"}${name}\n`
    title = name
    const before = hit.before.map((each) => line(" ", each, printable(each.text)))
    const after = hit.after.map((each) => line(" ", each, printable(each.text)))
    return [head, ...before, line(">", { ...hit, start: momentOf(hit) }, marked(hit, isBold)), ...after].join(
      "",
    )
  })
  return blocks.join("")
}

/** Older services tell the begin of the line alone. */
const momentOf = ({ at, start }: { readonly at?: number; readonly start: number }): number => at ?? start

const BLANK = /\s/
const QUOTE = /["“”„«»]/

/** An argument with blanks was quoted in the shell: its words are meant one after the other. */
const phraseOf = (argument: string): string =>
  BLANK.test(argument.trim()) && !QUOTE.test(argument) ? `"${argument}"` : argument

const MOST_WITHOUT_PAGES = 1_000_000

const outcome = (found: SearchResults): string => {
  const more = andMore(found)
  return `${counted(found.total, "line")} found.${more === null ? "" : ` ${more}`}`
}

export const search = Command.make(
  "search",
  { words, ...place, regex, job, speaker, feed, context, ...paging, json, colour },
  (options) =>
    Effect.gen(function* () {
      if (options.words.length === 0)
        return yield* usage("earmark search needs <words>. See earmark search --help.")
      const library = yield* libraryOf(options)
      const job = Option.isSome(options.job) ? yield* library.idOf(options.job.value) : null
      const filters = {
        feed: Option.getOrUndefined(options.feed),
        speaker: Option.getOrUndefined(options.speaker),
        context: Option.getOrElse(options.context, () => (process.stdout.isTTY && !options.json ? 1 : 0)),
      }
      const found = options.regex
        ? yield* library.searchPattern(job, {
            ...filters,
            pattern: options.words.join(" "),
            limit: options.all ? MOST_WITHOUT_PAGES : options.limit,
          })
        : yield* pageOf(options, (place) =>
            library.search(job, { ...filters, ...place, q: options.words.map(phraseOf).join(" ") }),
          )
      const sources = new Map<string, string | null>()
      for (const { id } of found.data) if (!sources.has(id)) sources.set(id, yield* library.sourceOf(id))
      const data = found.data.map((hit): Sourced => ({ ...hit, source: sources.get(hit.id) ?? null }))
      const isBold = process.stdout.isTTY && (yield* isColoured(options.colour))
      if (data.length > 0 || options.json)
        yield* show({ ...found, data }, options.json, (all) => hits(all.data, isBold), outcome)
      if (data.length === 0)
        return yield* failed(`Nothing was found for "${printable(options.words.join(" "))}".`)
    }),
).pipe(Command.withDescription("Find what was said, in one transcript or in all of them."))

export const searchPage: Page = {
  name: "search",
  descriptor: search.descriptor,
  examples: [
    'earmark search "climate report" --context 1',
    'earmark search budget --job "$JOB" --json',
    "earmark search --regex 'colou?r'",
  ],
  children: [],
}
