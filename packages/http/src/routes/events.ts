import { formatPlace, parsePlace } from "@earmark/core/jobs"
import { AccountUpdate, JobUpdate } from "@earmark/core/wire"
import { AccountEvents, Following } from "@earmark/service"
import { Effect, Option, Schema, Stream } from "effect"
import { Refusal } from "../answers/Refusal.js"
import type { Reply, Write } from "../answers/Reply.js"
import { type Arrived, type Caller, headerOf } from "../requests/Arrived.js"
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

export const jobText = (place: string, update: JobUpdate): string => textOf(place, encode(update))

export const accountText = (place: string, update: AccountUpdate): string =>
  textOf(place, encodeOfAccount(update))

const nothingMore: Reply = { status: 204, headers: {}, body: null }

const lastEventOf = ({ request }: Arrived): string => headerOf(request, "last-event-id") ?? ""

const MOMENT = /^\d{1,15}$/

/** Null for what no event of ours was called: whoever sends that begins anew. */
const momentOf = (text: string): number | null => (MOMENT.test(text) ? Number(text) : null)

/** Answers with streams of events, as many at once as may be. */
export const makeEventReply = Effect.fnUntraced(function* (baseUrl: string, { eventStreams }: SlotLimits) {
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

  return <E, Refused>(
    texts: Effect.Effect<Stream.Stream<string, E> | null, Refused>,
    { arrived, caller }: { readonly arrived: Arrived; readonly caller: Caller },
  ) =>
    Effect.gen(function* () {
      if (!acceptsEvents(headerOf(arrived.request, "accept"))) return yield* notAcceptable
      const found = yield* texts
      if (found === null) return nothingMore
      const free = yield* slots.take(caller.key)
      arrived.whenOver(free)
      const reply: Reply = { status: 200, headers: EVENT_HEADERS, body: null, live: live(found, arrived) }
      return reply
    })
})

/** A job as it is worked on, and an account as it changes, as server-sent events. */
export const eventRoutes = Effect.fnUntraced(function* (baseUrl: string, limits: SlotLimits) {
  const following = yield* Following
  const accounts = yield* AccountEvents
  const replyWith = yield* makeEventReply(baseUrl, limits)

  return [
    routeReplying("transcriptions.events", (request) => {
      const { arrived, caller, path } = request
      const place = Option.getOrNull(parsePlace(lastEventOf(arrived)))
      const texts = Effect.map(
        following.follow(caller.account, path.id, place),
        (updates) => updates && Stream.map(updates, (update) => jobText(formatPlace(update.place), update)),
      )
      return replyWith(texts, request)
    }),
    routeReplying("transcriptions.eventsAll", (request) => {
      const { arrived, caller } = request
      const events = accounts.follow(caller.account, {
        after: momentOf(lastEventOf(arrived)),
        credits: caller.scopes.includes("billing:read"),
      })
      const texts = Stream.map(events, (event) => accountText(String(event.place), event))
      return replyWith(Effect.succeed(texts), request)
    }),
  ]
})
