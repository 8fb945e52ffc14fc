import { TranscriptionsApi } from "@earmark/api"
import { decodeCreate, decodeListQuery } from "@earmark/core/jobs"
import { ExportLinks, Transcriptions } from "@earmark/service"
import { Effect } from "effect"
import { makeSlots, type SlotLimits } from "../requests/Slots.js"
import { Stopping } from "../server/Stopping.js"
import { withEtag } from "./conditional.js"
import { eventRoute } from "./events.js"
import { fileReply } from "./files.js"
import { placed, replay, route, routeReading, routeReplying, told } from "./Route.js"

export const transcriptionRoutes = Effect.fnUntraced(function* (limits: SlotLimits) {
  const jobs = yield* Transcriptions
  const links = yield* ExportLinks
  const stopping = yield* Stopping
  const waits = makeSlots(limits.waitingReads, "waiting reads")

  return [
    routeReading(TranscriptionsApi.create, { body: decodeCreate }, ({ body, caller, context }) =>
      Effect.map(jobs.create(caller.account, body, context), ({ answer, replayed }) => ({
        value: answer.status === "done" ? { ...answer, status: "done" } : { ...answer, status: "queued" },
        status: answer.status === "done" ? 200 : 202,
        headers: {
          ...replay(replayed),
          ...(answer.status === "done" ? {} : placed(TranscriptionsApi.get, answer.id)),
        },
      })),
    ),
    routeReading(TranscriptionsApi.list, { query: decodeListQuery }, ({ caller, query }) =>
      told(jobs.list(caller.account, query)),
    ),
    withEtag(
      route(TranscriptionsApi.get, ({ caller, path, query }) => {
        if ((query.wait ?? 0) === 0) return told(jobs.get(caller.account, path.id, query))
        const now = jobs.get(caller.account, path.id, { ...query, wait: 0 })
        const ended = jobs.get(caller.account, path.id, query)
        // A poll that waits ends with the process, and not with an error.
        const waiting = told(Effect.raceFirst(ended, Effect.zipRight(stopping.awaited, now)))
        return Effect.acquireUseRelease(
          waits.take(caller.key),
          () => waiting,
          (free) => Effect.sync(free),
        )
      }),
    ),
    yield* eventRoute(limits),
    route(TranscriptionsApi.patch, ({ body, caller, path }) =>
      told(jobs.patch(caller.account, path.id, body)),
    ),
    route(TranscriptionsApi.remove, ({ caller, path }) => told(jobs.remove(caller.account, path.id))),
    route(TranscriptionsApi.cancel, ({ caller, path }) => told(jobs.cancel(caller.account, path.id))),
    route(TranscriptionsApi.retry, ({ caller, path }) => told(jobs.retry(caller.account, path.id))),
    withEtag(
      routeReplying(TranscriptionsApi.exportFile, ({ caller, path, query }) =>
        Effect.map(jobs.export(caller.account, path.id, query), (file) => fileReply(file, path.id)),
      ),
    ),
    route(TranscriptionsApi.exportLink, ({ body, caller, path }) =>
      told(links.create(caller.account, path.id, body)),
    ),
    route(TranscriptionsApi.search, ({ caller, path, query }) =>
      told(jobs.search(caller.account, path.id, query)),
    ),
    route(TranscriptionsApi.searchAll, ({ caller, query }) => told(jobs.searchAll(caller.account, query))),
  ]
})
