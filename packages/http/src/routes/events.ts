import { formatPlace, parsePlace } from "@earmark/core/jobs"
import { JobUpdate } from "@earmark/core/wire"
import { Following, type StorageError, type Update } from "@earmark/service"
import { Effect, Option, Schema, Stream } from "effect"
import { Refusal } from "../answers/Refusal.js"
import type { Reply, Write } from "../answers/Reply.js"
import { type Arrived, headerOf } from "../requests/Arrived.js"
import { acceptsEvents } from "../requests/accepts.js"
import { makeSlots, type SlotLimits } from "../requests/Slots.js"
import { Stopping } from "../server/Stopping.js"
import { EVENT_HEADERS, makeHeartbeat } from "./liveEvents.js"
import { routeReplying } from "./Route.js"

/** After how many milliseconds a client comes back. */
const RETRY = "retry: 2000\n\n"

const notAcceptable = new Refusal({
  code: "not_acceptable",
  detail: "The answer is a stream of events: accept text/event-stream.",
})

const encode = Schema.encodeSync(JobUpdate)

const textOf = (update: Update): string => {
  const { event, data } = encode(update)
  return `id: ${formatPlace(update.place)}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

const nothingMore: Reply = { status: 204, headers: {}, body: null }

const placeOf = ({ request }: Arrived) =>
  Option.getOrNull(parsePlace(headerOf(request, "last-event-id") ?? ""))

/** A job as it is worked on, as server-sent events. */
export const eventRoute = Effect.fnUntraced(function* (baseUrl: string, { eventStreams }: SlotLimits) {
  const following = yield* Following
  const stopping = yield* Stopping
  const beat = yield* makeHeartbeat(baseUrl)
  const slots = makeSlots(eventStreams, "event streams")

  const live = (updates: Stream.Stream<Update, StorageError>, arrived: Arrived) => (write: Write) =>
    write(RETRY).pipe(
      Effect.zipRight(Stream.runForEachChunk(updates, (some) => write([...some].map(textOf).join("")))),
      // The client comes back after a moment, and goes on from the last event that it has.
      Effect.catchAll((error) => Effect.logDebug("An event stream broke off", error)),
      Effect.raceFirst(stopping.awaited),
      Effect.raceFirst(beat(write, arrived)),
      Effect.asVoid,
    )

  return routeReplying("transcriptions.events", ({ arrived, caller, path }) =>
    Effect.gen(function* () {
      if (!acceptsEvents(headerOf(arrived.request, "accept"))) return yield* notAcceptable
      const updates = yield* following.follow(caller.account, path.id, placeOf(arrived))
      if (updates === null) return nothingMore
      arrived.whenOver(yield* slots.take(caller.key))
      const reply: Reply = { status: 200, headers: EVENT_HEADERS, body: null, live: live(updates, arrived) }
      return reply
    }),
  )
})
