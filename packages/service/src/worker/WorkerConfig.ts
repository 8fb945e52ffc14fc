import { Config, Context, Duration, Effect, Layer } from "effect"

/** How work is taken up. */
export class WorkerConfig extends Context.Tag("@earmark/service/WorkerConfig")<
  WorkerConfig,
  {
    /** Names this process among the workers. */
    readonly worker: string
    /** Jobs at once in this process. */
    readonly slots: number
    /** Jobs at once of one account, over all workers. */
    readonly accountConcurrency: number
    readonly lease: Duration.Duration
    /** A wake-up that was missed costs no more than this. */
    readonly pollEvery: Duration.Duration
    /** How long running jobs may go on to their next checkpoint when the worker stops. */
    readonly grace: Duration.Duration
    /** How long the engine may take for one window at least; twenty times the length of the window is always fine. */
    readonly windowTimeout: Duration.Duration
    /** Between attempts that failed, each ±20 %. */
    readonly retryDelays: readonly [Duration.Duration, ...ReadonlyArray<Duration.Duration>]
    /** How often expired leases, parked jobs and old records are looked after. */
    readonly upkeepEvery: Duration.Duration
  }
>() {
  static readonly defaults: WorkerConfig["Type"] = {
    worker: "worker",
    slots: 2,
    accountConcurrency: 10,
    lease: Duration.seconds(45),
    pollEvery: Duration.seconds(1),
    grace: Duration.seconds(20),
    windowTimeout: Duration.minutes(10),
    retryDelays: [Duration.seconds(10), Duration.seconds(60), Duration.seconds(300)],
    upkeepEvery: Duration.seconds(5),
  }

  static readonly layer = (overrides: Partial<WorkerConfig["Type"]> = {}) =>
    Layer.succeed(WorkerConfig, { ...WorkerConfig.defaults, ...overrides })

  static readonly config: Config.Config<WorkerConfig["Type"]> = Config.all({
    worker: Config.string("EARMARK_WORKER_NAME").pipe(Config.withDefault(WorkerConfig.defaults.worker)),
    slots: atLeastOne("EARMARK_WORKERS", WorkerConfig.defaults.slots),
    accountConcurrency: atLeastOne("EARMARK_ACCOUNT_CONCURRENCY", WorkerConfig.defaults.accountConcurrency),
    lease: atLeastOne("EARMARK_LEASE_SECONDS", Duration.toSeconds(WorkerConfig.defaults.lease)).pipe(
      Config.map(Duration.seconds),
    ),
    pollEvery: Config.succeed(WorkerConfig.defaults.pollEvery),
    grace: atLeastOne("EARMARK_GRACE_SECONDS", Duration.toSeconds(WorkerConfig.defaults.grace)).pipe(
      Config.map(Duration.seconds),
    ),
    windowTimeout: Config.succeed(WorkerConfig.defaults.windowTimeout),
    retryDelays: Config.succeed(WorkerConfig.defaults.retryDelays),
    upkeepEvery: Config.succeed(WorkerConfig.defaults.upkeepEvery),
  })

  static readonly layerConfig = Layer.effect(
    WorkerConfig,
    Effect.suspend(() => WorkerConfig.config),
  )
}

function atLeastOne(name: string, otherwise: number): Config.Config<number> {
  return Config.integer(name).pipe(
    Config.validate({ message: "must be at least 1", validation: (value) => value >= 1 }),
    Config.withDefault(otherwise),
  )
}
