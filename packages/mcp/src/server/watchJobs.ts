import { decodeListQuery, type JobSummary } from "@earmark/core/jobs"
import { Effect, Either, Fiber, Runtime } from "effect"
import type { TranscriptionBackend } from "../TranscriptionBackend.js"
import { type Change, type Changes, makeChanges } from "./Changes.js"

type Backend = TranscriptionBackend["Type"]

/** How many of the newest transcriptions are looked at. */
const NEWEST = "50"

/** What a reader can see of a job without its content. */
const stateOf = ({ status, phase, progress, title }: JobSummary): string =>
  JSON.stringify([status, phase, progress, title])

const differences = (
  account: string,
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): ReadonlyArray<Change> =>
  [...now].flatMap(([id, state]): ReadonlyArray<Change> => {
    const known = before.get(id)
    if (known === state) return []
    return [{ account, id, kind: known === undefined ? "created" : "updated" }]
  })

const newestOf = (backend: Backend) =>
  Either.match(decodeListQuery({ limit: NEWEST }), {
    onLeft: () => Effect.succeed(new Map<string, string>()),
    onRight: (query) =>
      Effect.map(backend.list(query), ({ data }) => new Map(data.map((job) => [job.id, stateOf(job)]))),
  })

/**
 * Changes found by looking, for as long as somebody listens: the newest transcriptions of an account, every so many seconds. So they
 * are heard of whichever process works on them.
 */
export const watchJobs = (
  backendOf: (account: string) => Backend | undefined,
  { runtime, everySeconds }: { readonly runtime: Runtime.Runtime<never>; readonly everySeconds: number },
): Changes => {
  const { listen, tell } = makeChanges()
  const watched = new Map<string, { listeners: number; readonly stop: () => void }>()

  const watch = (account: string, backend: Backend) => {
    let before: ReadonlyMap<string, string> | null = null
    const look = Effect.gen(function* () {
      const now: ReadonlyMap<string, string> = yield* newestOf(backend)
      if (before !== null) for (const change of differences(account, before, now)) tell(change)
      before = now
    }).pipe(
      // A service that is away for a moment has not changed.
      Effect.catchAll(() => Effect.void),
      Effect.zipRight(Effect.sleep(`${everySeconds} seconds`)),
      Effect.forever,
    )
    const fiber = Runtime.runFork(runtime)(look)
    return () => {
      Runtime.runFork(runtime)(Fiber.interrupt(fiber))
    }
  }

  return {
    listen: (account, hear) => {
      const stopListening = listen(account, hear)
      const backend = backendOf(account)
      if (backend === undefined) return stopListening
      const known = watched.get(account) ?? { listeners: 0, stop: watch(account, backend) }
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
      }
    },
  }
}
