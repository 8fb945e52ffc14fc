import { randomUUID } from "node:crypto"
import { type Claimed, JobOutbox, JobQueue, TimeLimit } from "@earmark/service"
import { Deferred, Duration, Effect, Either, Layer, Option, Schema, Stream } from "effect"
import { makeCarrier } from "./carrier.js"
import { connect, type RedisOptions } from "./connect.js"
import { makeEars } from "./listen.js"
import { Answer, Ask, namesOf } from "./messages.js"
import { makeRelay } from "./relay.js"

export interface QueueRedisOptions extends RedisOptions {
  /** How long an entry may be on its way to a worker before the store takes it back. */
  readonly dispatchedFor?: Duration.DurationInput
  /** How long a claim waits for the relay before it asks the store itself. */
  readonly patience?: Duration.DurationInput
}

/** So often, in milliseconds, a worker that gets nothing asks the store itself. */
const LOOKS_EVERY = 15_000

/** A claim that finds others quicker asks again, but not for ever. */
const MOST_ROUNDS = 8

type Options = Parameters<JobQueue["Type"]["claim"]>[0]

const encodeAsk = Schema.encodeSync(Ask)
const decodeAsk = Schema.decodeUnknownOption(Ask)
const decodeAnswer = Schema.decodeUnknownOption(Answer)

const make = (options: QueueRedisOptions) =>
  Effect.gen(function* () {
    const store = yield* JobQueue
    const outbox = yield* JobOutbox
    const { prefix = "earmark", dispatchedFor = "15 seconds", patience = "1 second" } = options
    const member = yield* Effect.sync(() => randomUUID())
    const names = namesOf(prefix)

    const connection = yield* connect(options, "Jobs are claimed from the database until it is back.")
    const carrier = yield* makeCarrier(connection, prefix)
    const ears = yield* makeEars(connection)
    const seconds = Duration.toSeconds(dispatchedFor)
    const relay = yield* makeRelay({ connection, carrier, ears, prefix, member, seconds })

    const waiting = new Map<number, Deferred.Deferred<number | null>>()
    let asked = 0

    yield* ears.open(names.answers(member))
    yield* ears.messages.pipe(
      Stream.runForEach(({ channel, text }) => {
        if (channel === names.asks)
          return Option.match(decodeAsk(text), { onNone: () => Effect.void, onSome: relay.hear })
        const answer = Option.getOrNull(decodeAnswer(text))
        const asker = answer === null ? undefined : waiting.get(answer.number)
        return answer === null || asker === undefined ? Effect.void : Deferred.succeed(asker, answer.there)
      }),
      Effect.forkScoped,
    )

    /** Asks the relay how many entries are there to be taken. Null: it does not answer, or could not find out. */
    const ask = (want: number, cap: number) => {
      const number = ++asked
      return Effect.gen(function* () {
        const answer = yield* Deferred.make<number | null>()
        waiting.set(number, answer)
        const message = encodeAsk({ from: member, number, want: Math.min(want, 10_000), cap })
        const told = yield* Effect.orElseSucceed(
          connection.run((redis) => redis.publish(names.asks, message)),
          () => 0,
        )
        const there = yield* told === 0
          ? Effect.succeedNone
          : TimeLimit.option(Deferred.await(answer), patience)
        if (Option.isNone(there)) yield* relay.nudge
        return Option.getOrNull(there)
      }).pipe(Effect.ensuring(Effect.sync(() => waiting.delete(number))))
    }

    /** Takes what is there, and makes leases of it. */
    const receive = Effect.fnUntraced(function* (most: number, { worker, leaseSeconds }: Options) {
      const taken = yield* Effect.orElseSucceed(carrier.take(most), () => [])
      return yield* outbox.accept(taken, { worker, leaseSeconds })
    }, Effect.uninterruptible)

    let looked = performance.now()
    let overlooked = 0
    /** Whether the store is to be asked itself although the relay says that nothing is there: nobody is trusted for ever. */
    const isTimeToLook = Effect.sync(() => {
      const now = performance.now()
      if (now - looked < LOOKS_EVERY) return false
      looked = now
      return true
    })

    /** What the relay should have handed out. Once, a job may just have come. */
    const look = Effect.fnUntraced(function* (wanted: Options) {
      const found = yield* store.claim(wanted)
      overlooked = found.length === 0 ? 0 : overlooked + 1
      if (overlooked > 1)
        yield* Effect.logWarning(
          `The relay says that no job is ready, and the database had ${found.length}. This worker asks it itself meanwhile.`,
        )
      return found
    })

    const claim = Effect.fnUntraced(function* (wanted: Options) {
      const { cap } = wanted
      const claimed: Array<Claimed> = []
      for (let round = 0; round < MOST_ROUNDS && claimed.length < wanted.want; round++) {
        const want = wanted.want - claimed.length
        const there = yield* ask(want, cap)
        if (there === 0) {
          if (claimed.length === 0 && (yield* isTimeToLook)) return yield* look(wanted)
          break
        }
        const more =
          there === null ? store.claim({ ...wanted, want }) : receive(Math.min(want, there), wanted)
        const came = yield* Effect.either(more)
        // What is leased already is not lost for a failure that came after it.
        if (Either.isLeft(came) && claimed.length === 0) return yield* came.left
        if (Either.isLeft(came)) break
        claimed.push(...came.right)
        if (there === null) break
      }
      return claimed
    })

    return JobQueue.of({ ...store, claim })
  })

/**
 * The queue for fleets: of the store below, with claims that go through a Redis server. One process asks the store for all, and BullMQ
 * carries what it hands out. Who runs what, and when, is decided by the store as before; while the server is away claims go to it directly.
 */
export const layer = (options: QueueRedisOptions) => Layer.scoped(JobQueue, make(options))
