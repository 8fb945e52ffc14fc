import { type Dispatched, JobOutbox, JobQueue, TimeLimit } from "@earmark/service"
import { Effect, Either, Queue, Random, Schema, Stream } from "effect"
import type { Carrier } from "./carrier.js"
import type { Connection } from "./connect.js"
import type { Ears } from "./listen.js"
import { Answer, type Ask, namesOf } from "./messages.js"

const LEASE = 5_000
const BEATS_IN_LEASE = 3
/**
 * After a round that found nothing, the next one waits so long, or until there is a hint: what many idle workers ask in the meantime
 * costs the store one question.
 */
const PAUSE = "20 millis"

const LEAD = `local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`

const RESIGN = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`

const encode = Schema.encodeSync(Answer)

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, each) => total + each, 0)

interface Parts {
  readonly connection: Connection
  readonly carrier: Carrier
  readonly ears: Ears
  readonly prefix: string
  /** The name of this process among those that share the server. */
  readonly member: string
  /** How long an entry may be on its way. */
  readonly seconds: number
}

/**
 * Hands out what workers ask for: one process does it for all, and when it is gone another one. That only spares the store questions:
 * two relays at once would do no harm, since the store decides about every entry.
 */
export const makeRelay = ({ connection, carrier, ears, prefix, member, seconds }: Parts) =>
  Effect.gen(function* () {
    const { wakeUps } = yield* JobQueue
    const outbox = yield* JobOutbox
    const names = namesOf(prefix)
    const asks = yield* Queue.sliding<Ask>(10_000)
    const nudges = yield* Queue.sliding<void>(1)
    const hints = yield* Queue.sliding<void>(1)
    let isLeading = false

    const send = (dispatched: ReadonlyArray<Dispatched>) =>
      carrier.send(dispatched).pipe(
        // They would only come back after their time; nobody needs to wait that long.
        Effect.tapError(() => Effect.ignore(outbox.giveBack(dispatched))),
        Effect.as(dispatched.length),
      )

    /** Sends as much on its way as was asked for and is not under way yet. Answers how much is there. */
    const handOut = Effect.fnUntraced(function* (asked: ReadonlyArray<Ask>) {
      const waiting = yield* carrier.waiting
      let there = waiting
      let given = waiting
      for (const cap of new Set(asked.map((ask) => ask.cap))) {
        const wanted = sum(asked.filter((ask) => ask.cap === cap).map(({ want }) => want))
        const covered = Math.min(given, wanted)
        given -= covered
        there += yield* Effect.flatMap(outbox.dispatch({ want: wanted - covered, cap, seconds }), send)
      }
      return there
    })

    const answer = ({ from, number }: Ask, there: number | null) =>
      Effect.ignore(connection.run((redis) => redis.publish(names.answers(from), encode({ number, there }))))

    const round = Effect.gen(function* () {
      const first = yield* Queue.take(asks)
      const asked = [first, ...(yield* Queue.takeAll(asks))]
      const found = yield* Effect.uninterruptible(Effect.either(handOut(asked)))
      if (Either.isLeft(found)) yield* Effect.logWarning("The relay cannot hand out jobs", found.left)
      const there = Either.getOrNull(found)
      yield* Effect.forEach(asked, (ask) => answer(ask, there), { concurrency: "unbounded", discard: true })
      if (there === null || there === 0) yield* TimeLimit.option(Queue.take(hints), PAUSE)
    })

    const lead = connection
      .run((redis) => redis.eval(LEAD, 1, names.relay, member, LEASE))
      .pipe(
        Effect.map((answered) => answered === 1),
        Effect.orElseSucceed(() => false),
      )

    const resign = Effect.gen(function* () {
      if (!isLeading) return
      isLeading = false
      yield* ears.close(names.asks)
      yield* Effect.ignore(connection.run((redis) => redis.eval(RESIGN, 1, names.relay, member)))
    })

    const stand = Effect.gen(function* () {
      const leads = yield* lead
      if (leads && !isLeading)
        yield* Effect.zipRight(ears.open(names.asks), Effect.logDebug("This process is the relay now"))
      if (!leads && isLeading) yield* ears.close(names.asks)
      isLeading = leads
      const pause = (LEASE / BEATS_IN_LEASE) * (0.8 + 0.4 * (yield* Random.next))
      yield* TimeLimit.option(Queue.take(nudges), pause)
    })

    connection.client.on("ready", () => nudges.unsafeOffer(undefined))
    yield* Effect.addFinalizer(() => resign)
    yield* Effect.forkScoped(Effect.forever(stand))
    yield* Effect.forkScoped(Effect.forever(round))
    yield* Effect.forkScoped(Stream.runForEach(wakeUps, () => Queue.offer(hints, undefined)))

    return {
      hear: (ask: Ask) => Queue.offer(asks, ask),
      /** Nobody answers: the place may be free. */
      nudge: Queue.offer(nudges, undefined),
    }
  })
