import type { SearchResults } from "@earmark/api/client"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import type { Page } from "../help.js"
import { libraryOf } from "../library/libraryOf.js"
import { printable } from "../output.js"
import { clockOf, counted } from "../transcribe/figures.js"
import { andMore, cursor, json, limit, show } from "./administration/administer.js"
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

const line = (
  mark: string,
  { start, speaker, text }: { start: number; speaker: string | null; text: string },
) =>
  `${mark} ${clockOf(start).padStart(8)}  ${speaker === null ? "" : `${printable(speaker)}: `}${printable(text)}\n`

const hits = ({ data }: SearchResults): string => {
  let title = ""
  const blocks = data.map((hit) => {
    const name = `${printable(hit.title ?? "untitled")} (${hit.id})`
    const head = name === title ? "" : `${title === "" ? "" : "\n"}${name}\n`
    title = name
    const before = hit.before.map((each) => line(" ", each))
    const after = hit.after.map((each) => line(" ", each))
    return [head, ...before, line(">", hit), ...after].join("")
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
  { query, ...place, job, speaker, feed, context, limit, cursor, json },
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
      yield* show(found, options.json, hits, outcome)
    }),
).pipe(Command.withDescription("Find what was said, in one transcript or in all of them."))

export const searchPage: Page = {
  name: "search",
  descriptor: search.descriptor,
  examples: ['earmark search "climate report" --context 1', 'earmark search budget --job "$JOB" --json'],
  children: [],
}
