import { Args, Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { usage } from "../CommandFailed.js"
import type { Page } from "../help.js"
import { readInterval } from "../transcribe/since.js"
import { runTranscribe } from "./runTranscribe.js"
import { requestOf, shared } from "./transcribeOptions.js"

/** How the parser knows it; people write `earmark feed watch`. */
export const FEED_WATCH = "feed-watch"

const feeds = Args.text({ name: "feed" }).pipe(
  Args.withDescription("Addresses of feeds, Apple Podcasts links, or OPML files that list feeds."),
  Args.atLeast(1),
)

const interval = Options.text("interval").pipe(
  Options.withDescription(
    "How often to look: 30m, 6h, 1d (default 30m). A feed that has not changed is not sent again.",
  ),
  Options.withDefault("30m"),
)

const once = Options.boolean("once").pipe(Options.withDescription("Look once, and end: for cron and timers."))

const backlog = Options.integer("backlog").pipe(
  Options.withDescription(
    "How many of the newest episodes to transcribe that are there at the first look (default 0).",
  ),
  Options.withDefault(0),
)

export const feedWatch = Command.make(FEED_WATCH, { feeds, interval, once, backlog, ...shared }, (given) =>
  Effect.gen(function* () {
    if (given.backlog < 0) return yield* usage(`--backlog must be 0 or more, and got ${given.backlog}.`)
    const everySeconds = yield* readInterval(given.interval)
    const feedWatch = { everySeconds, once: given.once, backlog: given.backlog }
    return yield* runTranscribe({ ...requestOf(given, given.feeds), feedWatch }, given)
  }),
).pipe(Command.withDescription("Transcribe new episodes of feeds as they appear."))

export const feedWatchPage: Page = {
  name: "watch",
  descriptor: feedWatch.descriptor,
  examples: [
    "earmark feed watch https://example.com/feed.xml -o podcasts/",
    "earmark feed watch https://example.com/feed.xml --once --backlog 1 -f srt",
    "earmark feed watch subscriptions.opml -o podcasts/",
  ],
  children: [],
}
