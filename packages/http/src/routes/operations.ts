import { operations as declared } from "@earmark/core/operations"
import { ExportArchives, makeOperations, type Operations, Recordings, Transcriptions } from "@earmark/service"
import { Effect, Struct } from "effect"
import type { Arrived } from "../requests/Arrived.js"
import { makeSlots, type SlotLimits } from "../requests/Slots.js"
import { Stopping } from "../server/Stopping.js"
import { compressed } from "./compressed.js"
import { withEtag } from "./conditional.js"
import { eventRoutes } from "./events.js"
import { archiveReply, bytesReply, fileReply } from "./files.js"
import { type Request, route, routeAnswering, routeReplying } from "./Route.js"

/** Reads that wait for the end of a job, as many at once as may be. */
const makeWaitingRead = (limits: SlotLimits, get: Operations["transcriptions.get"]) =>
  Effect.map(Stopping, (stopping) => {
    const waits = makeSlots(limits.waitingReads, "waiting reads")
    return (request: Request<"transcriptions.get">) => {
      const { caller, query } = request
      if ((query.wait ?? 0) === 0) return get(request)
      const now = get({ ...request, query: { ...query, wait: 0 } })
      // A poll that waits ends with the process, and not with an error.
      const waiting = Effect.raceFirst(get(request), Effect.zipRight(stopping.awaited, now))
      return Effect.acquireUseRelease(
        waits.take(caller.key),
        () => waiting,
        (free) => Effect.sync(free),
      )
    }
  })

/** Work that changes nothing ends when whoever asked for it is gone. */
const whileThere = <A, E>(arrived: Arrived, work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.raceFirst(
    work,
    Effect.async<never>((resume) => arrived.whenOver(() => resume(Effect.interrupt))),
  )

const QUESTIONS: ReadonlyArray<keyof Operations> = ["transcriptions.ask", "transcriptions.askAll"]

/** Every operation of the table. */
export const operationRoutes = Effect.fnUntraced(function* (baseUrl: string, limits: SlotLimits) {
  const operations = yield* makeOperations
  const jobs = yield* Transcriptions
  const archives = yield* ExportArchives
  const recordings = yield* Recordings
  const read = yield* makeWaitingRead(limits, operations["transcriptions.get"])
  return [
    ...(yield* eventRoutes(baseUrl, limits)),
    withEtag(
      routeReplying("transcriptions.export", ({ caller, path, query }) =>
        Effect.map(jobs.export(caller.account, path.id, query), (file) => fileReply(file, path.id)),
      ),
    ),
    routeReplying("transcriptions.exportAll", ({ caller, query }) =>
      Effect.map(archives.create(caller.account, query), archiveReply),
    ),
    withEtag(
      routeReplying("transcriptions.waveform", ({ caller, path, query }) =>
        Effect.map(recordings.waveform(caller.account, path.id, query), bytesReply),
      ),
    ),
    routeAnswering("transcriptions.ask", (request) =>
      whileThere(request.arrived, operations["transcriptions.ask"](request)),
    ),
    routeAnswering("transcriptions.askAll", (request) =>
      whileThere(request.arrived, operations["transcriptions.askAll"](request)),
    ),
    ...Struct.keys(operations)
      .filter((id) => !QUESTIONS.includes(id))
      .map((id) => {
        const plain = id === "transcriptions.get" ? routeAnswering(id, read) : route(id, operations[id])
        const tagged = "hasEtag" in declared[id] ? withEtag(plain) : plain
        return "isCompressed" in declared[id] ? compressed(tagged) : tagged
      }),
  ]
})
