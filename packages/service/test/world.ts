/** A whole service in memory, under a clock that the test moves. */
import { type AccountId, JobId } from "@earmark/core/jobs"
import { decodeCreate, decodeRequest, TranscribeFeed } from "@earmark/core/wire"
import {
  CreditDesk,
  Customers,
  Deliveries,
  DeliveryConfig,
  Earmark,
  ExtraWork,
  JobStore,
  Ledger,
  type ObjectStore,
  ObjectStoreMemory,
  type PaymentScript,
  type Payments,
  Podcasts,
  type ReceiverScript,
  type Script,
  Scripted,
  Secrets,
  ServiceConfig,
  type SourceResolver,
  StoreMemory,
  type Stores,
  Transcriptions,
  type Translator,
  Upkeep,
  Worker,
  WorkerConfig,
  type Writer,
} from "@earmark/service"
import { type Duration, Effect, Either, Fiber, Layer, Logger, LogLevel, Option, TestClock } from "effect"

export interface World {
  readonly engine?: Partial<Script>
  readonly payments?: PaymentScript
  /** In place of the scripted one. */
  readonly provider?: Layer.Layer<Payments>
  readonly receiver?: ReceiverScript
  /** In place of a sound one. */
  readonly store?: Layer.Layer<Stores>
  /** In place of the scripted one. */
  readonly resolver?: Layer.Layer<SourceResolver>
  /** In place of one that counts words. */
  readonly writer?: Layer.Layer<Writer>
  /** In place of one that translates. */
  readonly translator?: Layer.Layer<Translator>
  readonly config?: Partial<ServiceConfig["Type"]>
  readonly worker?: Partial<WorkerConfig["Type"]>
  readonly delivery?: Partial<DeliveryConfig["Type"]>
  readonly objects?: Layer.Layer<ObjectStore>
}

const settings = (world: World = {}) =>
  Layer.mergeAll(
    ServiceConfig.layer(world.config),
    WorkerConfig.layer(world.worker),
    DeliveryConfig.layer(world.delivery),
    Secrets.layerEphemeral,
  )

const ports = (world: World = {}) =>
  Layer.mergeAll(
    world.store ?? StoreMemory.layer,
    Scripted.layer(world),
    settings(world),
    world.objects ?? ObjectStoreMemory.layer,
    world.resolver ?? Layer.empty,
    world.writer ?? Layer.empty,
    world.translator ?? Layer.empty,
    world.provider ?? Layer.empty,
  )

export const service = (world: World = {}) =>
  Layer.mergeAll(Earmark.useCases, Earmark.loops).pipe(Layer.provideMerge(ports(world)))

/** Needs a long way to type everywhere else. */
export const inWorld =
  (world: World = {}) =>
  <A, E, R>(test: Effect.Effect<A, E, R>) =>
    test.pipe(Effect.provide(service(world)), Logger.withMinimumLogLevel(LogLevel.None))

export const newAccount = (options: { readonly credits?: number; readonly paid?: boolean } = {}) =>
  Effect.gen(function* () {
    const { credits = 60, paid = false } = options
    const customers = yield* Customers
    const desk = yield* CreditDesk
    const { id } = yield* customers.create({ name: "Ann" })
    const reference = `test ${id}`
    if (paid) yield* desk.grant(id, { credits: 1, reference, asPurchase: true })
    const before = paid ? 61 : 60
    if (credits !== before) {
      yield* desk.grant(id, { credits: credits - before, reference: `${reference} rest`, asPurchase: false })
    }
    return id
  })

export const bodyOf = (body: unknown) => Either.getOrThrow(decodeCreate(body))

export const feedBody = (body: unknown) => Either.getOrThrow(decodeRequest(TranscribeFeed)(body))

export const create = (account: AccountId, body: unknown) =>
  Effect.flatMap(Transcriptions, (transcriptions) =>
    Effect.map(transcriptions.create(account, bodyOf(body)), ({ answer }) => answer),
  )

export const transcribeFeed = (account: AccountId, body: unknown) =>
  Effect.flatMap(Podcasts, (podcasts) =>
    Effect.map(podcasts.transcribe(account, feedBody(body)), ({ answer }) => answer),
  )

export const get = (account: AccountId, id: string) =>
  Effect.flatMap(Transcriptions, (transcriptions) => transcriptions.get(account, id))

export const stored = (account: AccountId, id: string) =>
  Effect.flatMap(JobStore, (jobs) => jobs.get(account, JobId.make(id)))

export const balance = (account: AccountId) =>
  Effect.map(
    Effect.flatMap(Ledger, (ledger) => ledger.balance(account)),
    ({ posted, held }) => ({ posted, held }),
  )

/** Lets everything that is ready run, with no time passing. */
export const settle = Effect.yieldNow().pipe(Effect.repeatN(400))

export const pass = (duration: Duration.DurationInput) => Effect.zipRight(TestClock.adjust(duration), settle)

/** Stops a loop, and lets its grace pass when something is still under way. */
export const stop = (fiber: Fiber.RuntimeFiber<never>) =>
  Effect.gen(function* () {
    yield* Fiber.interruptFork(fiber)
    yield* settle
    if (Option.isNone(yield* Fiber.poll(fiber))) yield* pass("1 minute")
    yield* Fiber.await(fiber)
  })

const during = <A, E, R>(loop: Effect.Effect<never>, test: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(loop)
    yield* settle
    const result = yield* test
    yield* stop(fiber)
    return result
  })

/** Runs a test while a worker works. */
export const withWorker = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Worker, (worker) => during(worker.run, test))

/** Runs a test while extras are made that were asked for later. */
export const withExtras = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(ExtraWork, (extras) => during(extras.run, test))

export const withDeliveries = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Deliveries, (deliveries) => during(deliveries.run, test))

export const withUpkeep = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Upkeep, (upkeep) => during(upkeep.run, test))

interface Tagged {
  readonly _tag: string
}

/** The tag of the error that an effect fails with. */
export const refusal = <R>(effect: Effect.Effect<unknown, Tagged, R>) =>
  Effect.map(Effect.flip(effect), (error) => error._tag)
