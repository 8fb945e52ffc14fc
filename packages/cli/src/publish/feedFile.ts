import { feedTextOf } from "@earmark/batch"
import { Effect } from "effect"
import { usage } from "../CommandFailed.js"
import { isAddress, readAll } from "../input.js"

const MOST_BYTES = 256 * 1024 * 1024

export const readFeedFile = Effect.fnUntraced(function* (source: string) {
  if (isAddress(source))
    return yield* usage(
      `--feed takes a file, and ${source} is an address. Fetch it first: curl -L ADDRESS -o feed.xml`,
    )
  return feedTextOf(Buffer.from(yield* readAll(source, MOST_BYTES)))
})
