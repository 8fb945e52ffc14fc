import { Effect } from "effect"
import { BatchRefused } from "../BatchRefused.js"
import type { AskedSource } from "../run/tasks.js"
import { isOpml } from "../sources/named.js"
import { readAsked } from "./readAsked.js"
import { readFeedList } from "./readFeedList.js"
import { readList } from "./readList.js"
import { asInLists, type NameOption, type Written } from "./Written.js"

export interface WrittenSources<R> {
  /** As they were given: files, folders, patterns, addresses, or OPML files, which stand for their feeds. */
  readonly sources: ReadonlyArray<string>
  /** A list of further sources: a file, or standard input. */
  readonly from: string | null
  /** What is asked of each, unless its line of the list says otherwise. */
  readonly written: Written
  /** Reads the text of a list, and fails with the reason. */
  readonly read: (list: string) => Effect.Effect<string, { readonly message: string }, R>
  readonly nameOption?: NameOption
}

const refused = (subject: string, message: string) =>
  new BatchRefused({ reason: "list_invalid", subject, message })

/** The sources that were named and those of their list, with what is asked of each. A mistake in any line costs no work. */
export const readSources = Effect.fn("readSources")(function* <R>({
  sources,
  from,
  written,
  read,
  nameOption = asInLists,
}: WrittenSources<R>) {
  const textOf = (list: string) =>
    Effect.mapError(read(list), ({ message }) => refused(list, `The list cannot be read. ${message}`))
  const names = yield* Effect.forEach(sources, (source) =>
    Effect.gen(function* () {
      if (!isOpml(source)) return [source]
      const { feeds } = yield* readFeedList(yield* textOf(source), source)
      return feeds.length > 0
        ? feeds.map(({ url }) => url)
        : yield* refused(source, `${source} lists no feed. Export it again, or name a feed.`)
    }),
  )
  const asked = yield* readAsked(written, nameOption)
  const named = names.flat().map((source): AskedSource => ({ source, asked }))
  if (from === null) return named
  const listed = yield* readList(yield* textOf(from), { from, written, nameOption })
  if (listed.length === 0) return yield* refused(from, `The list ${from} names no source. Write one a line.`)
  return [...named, ...listed]
})
