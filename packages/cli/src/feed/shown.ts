import { printable } from "../output.js"
import { clockOf, counted } from "../transcribe/figures.js"
import type { EpisodeList } from "./EpisodeList.js"

export const asJson = (list: EpisodeList): string => `${JSON.stringify(list, null, 2)}\n`

/** A line for each episode. */
export const asTable = ({ total, feed, data }: EpisodeList): string => {
  const lines = data.map(({ index, published_at, duration_seconds, title, guid }) => {
    const day = published_at?.slice(0, 10) ?? "no date"
    const length = duration_seconds === null ? "?" : clockOf(duration_seconds)
    return `${String(index).padStart(5)}  ${day.padEnd(10)}  ${length.padStart(8)}  ${printable(title ?? guid)}`
  })
  const shown = data.length < total ? `, the newest ${data.length}` : ""
  return [
    `${printable(feed.title ?? "Untitled feed")}: ${counted(total, "episode")}${shown}`,
    ...lines,
    "",
  ].join("\n")
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
