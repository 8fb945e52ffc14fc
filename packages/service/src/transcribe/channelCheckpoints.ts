import { Effect } from "effect"
import type { Span } from "../ports/JobQueue.js"
import type { Checkpoints, HearingProgress } from "./Checkpoints.js"

/** Progress of channels that are heard side by side: everything before the least of them was heard. */
const joined = (parts: ReadonlyArray<HearingProgress>): HearingProgress => {
  const sharesOf = parts.flatMap(({ share }) => share ?? [])
  const lefts = parts.flatMap(({ secondsLeft }) => secondsLeft ?? [])
  return {
    heardSeconds: Math.min(...parts.map(({ heardSeconds }) => heardSeconds)),
    share:
      sharesOf.length < parts.length ? null : sharesOf.reduce((sum, share) => sum + share, 0) / parts.length,
    secondsLeft: lefts.length === 0 ? null : Math.max(...lefts),
  }
}

/**
 * The checkpoints of several channels in those of one recording: they are loaded once, and a span is kept under a number that tells its
 * channel. `count` is how many channels the sound has, whichever of them are heard.
 */
export const openChannelCheckpoints = Effect.fnUntraced(function* <E>(
  { load, save, report }: Checkpoints<E>,
  plan: string,
  {
    count,
    heard,
    from,
  }: {
    readonly count: number
    readonly heard: ReadonlyArray<number>
    /** Where hearing begins, in seconds. */
    readonly from: number
  },
) {
  const kept = yield* load(plan)
  const progress = new Map<number, HearingProgress>(
    heard.map((channel) => [channel, { heardSeconds: from, share: 0, secondsLeft: null }]),
  )

  const of = (channel: number): Checkpoints<E> => ({
    load: () =>
      Effect.succeed(
        kept
          .filter(({ index }) => index % count === channel)
          .map((span): Span => ({ ...span, index: (span.index - channel) / count })),
      ),
    save: (span) => save({ ...span, index: span.index * count + channel }),
    report: (next) => {
      progress.set(channel, next)
      return report(joined([...progress.values()]))
    },
  })

  /** A channel is over: the others alone say how far it is. */
  const end = (channel: number) =>
    Effect.sync(() => {
      progress.set(channel, { heardSeconds: Number.POSITIVE_INFINITY, share: 1, secondsLeft: null })
    })

  return { of, end }
})
