import { Context, Duration, Layer } from "effect"

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
    /** Whether a copy of the sound is made for players: `auto` for links, and for uploads in which browsers do not find a moment. */
    readonly listeningCopy: "auto" | "on" | "off"
  }
>() {
  static readonly defaults: WorkerConfig["Type"] = {
    worker: "worker",
    slots: 2,
    accountConcurrency: 10,
    lease: Duration.seconds(45),
    pollEvery: Duration.seconds(1),
    grace: Duration.seconds(6),
    windowTimeout: Duration.minutes(10),
    retryDelays: [Duration.seconds(10), Duration.seconds(60), Duration.seconds(300)],
    upkeepEvery: Duration.seconds(5),
    listeningCopy: "auto",
  }

  static readonly layer = (overrides: Partial<WorkerConfig["Type"]> = {}) =>
    Layer.succeed(WorkerConfig, { ...WorkerConfig.defaults, ...overrides })
}
