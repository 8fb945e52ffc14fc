/** A whole service whose engine is at work, and a job that nobody wants any more. */

import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { AccountId, ID_RANDOM_BYTES, makeId } from "@earmark/core/jobs"
import { decodeCreate } from "@earmark/core/wire"
import {
  Accounts,
  DeliveryConfig,
  Earmark,
  type Media,
  MediaDecoder,
  ObjectStoreMemory,
  Scripted,
  Secrets,
  ServiceConfig,
  SpeechEngine,
  StoreMemory,
  Transcriptions,
  WorkerConfig,
  type WorkFailed,
} from "@earmark/service"
import { assert, describe, it, vi } from "@effect/vitest"
import {
  Clock,
  DateTime,
  Deferred,
  Effect,
  Either,
  Layer,
  Logger,
  LogLevel,
  type Scope,
  Stream,
} from "effect"
import { because } from "../../../test/servers/because.js"
import { DEFAULT_MODEL, make as makePocketSphinx } from "../src/pocketsphinx/index.js"
import { make as makeScripted } from "../src/scripted/index.js"
import { enginesOf, until } from "./processes.js"
import { windowOf } from "./windows.js"

// Engines start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const canHear =
  spawnSync("pocketsphinx_batch", ["-help"], { stdio: "ignore" }).error === undefined &&
  existsSync(DEFAULT_MODEL)
const why = canHear ? null : "needs pocketsphinx pocketsphinx-en-us"

/** Loud and without any pattern: an engine has much to think about it. */
const noise = Int16Array.from({ length: 28_000 * 16 }, (_, at) => ((at * 7_919) % 16_001) - 8_000)

const media: Media = {
  durationSeconds: 112,
  fingerprint: "f",
  language: null,
  captions: [],
  cut: "c",
  warnings: [],
  excerpts: Effect.succeed([]),
  // A short one first: when that is heard, the engine is at work on a long one.
  windows: Stream.make(
    windowOf(noise.subarray(0, 16_000), 0, 0),
    ...[1, 2, 3].map((index) => windowOf(noise, index * 28_000, index)),
  ),
  summary: Effect.succeed({ durationSeconds: 112, speech: [], warnings: [] }),
}

type Make = Effect.Effect<SpeechEngine["Type"], WorkFailed, Scope.Scope>

/** An engine under watch: how many windows it was given and has finished, and when it had let go of one that was taken from it. */
const watched = (make: Make) =>
  Effect.gen(function* () {
    const engine = yield* make
    const letGo = yield* Deferred.make<number>()
    const seen = { given: 0, finished: 0 }
    const recognize: SpeechEngine["Type"]["recognize"] = (window, asked) =>
      Effect.suspend(() => {
        seen.given += 1
        return engine.recognize(window, asked)
      }).pipe(
        Effect.tap(() => {
          seen.finished += 1
        }),
        Effect.onInterrupt(() =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => Deferred.succeed(letGo, now)),
        ),
      )
    return { engine: SpeechEngine.of({ ...engine, recognize }), letGo, seen }
  })

const serviceWith = (engine: SpeechEngine["Type"]) =>
  Layer.merge(Earmark.useCases, Earmark.workers).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        StoreMemory.layer,
        ObjectStoreMemory.layer,
        Scripted.layer(),
        ServiceConfig.layer(),
        WorkerConfig.layer(),
        DeliveryConfig.layer(),
        Secrets.layerEphemeral,
        Layer.succeed(SpeechEngine, engine),
        Layer.succeed(MediaDecoder, {
          open: () => Effect.succeed(media),
          openFile: () => Effect.succeed(media),
        }),
      ),
    ),
  )

const account = AccountId.make(makeId("account", 0, randomBytes(ID_RANDOM_BYTES)))
const request = Either.getOrThrow(
  decodeCreate({ url: "https://a.example/talk.mp3?private", language: "en", quality: "fast" }),
)

/** Cancels a job once the engine is at work; answers how long after the end of the job its last process was gone, in milliseconds. */
const cancelAtWork = (
  make: Make,
  isAtWork: (seen: { readonly given: number; readonly finished: number }) => boolean,
) =>
  Effect.gen(function* () {
    const { engine, letGo, seen } = yield* watched(make)
    return yield* Effect.gen(function* () {
      const createdAt = yield* Clock.currentTimeMillis
      const accounts = yield* Accounts
      yield* accounts.create({ id: account, name: "Ann", email: null, freeCredits: 60, createdAt })
      const jobs = yield* Transcriptions
      const { answer } = yield* jobs.create(account, request)
      yield* until(() => isAtWork(seen) && enginesOf().length > 0)
      assert.isAbove(enginesOf().length, 0)
      const canceled = yield* jobs.cancel(account, answer.id)
      assert.strictEqual(canceled.failure?.code, "canceled")
      const gone = yield* Deferred.await(letGo)
      return gone - DateTime.toEpochMillis(canceled.completedAt ?? DateTime.unsafeMake(0))
    }).pipe(Effect.provide(serviceWith(engine)))
  }).pipe(Effect.scoped, Logger.withMinimumLogLevel(LogLevel.None))

describe("a job that is canceled while its engine works", () => {
  it.live("is let go of within a second by a process that never answers", () =>
    Effect.gen(function* () {
      const late = yield* cancelAtWork(makeScripted({ hang: 9 }), ({ given }) => given > 0)
      assert.isBelow(late, 1_000)
      assert.deepStrictEqual(enginesOf(), [])
    }),
  )

  it.live.skipIf(why !== null)(
    `is let go of within a second by pocketsphinx in the middle of half a minute${because(why)}`,
    () =>
      Effect.gen(function* () {
        const late = yield* cancelAtWork(makePocketSphinx({ workers: 1 }), ({ finished }) => finished > 0)
        assert.isBelow(late, 1_000)
        assert.deepStrictEqual(enginesOf(), [])
      }),
  )
})
