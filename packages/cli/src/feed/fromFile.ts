import { Clock, Effect, Either, Stream } from "effect"
import { failed } from "../CommandFailed.js"
import { open } from "../input.js"
import type { Listed, Wanted } from "./EpisodeList.js"
import { onWire } from "./onWire.js"

/** The episodes of a feed in a file, or on standard input. */
export const fromFile = Effect.fn("fromFile")(function* (source: string, { limit, details }: Wanted) {
  const { feedReader } = yield* Effect.promise(() => import("@earmark/core/feeds"))
  const reader = feedReader({ newest: limit, details, now: yield* Clock.currentTimeMillis })
  yield* Stream.runForEach(yield* open(source), (chunk) => Effect.sync(() => reader.push(chunk)))
  const read = reader.end()
  if (Either.isLeft(read)) return yield* failed(`${source}: ${read.left.message}`)
  const listed: Listed = { list: onWire(read.right), isCutOff: read.right.isCutOff }
  return listed
})
