import type { ListedFeed, ListingWanted } from "@earmark/media"
import { Effect } from "effect"
import { usage } from "../CommandFailed.js"
import { askTarget } from "../remote/ask.js"
import type { Target } from "../remote/target.js"

/** What a service puts on one page. */
const PAGE = 200

/** The episodes of a feed as a service sees it. */
export const fromService = Effect.fn("fromService")(function* (
  target: Target,
  feed: string,
  { limit, details }: ListingWanted,
) {
  if (details)
    return yield* usage("A server does not tell the details of episodes. Add --local to read the feed here.")
  return yield* askTarget(target, async ({ podcasts }, call): Promise<ListedFeed> => {
    const pages = podcasts.episodes({ feed, limit: Math.min(limit, PAGE) }, call)
    const { total, title = null } = await pages
    const data = []
    for await (const episode of pages) if (data.push(episode) === limit) break
    return { list: { total, returned: data.length, feed: { title }, data }, isCutOff: false }
  })
})
