/** What is looked for in what was heard. */
import { Effect } from "effect"
import type { Contents } from "./contents.js"
import { headPath } from "./entries.js"
import type { Heads } from "./heads.js"
import type { Library } from "./Library.js"
import { damaged } from "./LibraryRefused.js"
import { searchEach, searchEntries, searchEntry, searchedIn, withMoments } from "./searchEntries.js"
import { readPattern } from "./searchPattern.js"

export const makeSearching = (
  { folder, entries, oneOfEach, find, finished, tellDamaged }: Heads,
  { contentOf }: Pick<Contents, "contentOf">,
) => {
  const search: Library["search"] = Effect.fnUntraced(function* (id, query) {
    if (id !== null) {
      yield* finished(id)
      const head = yield* find(id)
      const job = searchedIn(head, 0) ?? (yield* damaged(id, headPath(folder, head.job)))
      const { feed: _, ...inOne } = query
      return yield* searchEntry({ job, content: yield* contentOf(id) }, inOne)
    }
    const { answer, unreadable } = yield* searchEntries(folder, yield* oneOfEach, query)
    yield* tellDamaged(unreadable)
    return yield* withMoments(answer, contentOf)
  })

  const searchPattern: Library["searchPattern"] = Effect.fnUntraced(function* (id, query) {
    const pattern = yield* readPattern(query.pattern)
    const among = id === null ? yield* oneOfEach : (yield* entries).filter((each) => each.id === id)
    const meant = among.filter(({ status }) => status === "done")
    if (id !== null) yield* finished(id)
    const { hits, unreadable } = yield* searchEach(folder, meant, pattern, query)
    yield* tellDamaged(unreadable)
    const data = hits.slice(0, query.limit)
    const has_more = hits.length > data.length
    const answer = {
      query: query.pattern,
      total: hits.length,
      total_is_exact: true,
      data,
      has_more,
      next_cursor: null,
    }
    return yield* withMoments(answer, contentOf)
  })

  return { search, searchPattern }
}
