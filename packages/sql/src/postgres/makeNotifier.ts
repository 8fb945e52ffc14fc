import type { JobTold } from "@earmark/service"
import { type Duration, Effect, Queue } from "effect"
import type { Work } from "../database/Wakes.js"

export const CHANNEL = "earmark"

/** Jobs that have changed: `sender account/job account/ …`. */
export const NEWS_CHANNEL = "earmark_jobs"

/** A notice holds no more than 8000 bytes. */
const MOST_IN_ONE = 120

const nameOf = ({ account, job }: JobTold): string => `${account}/${job ?? ""}`

const notices = (sender: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.flatMap((_, at) =>
    at % MOST_IN_ONE === 0 ? [[sender, ...names.slice(at, at + MOST_IN_ONE)].join(" ")] : [],
  )

/** What another process has told; nothing when it was ourselves. */
export const toldIn = (payload: string, self: string): ReadonlyArray<JobTold> => {
  const [sender, ...names] = payload.split(" ")
  if (sender === self) return []
  return names.map((name) => {
    const [account = "", job = ""] = name.split("/")
    return { account, job: job === "" ? null : job }
  })
}

/**
 * Tells other processes that there may be work, and which jobs have changed: from a connection of its own, never inside a transaction that
 * writes (that would make commits wait for each other), and everything of a `pause` together.
 */
export const makeNotifier = (
  notify: (channel: string, payload: string) => Effect.Effect<void>,
  pause: Duration.DurationInput,
  self: string,
) =>
  Effect.gen(function* () {
    const works = new Set<Work>()
    const jobs = new Set<string>()
    const signal = yield* Queue.sliding<void>(1)

    const send = Effect.suspend(() => {
      const waiting = [
        ...[...works].map((work) => notify(CHANNEL, work)),
        ...notices(self, [...jobs]).map((notice) => notify(NEWS_CHANNEL, notice)),
      ]
      works.clear()
      jobs.clear()
      return Effect.all(waiting, { concurrency: "unbounded", discard: true })
    })
    yield* Queue.take(signal).pipe(
      Effect.zipRight(send),
      Effect.zipRight(Effect.sleep(pause)),
      Effect.forever,
      Effect.forkScoped,
    )

    const soon = (add: () => void) =>
      Effect.suspend(() => {
        add()
        return Effect.asVoid(Queue.offer(signal, undefined))
      })
    return {
      work: (work: Work) => soon(() => works.add(work)),
      job: (told: JobTold) => soon(() => jobs.add(nameOf(told))),
    }
  })
