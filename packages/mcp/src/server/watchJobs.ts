import type { JobSummary } from "@earmark/core/jobs"
import { decodeListQuery } from "@earmark/core/wire"
import { type JobHeard, type JobNews, TimeLimit } from "@earmark/service"
import { Effect, Either, Fiber, Queue, Runtime, Stream } from "effect"
import type { TranscriptionBackend } from "../TranscriptionBackend.js"
import { type Change, type Changes, makeChanges } from "./Changes.js"

type Backend = TranscriptionBackend["Type"]

/** How many of the newest transcriptions are looked at. */
const NEWEST = "50"

/** What is told in between is looked at together. */
const LEAST_PAUSE = "100 millis"
/** While somebody tells what changes, and nothing is being worked on. */
const QUIET_PAUSE_SECONDS = 15

interface Seen {
  readonly state: string
  readonly createdAt: number
}

interface Look {
  readonly jobs: ReadonlyMap<string, Seen>
  /** Whether any of them is worked on: how far that has come is told by nobody. */
  readonly isBusy: boolean
  /** Nothing from before this moment was looked at. */
  readonly since: number
}

/** What a reader can see of a job without its content. */
const stateOf = ({ status, phase, progress, title }: JobSummary): string =>
  JSON.stringify([status, phase, progress, title])

const lookOf = (jobs: ReadonlyArray<JobSummary>, isWhole: boolean): Look => {
  const seen = jobs.map(
    (job) => [job.id, { state: stateOf(job), createdAt: job.createdAt.epochMillis }] as const,
  )
  const moments = seen.map(([, { createdAt }]) => createdAt)
  return {
    jobs: new Map(seen),
    isBusy: jobs.some(({ status, startedAt }) => status === "queued" && startedAt !== null),
    since: isWhole ? 0 : Math.min(...moments),
  }
}

/** `named`: jobs of which it was told that they have changed; such a one may be older than what is looked at. */
const changesBetween = (
  account: string,
  before: Look | null,
  now: Look,
  named: ReadonlySet<string>,
): ReadonlyArray<Change> => {
  if (before === null) return [...named].map((id) => ({ account, id, kind: "updated" }))
  const come = [...now.jobs].flatMap(([id, { state }]): ReadonlyArray<Change> => {
    const known = before.jobs.get(id)
    if (known?.state === state) return []
    return [{ account, id, kind: known === undefined ? "created" : "updated" }]
  })
  const gone = [...before.jobs].flatMap(
    ([id, { createdAt }]): ReadonlyArray<Change> =>
      now.jobs.has(id) || createdAt <= now.since ? [] : [{ account, id, kind: "removed" }],
  )
  const old = [...named].flatMap(
    (id): ReadonlyArray<Change> =>
      now.jobs.has(id) || before.jobs.has(id) ? [] : [{ account, id, kind: "updated" }],
  )
  return [...come, ...gone, ...old]
}

const newestOf = (backend: Backend) =>
  Either.match(decodeListQuery({ limit: NEWEST }), {
    onLeft: () => Effect.succeed(lookOf([], true)),
    onRight: (query) =>
      Effect.map(backend.ask("transcriptions.list", { query }), ({ data, nextCursor }) =>
        lookOf(data, nextCursor === null),
      ),
  })

/** Somebody listens to an account. */
interface Watched {
  listeners: number
  /** What was told and is to be looked at. */
  readonly hints: Queue.Queue<JobHeard>
  readonly stop: () => void
}

export interface WatchOptions {
  readonly runtime: Runtime.Runtime<never>
  /** How often is looked where nobody tells, or something is being worked on. */
  readonly everySeconds: number
  /** Who tells of changes, as far as anybody does. */
  readonly news?: JobNews["Type"] | undefined
}

/**
 * Changes found by looking, for as long as somebody listens: at the newest transcriptions of an account, when it is told that something of
 * it has changed, and every so many seconds. So nothing is lost when nobody tells, whichever process works on them.
 */
export const watchJobs = (
  backendOf: (account: string) => Backend | undefined,
  { runtime, everySeconds, news }: WatchOptions,
): Changes => {
  const { listen, tell } = makeChanges()
  const watched = new Map<string, Watched>()
  const fork = Runtime.runFork(runtime)

  const hear = (heard: JobHeard): void => {
    const those = heard === "missed" ? [...watched.values()] : [watched.get(heard.account)]
    for (const each of those) each?.hints.unsafeOffer(heard)
  }
  let hearing: Fiber.RuntimeFiber<void> | null = null
  const beginHearing = () => {
    if (news === undefined || hearing !== null) return
    hearing = fork(Stream.runForEach(news.heard, (heard) => Effect.sync(() => hear(heard))))
  }
  const endHearing = () => {
    if (hearing !== null) fork(Fiber.interrupt(hearing))
    hearing = null
  }

  const pauseAfter = ({ isBusy }: Look) =>
    news === undefined || isBusy
      ? Effect.succeed(everySeconds)
      : Effect.map(news.isComplete, (isComplete) => (isComplete ? QUIET_PAUSE_SECONDS : everySeconds))

  const watch = (account: string, backend: Backend) => {
    const hints = Runtime.runSync(runtime)(Queue.sliding<JobHeard>(1000))
    let before: Look | null = null
    const look = Effect.gen(function* () {
      const told = [...(yield* Queue.takeAll(hints))].filter((heard) => heard !== "missed")
      const now = yield* newestOf(backend)
      const named = new Set(told.flatMap(({ job }) => (job === null ? [] : [job])))
      for (const change of changesBetween(account, before, now, named)) tell(change)
      if (told.some(({ job }) => job === null)) tell({ account, kind: "credits" })
      before = now
      return yield* pauseAfter(now)
    }).pipe(
      // A service that is away for a moment has not changed.
      Effect.catchAll(() => Effect.succeed(everySeconds)),
    )
    const told = Effect.flatMap(Queue.take(hints), (hint) => Queue.offer(hints, hint))
    const fiber = fork(
      Effect.flatMap(look, (seconds) =>
        Effect.zipRight(Effect.sleep(LEAST_PAUSE), TimeLimit.option(told, `${seconds} seconds`)),
      ).pipe(Effect.forever),
    )
    return { hints, stop: () => void fork(Fiber.interrupt(fiber)) }
  }

  return {
    listen: (account, listener) => {
      const stopListening = listen(account, listener)
      const backend = backendOf(account)
      if (backend === undefined) return stopListening
      beginHearing()
      const known = watched.get(account) ?? { listeners: 0, ...watch(account, backend) }
      known.listeners += 1
      watched.set(account, known)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        stopListening()
        known.listeners -= 1
        if (known.listeners > 0) return
        known.stop()
        watched.delete(account)
        if (watched.size === 0) endHearing()
      }
    },
  }
}
