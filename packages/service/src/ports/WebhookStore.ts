import type {
  AccountId,
  Circuit,
  DeliveryId,
  DeliveryNotFound,
  EndpointId,
  EndpointNotFound,
} from "@earmark/core/jobs"
import type {
  Attempt,
  AttemptError,
  DeliveryState,
  DisabledReason,
  Event,
  EventType,
  SubscribedEvent,
} from "@earmark/core/wire"
import { Context, type Effect, Schema, type Stream } from "effect"
import type { Guard, Guarded, GuardRefused, Page, PageRequest, TimeSpan } from "./JobStore.js"
import type { StorageError } from "./StorageError.js"

/** A secret, sealed. The plain one is in no store. */
export interface SealedSecret {
  readonly sealed: string
  /** When it stops being good, for one that was rotated away; null for the current one. */
  readonly endsAt: number | null
}

export interface SecretRotation {
  /** Both sealed. */
  readonly from: string
  readonly to: string
  readonly graceSeconds: number
}

/** The secret stays as it is. */
export class SecretNotRotated extends Schema.TaggedError<SecretNotRotated>()("SecretNotRotated", {
  reason: Schema.Literal("rotated_meanwhile", "too_many_good"),
}) {
  override get message() {
    return this.reason === "rotated_meanwhile"
      ? "The secret was rotated by another request at the same moment. Rotate it again if that is what you want."
      : "Two older secrets are still in their grace. Wait until one has ended, or end them at once with grace_seconds 0."
  }
}

export interface StoredEndpoint {
  readonly id: EndpointId
  readonly account: AccountId
  readonly url: string
  readonly description: string | null
  readonly events: ReadonlyArray<SubscribedEvent>
  readonly enabled: boolean
  readonly disabledReason: DisabledReason | null
  /** Newest first: the current one and at most two old ones. */
  readonly secrets: ReadonlyArray<SealedSecret>
  readonly circuit: Circuit
  readonly createdAt: number
}

export interface EndpointChange
  extends Partial<Pick<StoredEndpoint, "url" | "description" | "events" | "enabled" | "disabledReason">> {
  /** The secrets before the current one end now. */
  readonly endsOldSecrets?: true
}

export interface StoredDelivery {
  readonly id: DeliveryId
  readonly endpoint: EndpointId
  readonly eventId: string
  readonly eventType: EventType
  readonly state: DeliveryState
  /** All attempts begun so far, those asked for by hand included. */
  readonly attempts: number
  readonly nextAt: number | null
  readonly lastStatus: number | null
  readonly createdAt: number
}

export interface DeliveryFilter extends PageRequest, TimeSpan {
  readonly state?: DeliveryState | undefined
  readonly eventType?: EventType | undefined
}

/** A delivery to be sent now. Its attempt is counted already. */
export interface ClaimedDelivery {
  readonly delivery: StoredDelivery
  readonly endpoint: StoredEndpoint
  readonly token: string
  readonly trigger: "auto" | "manual" | "test"
  /** The bytes that every attempt sends. */
  readonly body: string
  /** The trace of the job that it tells of; null where there is none (any more). */
  readonly trace: string | null
}

/** What an attempt came to. */
export interface AttemptOutcome {
  readonly startedAt: number
  readonly durationMilliseconds: number
  readonly status: number | null
  readonly error: AttemptError | null
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string>>
  /** At most the first 4 kB. */
  readonly responseBody: string
}

