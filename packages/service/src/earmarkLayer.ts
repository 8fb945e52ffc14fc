/** What an Earmark in promises is made of, and the layer of it. */
import { parseSecretsKey } from "@earmark/core/signing"
import { suggestion } from "@earmark/core/text"
import { Effect, Layer, Logger, LogLevel, Option, Redacted } from "effect"
import * as Earmark from "./Earmark.js"
import { layerTelling } from "./observing/tellingJobs.js"
import type { Accounts, ApiKeys } from "./ports/Accounts.js"
import type { EditStore } from "./ports/EditStore.js"
import type { ExtraStore } from "./ports/ExtraStore.js"
import type { Idempotency } from "./ports/Idempotency.js"
import { JobNews } from "./ports/JobNews.js"
import type { JobQueue } from "./ports/JobQueue.js"
import type { JobStore } from "./ports/JobStore.js"
import type { Ledger } from "./ports/Ledger.js"
import type { OAuthRecords } from "./ports/OAuthRecords.js"
import type { PaymentStore } from "./ports/PaymentStore.js"
import type { Payments } from "./ports/Payments.js"
import type { PublicationStore } from "./ports/PublicationStore.js"
import type { SourceResolver } from "./ports/SourceResolver.js"
import type { Diarizer, MediaDecoder, SpeechEngine, Translator, Writer } from "./ports/Speech.js"
import { StoreKey } from "./ports/StoreKey.js"
import { StoreSettings } from "./ports/StoreSettings.js"
import type { ObjectStore, UploadStore } from "./ports/Uploads.js"
import type { WebhookSender } from "./ports/WebhookSender.js"
import type { WebhookStore } from "./ports/WebhookStore.js"
import { claimStore } from "./useCases/claimStore.js"
import { Secrets } from "./useCases/Secrets.js"
import { ServiceConfig } from "./useCases/ServiceConfig.js"
import { DeliveryConfig } from "./worker/DeliveryConfig.js"
import { WorkerConfig } from "./worker/WorkerConfig.js"

/** Everything that is kept. */
export type Stores =
  | Accounts
  | ApiKeys
  | Idempotency
  | JobQueue
  | JobStore
  | Ledger
  | OAuthRecords
  | ObjectStore
  | PaymentStore
  | EditStore
  | ExtraStore
  | PublicationStore
  | UploadStore
  | WebhookStore

/** Everything that is reached outside the store. */
export type Surroundings =
  | Diarizer
  | MediaDecoder
  | Payments
  | SourceResolver
  | SpeechEngine
  | Translator
  | WebhookSender
  | Writer

export interface EarmarkOptions<StoreError, SurroundingsError> {
  /** `StoreMemory.layer`, or that of a database. */
  readonly store: Layer.Layer<Stores, StoreError>
  /** Engines, media, payments and webhooks: `Scripted.layer()`, or real ones merged into one layer. They may use the stores. */
  readonly surroundings: Layer.Layer<Surroundings, SurroundingsError, Stores>
  /** 32 bytes in base64. Keep it: what is in a database is sealed with it, and another one is refused (`SecretsKeyDiffers`). New with each start when left out. */
  readonly secretsKey?: string
  /** Where clients reach this service: webhooks hold the address of their job. */
  readonly baseUrl?: string
  readonly settings?: Partial<ServiceConfig["Type"]>
  readonly worker?: Partial<WorkerConfig["Type"]>
  readonly delivery?: Partial<DeliveryConfig["Type"]>
  /** False: only use cases; jobs are worked on elsewhere. */
  readonly work?: boolean
  /** What is logged, to standard error: `Warning` and above when left out. */
  readonly logLevel?: LogLevel.Literal
}

const KNOWN: Readonly<Record<"" | "settings" | "worker" | "delivery", ReadonlyArray<string>>> = {
  "": [
    "store",
    "surroundings",
    "secretsKey",
    "baseUrl",
    "settings",
    "worker",
    "delivery",
    "work",
    "logLevel",
  ] satisfies ReadonlyArray<keyof EarmarkOptions<never, never>>,
  settings: Object.keys(ServiceConfig.defaults),
  worker: Object.keys(WorkerConfig.defaults),
  delivery: Object.keys(DeliveryConfig.defaults),
}

const firstUnknown = (given: object | undefined, within: keyof typeof KNOWN) => {
  const known = KNOWN[within]
  const unknown = Object.keys(given ?? {}).find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  const named = (name: string) => `\`${within === "" ? name : `${within}.${name}`}\``
  return `makeEarmark has no ${named(unknown)}.${suggestion(unknown, known, named)}`
}

/** Programs without types would not be told otherwise. */
export const refuseUnknown = <E1, E2>(options: EarmarkOptions<E1, E2>): void => {
  const { settings, worker, delivery } = options
  const unknown =
    firstUnknown(options, "") ??
    firstUnknown(settings, "settings") ??
    firstUnknown(worker, "worker") ??
    firstUnknown(delivery, "delivery")
  if (unknown !== undefined) throw new TypeError(unknown)
}

const secretsFrom = (key: string | undefined) =>
  key === undefined
    ? Secrets.layerEphemeral
    : Layer.unwrapEffect(Effect.map(parseSecretsKey(key), (bytes) => Secrets.layer(Redacted.make(bytes))))

/**
 * A key that is given has to be that of the store; stores without a record of their key are not asked. Keys that are new with each start
 * leave no record.
 */
const claimed = (secretsKey: string | undefined) =>
  secretsKey === undefined
    ? Layer.empty
    : Layer.effectDiscard(
        Effect.flatMap(Effect.serviceOption(StoreKey), (record) =>
          Option.isNone(record) ? Effect.void : Effect.provideService(claimStore, StoreKey, record.value),
        ),
      )

/** Changes of jobs are told where the store brings news: an account that is followed would show them up to 15 seconds later. */
const telling = Layer.unwrapEffect(
  Effect.map(Effect.serviceOption(JobNews), (news) =>
    Option.isNone(news)
      ? Layer.context<EditStore | JobQueue | JobStore>()
      : Layer.provide(layerTelling, Layer.succeed(JobNews, news.value)),
  ),
)

export const earmarkLayer = <E1, E2>(options: EarmarkOptions<E1, E2>) => {
  const settings = Layer.mergeAll(
    ServiceConfig.layer(options.settings),
    WorkerConfig.layer(options.worker),
    DeliveryConfig.layer(options.delivery),
    secretsFrom(options.secretsKey),
  )
  const stores =
    options.baseUrl === undefined
      ? Layer.empty
      : Layer.effect(
          StoreSettings,
          Effect.map(StoreSettings, (current) => ({
            ...current,
            baseUrl: options.baseUrl ?? current.baseUrl,
          })),
        )
  const logs = Layer.mergeAll(
    Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger)),
    Logger.minimumLogLevel(LogLevel.fromLiteral(options.logLevel ?? "Warning")),
  )
  return Layer.mergeAll(Earmark.useCases, options.work === false ? Layer.empty : Earmark.workers).pipe(
    Layer.provide(claimed(options.secretsKey)),
    Layer.provide(Layer.merge(options.surroundings, settings)),
    Layer.provide(telling),
    Layer.provide(options.store),
    Layer.provide(stores),
    Layer.provide(logs),
  )
}
