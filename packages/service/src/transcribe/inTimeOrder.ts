import { Effect } from "effect"
import type { Span } from "../ports/JobQueue.js"

/**
 * Spans of several channels, each in its own order, handed on in the order of time: a span waits until no channel can bring an earlier
 * one. They are numbered anew.
 */
export const inTimeOrder = Effect.fnUntraced(function* <E>(
  channels: ReadonlyArray<number>,
  follow: (span: Span) => Effect.Effect<void, E>,
) {
  const reached = new Map(channels.map((channel) => [channel, Number.NEGATIVE_INFINITY]))
  let waiting: ReadonlyArray<Span> = []
  let index = 0
  const order = yield* Effect.makeSemaphore(1)

  const handOn = Effect.gen(function* () {
    const until = Math.min(...reached.values())
    const ready = waiting
      .filter(({ start }) => start <= until)
      .sort((left, right) => left.start - right.start)
    waiting = waiting.filter(({ start }) => start > until)
    for (const span of ready) yield* follow({ ...span, index: index++ })
  })

  const after = (change: () => void) => order.withPermits(1)(Effect.zipRight(Effect.sync(change), handOn))

  /** A span of a channel, in its order. */
  const add = (channel: number, span: Span) =>
    after(() => {
      waiting = [...waiting, span]
      reached.set(channel, span.start)
    })

  /** A channel brings no more. */
  const end = (channel: number) => after(() => void reached.set(channel, Number.POSITIVE_INFINITY))

  return { add, end }
})
