import { feedTextOf } from "@earmark/batch"
import { Effect } from "effect"
import { isAddress, readAll } from "../input.js"

const MOST_BYTES = 256 * 1024 * 1024

// What fetches is large, and loaded for addresses alone.
const loadWeb = Effect.promise(() => import("../feed/fromWeb.js"))

/** A feed to be written anew, from a file or an address. */
export const readFeedFile = Effect.fnUntraced(function* (source: string) {
  if (!isAddress(source)) return feedTextOf(Buffer.from(yield* readAll(source, MOST_BYTES)))
  const { downloadFeed } = yield* loadWeb
  return feedTextOf(yield* downloadFeed(source))
})
