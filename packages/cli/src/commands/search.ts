import type { SearchResults } from "@earmark/api/client"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import type { Page } from "../help.js"
import { isColoured } from "../isColoured.js"
import { libraryOf } from "../library/libraryOf.js"
import { printable } from "../output.js"
import { clockOf, counted } from "../transcribe/figures.js"
import { andMore, cursor, json, limit, show } from "./administration/administer.js"
import { colour } from "./colour.js"
import { place } from "./remote/options.js"

const query = Args.text({ name: "words" }).pipe(
  Args.withDescription("What a line must hold: every word of it."),
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
  Options.withDescription("How many lines before and after each to show (default 0)."),
  Options.withDefault(0),
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

const hits = ({ data }: SearchResults, isBold: boolean): string => {
  let title = ""
  const blocks = data.map((hit) => {
    const name = `${printable(hit.title ?? "untitled")} (${hit.id})`
    const head = name === title ? "" : `${title === "" ? "" : "\n"}${name}\n`
    title = name
    const before = hit.before.map((each) => line(" ", each, printable(each.text)))
    const after = hit.after.map((each) => line(" ", each, printable(each.text)))
    return [head, ...before, line(">", hit, marked(hit, isBold)), ...after].join("")
  })
  return blocks.join("")
}

const outcome = (found: SearchResults): string => {
  if (found.data.length === 0) return "Nothing was found."
  const more = andMore(found)
  return `${counted(found.total, "line")} found.${more === null ? "" : ` ${more}`}`
}

export const search = Command.make(
  "search",
  { query, ...place, job, speaker, feed, context, limit, cursor, json, colour },
  (options) =>
    Effect.gen(function* () {
      const library = yield* libraryOf(options)
      const job = Option.isSome(options.job) ? yield* library.idOf(options.job.value) : null
      const found = yield* library.search(job, {
        q: options.query,
        feed: Option.getOrUndefined(options.feed),
        speaker: Option.getOrUndefined(options.speaker),
        context: options.context,
        limit: options.limit,
        cursor: Option.getOrUndefined(options.cursor),
      })
      const isBold = process.stdout.isTTY && (yield* isColoured(options.colour))
      yield* show(found, options.json, (all) => hits(all, isBold), outcome)
    }),
).pipe(Command.withDescription("Find what was said, in one transcript or in all of them."))

export const searchPage: Page = {
  name: "search",
  descriptor: search.descriptor,
  examples: ['earmark search "climate report" --context 1', 'earmark search budget --job "$JOB" --json'],
  children: [],
}
