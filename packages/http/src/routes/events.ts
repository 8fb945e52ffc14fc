import { formatPlace, parsePlace } from "@earmark/core/jobs"
import { AccountUpdate, JobUpdate } from "@earmark/core/wire"
import { type AccountEvent, AccountEvents, Following, type Update } from "@earmark/service"
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
const encodeOfAccount = Schema.encodeSync(AccountUpdate)

const textOf = (place: string, { event, data }: { readonly event: string; readonly data: unknown }): string =>
  `id: ${place}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`

const jobText = (update: Update): string => textOf(formatPlace(update.place), encode(update))

const accountText = (update: AccountEvent): string => textOf(String(update.place), encodeOfAccount(update))

const nothingMore: Reply = { status: 204, headers: {}, body: null }

const lastEventOf = ({ request }: Arrived): string => headerOf(request, "last-event-id") ?? ""

const MOMENT = /^\d{1,15}$/

/** Null for what no event of ours was called: whoever sends that begins anew. */
const momentOf = (text: string): number | null => (MOMENT.test(text) ? Number(text) : null)

/** A job as it is worked on, and an account as it changes, as server-sent events. */
export const eventRoutes = Effect.fnUntraced(function* (baseUrl: string, { eventStreams }: SlotLimits) {
  const following = yield* Following
  const accounts = yield* AccountEvents
  const stopping = yield* Stopping
  const beat = yield* makeHeartbeat(baseUrl)
  // One limit for both.
  const slots = makeSlots(eventStreams, "event streams")

  const live =
    <E>(texts: Stream.Stream<string, E>, arrived: Arrived) =>
    (write: Write) =>
      write(RETRY).pipe(
        Effect.zipRight(Stream.runForEachChunk(texts, (some) => write([...some].join("")))),
        // The client comes back after a moment, and goes on from the last event that it has.
        Effect.catchAll((error) => Effect.logDebug("An event stream broke off", error)),
        Effect.raceFirst(stopping.awaited),
        Effect.raceFirst(beat(write, arrived)),
        Effect.asVoid,
      )

  const streamed = <E>(texts: Stream.Stream<string, E>, arrived: Arrived, key: string) =>
    Effect.map(slots.take(key), (free): Reply => {
      arrived.whenOver(free)
      return { status: 200, headers: EVENT_HEADERS, body: null, live: live(texts, arrived) }
    })

  const requireEvents = ({ request }: Arrived) =>
    acceptsEvents(headerOf(request, "accept")) ? Effect.void : Effect.fail(notAcceptable)

  return [
    routeReplying("transcriptions.events", ({ arrived, caller, path }) =>
      Effect.gen(function* () {
        yield* requireEvents(arrived)
        const place = Option.getOrNull(parsePlace(lastEventOf(arrived)))
        const updates = yield* following.follow(caller.account, path.id, place)
        return updates === null
          ? nothingMore
          : yield* streamed(Stream.map(updates, jobText), arrived, caller.key)
      }),
    ),
    routeReplying("transcriptions.eventsAll", ({ arrived, caller }) =>
      Effect.gen(function* () {
        yield* requireEvents(arrived)
        const events = accounts.follow(caller.account, {
          after: momentOf(lastEventOf(arrived)),
          credits: caller.scopes.includes("billing:read"),
        })
        return yield* streamed(Stream.map(events, accountText), arrived, caller.key)
      }),
    ),
  ]
})