/** Endpoints of an account, and what is sent to them. Events and deliveries are born in the transaction that ends a job. */
export class WebhookStore extends Context.Tag("@earmark/service/WebhookStore")<
  WebhookStore,
  {
    readonly createEndpoint: (
      endpoint: StoredEndpoint,
      options: { readonly guard: Guard | null },
    ) => Effect.Effect<Guarded, GuardRefused | StorageError>
    /** Newest first, ids deciding between those of one moment. */
    readonly endpoints: (
      account: AccountId,
      page: PageRequest,
    ) => Effect.Effect<Page<StoredEndpoint>, StorageError>
    readonly endpoint: (
      account: AccountId,
      id: EndpointId,
    ) => Effect.Effect<StoredEndpoint, EndpointNotFound | StorageError>
    /** Changes an endpoint. Disabling it cancels what is pending for it; enabling replays nothing, and closes its circuit. */
    readonly updateEndpoint: (
      account: AccountId,
      id: EndpointId,
      change: EndpointChange,
    ) => Effect.Effect<StoredEndpoint, EndpointNotFound | StorageError>
    /**
     * Puts a new secret before the current one, which must be `from` still and is good for its grace from now on, as older ones are at most.
     * Of racing rotations one succeeds. Refused as well when a third old secret would be good: none is dropped before its end.
     */
    readonly rotateSecret: (
      account: AccountId,
      id: EndpointId,
      rotation: SecretRotation,
    ) => Effect.Effect<StoredEndpoint, SecretNotRotated | EndpointNotFound | StorageError>
    /** Takes the endpoint away and cancels what is pending for it. */
    readonly removeEndpoint: (
      account: AccountId,
      id: EndpointId,
    ) => Effect.Effect<void, EndpointNotFound | StorageError>
    readonly deliveries: (
      account: AccountId,
      endpoint: EndpointId,
      filter: DeliveryFilter,
    ) => Effect.Effect<Page<StoredDelivery>, EndpointNotFound | StorageError>
    readonly delivery: (
      account: AccountId,
      endpoint: EndpointId,
      id: DeliveryId,
    ) => Effect.Effect<
      StoredDelivery & { readonly body: string; readonly attemptLog: ReadonlyArray<Attempt> },
      DeliveryNotFound | StorageError
    >
    /**
     * Asks for one more attempt at once, whatever the state of the delivery, its endpoint and its circuit. It makes no new schedule: a
     * failure leaves the delivery as it was before, a success ends it.
     */
    readonly redeliver: (
      account: AccountId,
      endpoint: EndpointId,
      id: DeliveryId,
    ) => Effect.Effect<StoredDelivery, DeliveryNotFound | StorageError>
    /** A test event to this endpoint only, also when it is disabled; one attempt. */
    readonly createTest: (
      account: AccountId,
      endpoint: EndpointId,
      delivery: DeliveryId,
      event: Event,
      body: string,
    ) => Effect.Effect<StoredDelivery, EndpointNotFound | StorageError>
    /**
     * Takes due deliveries, at most `perEndpoint` of one endpoint at once over all senders, endpoints in turn. Counts the attempt.
     * A delivery whose endpoint rests (circuit) is postponed without using an attempt; it fails when that leads beyond its life
     * (`isDeliveryOver` of core).
     */
    readonly claim: (options: {
      readonly want: number
      readonly perEndpoint: number
      readonly leaseSeconds: number
      readonly unitSeconds: number
    }) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StorageError>
    /**
     * Writes an attempt and what follows from it by the rules of core: succeeded, again later, failed, endpoint gone or failing for good.
     * A claim that ran out meanwhile writes the attempt (in place of the unknown outcome) and answers false; only a success still
     * counts, so that nothing is sent after one.
     */
    readonly record: (
      claimed: ClaimedDelivery,
      outcome: AttemptOutcome,
      rules: {
        readonly backoff: ReadonlyArray<number>
        readonly random: number
        readonly retryAfter: number | null
      },
    ) => Effect.Effect<boolean, StorageError>
    /** Gives a claimed delivery back unsent: its attempt does not count. */
    readonly release: (claimed: ClaimedDelivery) => Effect.Effect<void, StorageError>
    /** Deliveries whose sender vanished: the attempt is logged as unknown, and they are due again or spent. Says nothing about the endpoint. */
    readonly reapExpired: (
      limit: number,
      rules: { readonly backoff: ReadonlyArray<number>; readonly random: number },
    ) => Effect.Effect<number, StorageError>
    /** Something may be due. A hint. */
    readonly wakeUps: Stream.Stream<void>
    /** Takes attempts older than 30 days away; answers how many. */
    readonly sweep: (limit: number) => Effect.Effect<number, StorageError>
  }
>() {}
