/** Lists of feeds, as podcast apps export them. */
import type { Opml } from "@earmark/core/xml"
import { printable } from "../output.js"
import { tableOf } from "../table.js"
import { counted } from "../transcribe/figures.js"

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
