/** A whole worker on Postgres and Redis, until it is ended. Arguments: the database, the Redis server, a prefix, its name. */
import { writeSync } from "node:fs"
import {
  DeliveryConfig,
  Earmark,
  JobQueue,
  ObjectStoreMemory,
  Scripted,
  Secrets,
  ServiceConfig,
  WorkerConfig,
} from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { Duration, Effect, Layer, Redacted } from "effect"
import { QueueRedis } from "../../src/index.js"

const [database = "", redis = "", prefix = "", worker = ""] = process.argv.slice(2)

// Written at once: what a killed process has said, it has said.
const say = (...words: ReadonlyArray<string>) => Effect.sync(() => writeSync(1, `${words.join(" ")}\n`))

const settings = Layer.mergeAll(
  ServiceConfig.layer(),
  WorkerConfig.layer({
    worker,
    slots: 3,
    lease: Duration.seconds(3),
    pollEvery: Duration.millis(500),
    upkeepEvery: Duration.millis(500),
    grace: Duration.seconds(5),
  }),
  DeliveryConfig.layer(),
  Secrets.layerEphemeral,
)

/** Tells what it takes up. */
const telling = Layer.effect(
  JobQueue,
  Effect.map(JobQueue, (queue) => ({
    ...queue,
    claim: (options) =>
      Effect.tap(queue.claim(options), (claimed) =>
        Effect.forEach(claimed, ({ lease }) => say("took", lease.job, String(lease.attempt))),
      ),
  })),
)

const stores = Layer.merge(
  SqlStore.layerPostgres({ url: Redacted.make(database), migrate: "run", maxConnections: 4 }),
  ObjectStoreMemory.layer,
)

const ports = telling.pipe(
  Layer.provide(QueueRedis.layer({ url: Redacted.make(redis), prefix })),
  Layer.provideMerge(stores),
)

const world = Scripted.layer({ engine: { delay: [150, 150] } })
const running = Layer.provide(Earmark.workers, Layer.mergeAll(ports, world, settings))

const main = Effect.runFork(Layer.launch(Layer.merge(running, Layer.effectDiscard(say("up")))))

process.once("SIGTERM", () => {
  main.addObserver(() => process.exit(0))
  main.unsafeInterruptAsFork(main.id())
})
