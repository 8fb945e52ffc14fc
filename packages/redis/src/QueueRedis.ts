import { randomUUID } from "node:crypto"
import { type Claimed, JobQueue } from "@earmark/service"
import { Duration, Effect, Exit, Layer, Random } from "effect"
import { connect, RedisAway, type RedisOptions } from "./connect.js"

export interface QueueRedisOptions extends RedisOptions {
  /** How long a claim waits for the questions of others before it asks the store all the same. */
  readonly patience?: Duration.DurationInput
}

/** After a question that found nothing the next one waits so long: what many idle workers want to know in the meantime is one question. */
const PAUSE = 20
/** So long a question may keep others waiting, in milliseconds. Its process may have died. */
const LONGEST_QUESTION = 2_000
const LOOK_AGAIN = 5

// One question to the store at a time. One that began after a claim, and found nothing, answers that claim as well.
// Moments are microseconds of the server's clock; written with %.0f they stay exact.
const TURN = `local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local began = tonumber(ARGV[1]) or now
local nothing = tonumber(redis.call('GET', KEYS[2]) or 0)
if nothing > began then return { 'nothing', '', 0 } end
local pause = math.ceil((nothing - now) / 1000) + ${PAUSE}
if pause > 0 then return { 'wait', string.format('%.0f', began), pause } end
if redis.call('SET', KEYS[1], ARGV[2], 'NX', 'PX', ${LONGEST_QUESTION}) then return { 'ask', string.format('%.0f', now), 0 } end
return { 'wait', string.format('%.0f', began), ${LOOK_AGAIN} }`

// The next one may ask. When nothing was found, the moment at which this question began says for whom that is the answer.
const ANSWERED = `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
if ARGV[2] ~= '' then redis.call('SET', KEYS[2], ARGV[2], 'PX', ${LONGEST_QUESTION}) end`

interface Turn {
  readonly says: "ask" | "nothing" | "wait"
  /** Ask: when this question began. Wait: when the claim began. */
  readonly at: string
  readonly milliseconds: number
}

const turnOf = (answer: unknown): Effect.Effect<Turn, RedisAway> => {
  const [says, at, milliseconds]: ReadonlyArray<unknown> = Array.isArray(answer) ? answer : []
  return says === "ask" || says === "nothing" || says === "wait"
    ? Effect.succeed({ says, at: String(at), milliseconds: Number(milliseconds) })
    : new RedisAway({ reason: "an answer of another form" })
}

const make = (options: QueueRedisOptions) =>
  Effect.gen(function* () {
    const store = yield* JobQueue
    const { prefix = "earmark", patience = "2 seconds" } = options
    const connection = yield* connect(options, "Each worker asks the database itself until it is back.")
    const longest = Duration.toMillis(patience)

    const claim = Effect.fnUntraced(function* (wanted: Parameters<JobQueue["Type"]["claim"]>[0]) {
      const asker = yield* Effect.sync(() => randomUUID())
      const keys = [
        `${prefix}:claims:${wanted.cap}:asking`,
        `${prefix}:claims:${wanted.cap}:nothing`,
      ] as const

      const turn = (began: string) =>
        Effect.flatMap(
          connection.run((redis) => redis.eval(TURN, 2, ...keys, began, asker)),
          turnOf,
        )
      const answered = (began: string, exit: Exit.Exit<ReadonlyArray<Claimed>, unknown>) => {
        const isAll = Exit.isSuccess(exit) && exit.value.length < wanted.want
        return Effect.ignore(
          connection.run((redis) => redis.eval(ANSWERED, 2, ...keys, asker, isAll ? began : "")),
        )
      }

      const from = performance.now()
      let began = ""
      while (performance.now() - from < longest) {
        const { says, at, milliseconds } = yield* Effect.orElseSucceed(turn(began), () => AWAY)
        if (says === "away") break
        if (says === "nothing") return []
        if (says === "ask") return yield* Effect.onExit(store.claim(wanted), (exit) => answered(at, exit))
        began = at
        yield* Effect.sleep(milliseconds * (1 + (yield* Random.next)))
      }
      return yield* store.claim(wanted)
    })

    return JobQueue.of({ ...store, claim })
  })

const AWAY = { says: "away", at: "", milliseconds: 0 } as const

/**
 * The queue for fleets: the store below, asked by one worker at a time, for all who want to know. Redis only says whose turn it is; while it
 * is away each worker asks the store itself.
 */
export const layer = (options: QueueRedisOptions) => Layer.scoped(JobQueue, make(options))
