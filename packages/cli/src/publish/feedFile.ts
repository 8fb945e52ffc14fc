import { feedTextOf } from "@earmark/batch"
import { Effect } from "effect"
import { isAddress, readAll } from "../input.js"

const MOST_BYTES = 256 * 1024 * 1024

// What fetches is large, and loaded for addresses alone.
const loadWeb = Effect.promise(() => import("../feed/fromWeb.js"))

/** A feed to be written anew, from a file or an address. */
export const readFeedFile = Effect.fnUntraced(function* (source: string) {
  const bytes = isAddress(source)
    ? yield* (yield* loadWeb).downloadFeed(source)
    : yield* readAll(source, MOST_BYTES)
  return { source, ...feedTextOf(Buffer.from(bytes)) }
})
