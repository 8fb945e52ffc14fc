import type { Opml } from "@earmark/core/xml"
import type { EpisodeList } from "@earmark/media"
import { printable } from "../output.js"
import { tableOf } from "../table.js"
import { clockOf, counted } from "../transcribe/figures.js"

/** A line for each episode, with the number that `--episode` takes. */
export const asTable = ({ total, feed, data }: EpisodeList): string => {
  const isNewest = data.every(({ index }, at) => index === at)
  const shown =
    data.length === total
      ? ""
      : isNewest && data.length > 0
        ? `, the newest ${data.length}`
        : `, ${data.length} that fit`
  const head = `${printable(feed.title ?? "Untitled feed")}: ${counted(total, "episode")}${shown}\n`
  if (data.length === 0) return head
  return (
    head +
    tableOf(
      [
        { head: "episode", cell: ({ index }) => index },
        { head: "day", cell: ({ published_at }) => published_at?.slice(0, 10) ?? null },
        {
          head: "length",
          cell: ({ duration_seconds: seconds }) => (seconds === null ? null : clockOf(seconds)),
          isFlushRight: true,
        },
        { head: "title", cell: ({ title, guid }) => title ?? guid },
      ],
      data,
    )
  )
}

/** Everything that is known of each episode, a fact a line. */
export const asPages = ({ data }: EpisodeList): string =>
  data
    .map((episode) =>
      Object.entries(episode)
        .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
        .map(
          ([name, value]) =>
            `${name}: ${printable(typeof value === "string" ? value : JSON.stringify(value))}`,
        )
        .join("\n"),
    )
    .join("\n\n")
    .concat("\n")

/** A line for each feed. */
export const opmlAsTable = ({ title, feeds }: Opml): string => {
  const head = `${printable(title ?? "Untitled list")}: ${counted(feeds.length, "feed")}\n`
  if (feeds.length === 0) return head
  return (
    head +
    tableOf(
      [
        { head: "title", cell: ({ title }) => title },
        { head: "category", cell: ({ category }) => category },
        { head: "address", cell: ({ url }) => url },
      ],
      feeds,
    )
  )
}
