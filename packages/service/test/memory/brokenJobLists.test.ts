import { Effect } from "effect"
import { suiteCatches } from "./breaking.js"
import { breaking } from "./breakingJobs.js"

suiteCatches("JobStore", [
  breaking(
    "forgets what ended since a moment",
    (store) => ({ changed: (account, which) => store.changed(account, { ...which, since: null }) }),
    "jobs that may have changed are those that run, were created or ended since a moment, or are named",
  ),
  breaking(
    "begins a page at a place that moves when jobs come in",
    (store) => {
      const offsets = new Map<string, number>()
      return {
        list: (account, filter) =>
          Effect.gen(function* () {
            const key = filter.after?.id ?? ""
            const from = filter.after === null ? 0 : (offsets.get(key) ?? 0)
            const all = yield* store.list(account, { ...filter, after: null, limit: 10_000 })
            const items = all.items.slice(from, from + filter.limit)
            const last = items.at(-1)
            const next = last === undefined || from + filter.limit >= all.items.length ? null : last
            if (next !== null) offsets.set(next.id, from + filter.limit)
            return { items, next }
          }),
      }
    },
    "pages of a list hold each job once, newest first, while new ones come in",
  ),
  breaking(
    "begins a page by its time alone",
    (store) => ({
      list: (account, filter) => {
        const { after } = filter
        const id = filter.order === "asc" ? "zz" : ""
        return store.list(account, { ...filter, after: after === null ? null : { ...after, id } })
      },
    }),
    "pages of a list hold each job once, oldest first, also jobs of one moment",
  ),
  breaking(
    "finds any of the words",
    (store) => ({
      search: (account, filter) => store.search(account, { ...filter, words: filter.words.slice(0, 1) }),
    }),
    "search finds transcripts that hold all words",
  ),
  breaking(
    "leaves the times of words out of candidates and does not say so",
    (store) => ({
      candidates: (account, ids) =>
        Effect.map(store.candidates(account, ids), (candidates) =>
          candidates.map(({ job, content }) => ({
            job,
            isWithoutTimes: false,
            content: { ...content, segments: content.segments.map((line) => ({ ...line, words: [] })) },
          })),
        ),
    }),
    "candidates say whether the times of their words are left out",
  ),
  breaking(
    "finds for a question by its first word alone",
    (store) => ({
      holding: (account, filter) =>
        store.holding(account, { ...filter, beginnings: filter.beginnings.slice(0, 1) }),
    }),
    "a question finds transcripts by how their words begin",
  ),
  breaking(
    "finds for a question in all that is there, whatever the batch",
    (store) => ({ holding: (account, { batch: _, ...filter }) => store.holding(account, filter) }),
    "a question finds transcripts by how their words begin",
  ),
  breaking(
    "begins a search anew each time",
    (store) => ({ search: (account, { from: _, ...filter }) => store.search(account, filter) }),
    "a search goes on where it is told",
  ),
  breaking(
    "forgets the usage of removed jobs",
    (store) => {
      let removed = 0
      return {
        remove: (account, id) => Effect.tap(store.remove(account, id), () => Effect.sync(() => removed++)),
        usage: (account, range) =>
          Effect.map(store.usage(account, range), (groups) =>
            groups.map((group) => ({ ...group, transcriptions: group.transcriptions - removed })),
          ),
      }
    },
    "usage counts done jobs",
  ),
])
