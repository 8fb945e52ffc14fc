import { Clock, Effect } from "effect"
import type { Span } from "../ports/JobQueue.js"
import type { Checkpoints, HearingOptions } from "./Checkpoints.js"

/** Reports are no more frequent than this, in milliseconds. */
const EVERY = 1000
/** More than this is done only when everything is. */
const MOST = 0.99

/**
 * Follows spans that finish in any order. Spans are handed on in the order of time; what is reported is the moment before which everything
 * was heard.
 */
export const makeProgress = Effect.fnUntraced(function* <E, E2>(
  media: { readonly durationSeconds: number | null } & Pick<HearingOptions, "startAt" | "endAt">,
  report: Checkpoints<E>["report"],
  follow: (span: Span) => Effect.Effect<void, E2>,
) {
  const first = (media.startAt ?? 0) / 1000
  const last =
    media.durationSeconds === null
      ? null
      : Math.min(media.durationSeconds, (media.endAt ?? Number.POSITIVE_INFINITY) / 1000)
  const waiting = new Map<number, Span>()
  const began = yield* Clock.currentTimeMillis
  let next = 0
  let heardSeconds = first
  let reportedAt = Number.NEGATIVE_INFINITY
  /** Where hearing began in this run: what comes from checkpoints says nothing about the speed. */
  let freshFrom: number | null = null
  const order = yield* Effect.makeSemaphore(1)

  const shareAt = (seconds: number): number | null =>
    last === null || last <= first ? null : Math.min(MOST, Math.max(0, (seconds - first) / (last - first)))

  const secondsLeft = (now: number): number | null => {
    if (last === null || freshFrom === null || heardSeconds <= freshFrom) return null
    const perSecond = (now - began) / 1000 / (heardSeconds - freshFrom)
    return Math.max(0, Math.round((last - heardSeconds) * perSecond))
  }

  const handOn = Effect.gen(function* () {
    for (let span = waiting.get(next); span !== undefined; span = waiting.get(next)) {
      waiting.delete(next)
      next += 1
      heardSeconds = Math.max(heardSeconds, span.end / 1000)
      yield* follow(span)
    }
    const now = yield* Clock.currentTimeMillis
    if (now - reportedAt < EVERY) return
    reportedAt = now
    yield* report({ heardSeconds, share: shareAt(heardSeconds), secondsLeft: secondsLeft(now) })
  })

  /** A span is there: heard just now, or kept from before. */
  const finished = (span: Span, isFresh: boolean) =>
    order.withPermits(1)(
      Effect.suspend(() => {
        if (isFresh) freshFrom ??= Math.max(heardSeconds, first)
        waiting.set(span.index, span)
        return handOn
      }),
    )

  return { finished }
})
