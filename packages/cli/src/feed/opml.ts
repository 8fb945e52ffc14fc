/** Lists of feeds, as podcast apps export them. */
import type { Opml } from "@earmark/core/xml"
import { Effect, Either } from "effect"
import { failed } from "../CommandFailed.js"
import { isAddress } from "../input.js"
import { printable, printableJson } from "../output.js"
import { tableOf } from "../table.js"
import { counted } from "../transcribe/figures.js"

/** Whether a file is named like a list of feeds. */
export const isOpml = (source: string): boolean => !isAddress(source) && /\.opml$/i.test(source)

/** The feeds in the text of a list, and what the list calls itself. */
export const opmlOf = Effect.fn("opmlOf")(function* (text: string, source: string) {
  const { readOpml } = yield* Effect.promise(() => import("@earmark/core/xml"))
  const read = readOpml(text)
  return Either.isRight(read)
    ? read.right
    : yield* failed(`Cannot read the feeds in ${source}: ${read.left.message}`)
})

export const opmlAsJson = ({ title, feeds }: Opml): string =>
  `${printableJson({ total: feeds.length, title, data: feeds }, 2)}\n`

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
