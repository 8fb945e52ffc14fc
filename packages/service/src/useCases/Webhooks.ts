import {
  type AccountId,
  closedCircuit,
  DeliveryId,
  DeliveryNotFound,
  EndpointId,
  EndpointNotFound,
  parseId,
  Timestamp,
} from "@earmark/core/jobs"
import { isAllowedOverHttp } from "@earmark/core/links"
import type { CursorInvalid } from "@earmark/core/requests"
import { makeWebhookSecret } from "@earmark/core/signing"
import {
  type CreateEndpoint,
  type DeliveriesQuery,
  type Delivery,
  type DeliveryWithAttempts,
  type Endpoint,
  EndpointWithSecret,
  eventBody,
  type PageQuery,
  type PatchEndpoint,
  type RotateSecret,
  SubscribedEvent,
  type TestDelivery,
  testEvent,
} from "@earmark/core/wire"
import { Clock, Context, DateTime, Effect, Layer, Schema } from "effect"
import type { StorageError } from "../ports/StorageError.js"
import {
  type SecretNotRotated,
  type StoredDelivery,
  type StoredEndpoint,
  WebhookStore,
} from "../ports/WebhookStore.js"
import { type Listed, makeCursors, spanOf } from "./Cursors.js"
import { newDeliveryId, newEndpointId, newUuid, randomOf } from "./Entropy.js"
import { literalAddress } from "./literalAddress.js"
import { type Answered, makeRepeats, type RequestContext } from "./Repeats.js"
import { type RepeatRefused, RequestRefused } from "./refusals.js"
import { Secrets } from "./Secrets.js"
import { ServiceConfig } from "./ServiceConfig.js"

const ROUTE = "/api/v1/webhooks"
const SECRET_BYTES = 32

/** What ends is told to each of them: nobody is to make one job a thousand deliveries. */
const MOST_ENDPOINTS = 100

type Unknown = EndpointNotFound | StorageError
type UnknownDelivery = EndpointNotFound | DeliveryNotFound | StorageError

/** Endpoints of an account and what was sent to them. */
export class Webhooks extends Context.Tag("@earmark/service/Webhooks")<
  Webhooks,
  {
    /** The secret is shown here and at rotation only. */
    readonly create: (
      account: AccountId,
      request: CreateEndpoint,
      context?: RequestContext,
    ) => Effect.Effect<Answered<EndpointWithSecret>, RequestRefused | RepeatRefused | StorageError>
    readonly list: (
      account: AccountId,
      query: PageQuery,
    ) => Effect.Effect<Listed<Endpoint>, CursorInvalid | StorageError>
    readonly get: (account: AccountId, id: string) => Effect.Effect<Endpoint, Unknown>
    readonly patch: (
      account: AccountId,
      id: string,
      request: PatchEndpoint,
    ) => Effect.Effect<Endpoint, RequestRefused | Unknown>
    readonly remove: (account: AccountId, id: string) => Effect.Effect<void, Unknown>
    /** A new secret; the one before signs beside it until its grace is over. Refused when one would be lost before that. */
    readonly rotate: (
      account: AccountId,
      id: string,
      request: RotateSecret,
    ) => Effect.Effect<EndpointWithSecret, SecretNotRotated | Unknown>
    /** Sent also to an endpoint that is switched off, with a note that says so. */
    readonly test: (account: AccountId, id: string) => Effect.Effect<TestDelivery, Unknown>
    readonly deliveries: (
      account: AccountId,
      id: string,
      query: DeliveriesQuery,
    ) => Effect.Effect<Listed<Delivery>, CursorInvalid | Unknown>
    readonly delivery: (
      account: AccountId,
      id: string,
      delivery: string,
    ) => Effect.Effect<DeliveryWithAttempts, UnknownDelivery>
    readonly redeliver: (
      account: AccountId,
      id: string,
      delivery: string,
    ) => Effect.Effect<Delivery, UnknownDelivery>
  }
>() {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const secrets = yield* Secrets
      const config = yield* ServiceConfig
      const cursors = yield* makeCursors
      const repeats = yield* makeRepeats

      const endpointId = (text: string) =>
        Effect.mapError(parseId(EndpointId)(text), () => new EndpointNotFound({ id: text.slice(0, 64) }))

      const deliveryId = (text: string) =>
        Effect.mapError(parseId(DeliveryId)(text), () => new DeliveryNotFound({ id: text.slice(0, 64) }))

      const refuse = (code: "invalid_request" | "blocked_address", detail: string) =>
        Effect.fail(new RequestRefused({ code, detail }))

      /** An address as it was understood: the text may hold line breaks and escapes. Names are judged at every delivery. */
      const requireUrl = (text: string): Effect.Effect<string, RequestRefused> => {
        const { href, protocol, hostname } = new URL(text)
        if (literalAddress(text, config.egressAllow) === "forbidden") {
          return refuse(
            "blocked_address",
            "Webhooks are not sent to private addresses. Give a public one, or ask whoever runs this server to allow this one",
          )
        }
        const { egressAllow, httpWebhooks } = config
        const mayBePlain =
          httpWebhooks === "on" ||
          isAllowedOverHttp(hostname.replace(/^\[|\]$/g, ""), egressAllow, httpWebhooks)
        return protocol === "https:" || mayBePlain
          ? Effect.succeed(href)
          : refuse("invalid_request", "Webhooks need an https address")
      }

      const shown = (endpoint: StoredEndpoint) =>
        Effect.map(Clock.currentTimeMillis, (now) => showEndpoint(endpoint, now))

      const requireRoom = Effect.fnUntraced(function* (account: AccountId) {
        const { items } = yield* store.endpoints(account, { limit: MOST_ENDPOINTS, after: null })
        if (items.length < MOST_ENDPOINTS) return
        const most = `An account has at most ${MOST_ENDPOINTS} webhook endpoints.`
        return yield* refuse("invalid_request", `${most} Remove one that is not needed any more.`)
      })

      const newSecret = Effect.orDie(
        Effect.flatMap(randomOf(SECRET_BYTES), (random) => makeWebhookSecret(random)),
      )

      const create = Effect.fn("Webhooks.create")(function* (
        account: AccountId,
        request: CreateEndpoint,
        context: RequestContext = {},
      ) {
        const url = yield* requireUrl(request.url)
        const { idempotencyKey } = context
        const repeatable = {
          account,
          idempotencyKey,
          route: ROUTE,
          body: request,
          answer: KeptAnswer,
        }
        return yield* repeats.once(repeatable, (guardOf) =>
          Effect.gen(function* () {
            yield* requireRoom(account)
            const id = yield* newEndpointId
            const secret = yield* newSecret
            const endpoint: StoredEndpoint = {
              id,
              account,
              url,
              description: request.description ?? null,
              events: request.events ?? SubscribedEvent.literals,
              enabled: true,
              disabledReason: null,
              secrets: [{ sealed: yield* secrets.seal(secret, id), endsAt: null }],
              circuit: closedCircuit,
              createdAt: yield* Clock.currentTimeMillis,
            }
            const answer: EndpointWithSecret = { ...showEndpoint(endpoint, endpoint.createdAt), secret }
            const guarded = yield* store.createEndpoint(endpoint, { guard: yield* guardOf(answer) })
            return { answer, guarded }
          }),
        )
      })

      const list = Effect.fn("Webhooks.list")(function* (account: AccountId, query: PageQuery) {
        const pages = cursors(account, "webhooks", {}, query.order)
        const page = yield* pages.page(query)
        const now = yield* Clock.currentTimeMillis
        return pages.listed(yield* store.endpoints(account, page), (each) => showEndpoint(each, now))
      })

      const get = Effect.fn("Webhooks.get")(function* (account: AccountId, id: string) {
        return yield* shown(yield* store.endpoint(account, yield* endpointId(id)))
      })

      const patch = Effect.fn("Webhooks.patch")(function* (
        account: AccountId,
        id: string,
        { url: given, events, description, enabled, previousSecretValidUntil }: PatchEndpoint,
      ) {
        const url = given === undefined ? undefined : yield* requireUrl(given)
        const changed = yield* store.updateEndpoint(account, yield* endpointId(id), {
          ...(url !== undefined && { url }),
          ...(events !== undefined && { events }),
          ...(description !== undefined && { description }),
          ...(enabled === true && { enabled, disabledReason: null }),
          ...(enabled === false && { enabled, disabledReason: "manual" as const }),
          ...(previousSecretValidUntil === null && { endsOldSecrets: true }),
        })
        return yield* shown(changed)
      })

      const remove = Effect.fn("Webhooks.remove")(function* (account: AccountId, id: string) {
        yield* store.removeEndpoint(account, yield* endpointId(id))
      })

      const rotate = Effect.fn("Webhooks.rotate")(function* (
        account: AccountId,
        text: string,
        { graceSeconds }: RotateSecret,
      ) {
        const id = yield* endpointId(text)
        const before = yield* store.endpoint(account, id)
        const secret = yield* newSecret
        const endpoint = yield* store.rotateSecret(account, id, {
          from: before.secrets[0]?.sealed ?? "",
          to: yield* secrets.seal(secret, id),
          graceSeconds,
        })
        const answer: EndpointWithSecret = { ...(yield* shown(endpoint)), secret }
        return answer
      })

      const test = Effect.fn("Webhooks.test")(function* (account: AccountId, text: string) {
        const id = yield* endpointId(text)
        const now = yield* Clock.currentTimeMillis
        const event = testEvent(id, yield* newUuid, now)
        const { enabled } = yield* store.endpoint(account, id)
        const sent = yield* store.createTest(account, id, yield* newDeliveryId, event, eventBody(event))
        const shown: TestDelivery = {
          ...showDelivery(sent),
          endpointEnabled: enabled,
          ...(!enabled && { note: SWITCHED_OFF }),
        }
        return shown
      })

      const deliveries = Effect.fn("Webhooks.deliveries")(function* (
        account: AccountId,
        text: string,
        query: DeliveriesQuery,
      ) {
        const id = yield* endpointId(text)
        const { status, eventType, order } = query
        const filter = {
          ...spanOf(query),
          ...(status !== undefined && { state: status }),
          ...(eventType !== undefined && { eventType }),
        }
        const pages = cursors(account, "deliveries", { id, ...filter }, order)
        const page = yield* pages.page(query)
        return pages.listed(yield* store.deliveries(account, id, { ...page, ...filter }), showDelivery)
      })

      const delivery = Effect.fn("Webhooks.delivery")(function* (
        account: AccountId,
        id: string,
        text: string,
      ) {
        const found = yield* store.delivery(account, yield* endpointId(id), yield* deliveryId(text))
        const shown: DeliveryWithAttempts = {
          ...showDelivery(found),
          body: found.body,
          attemptLog: found.attemptLog,
        }
        return shown
      })

      const redeliver = Effect.fn("Webhooks.redeliver")(function* (
        account: AccountId,
        id: string,
        text: string,
      ) {
        return showDelivery(yield* store.redeliver(account, yield* endpointId(id), yield* deliveryId(text)))
      })

      return Webhooks.of({
        create,
        list,
        get,
        patch,
        remove,
        rotate,
        test,
        deliveries,
        delivery,
        redeliver,
      })
    }),
  )
}

const SWITCHED_OFF =
  'The endpoint is disabled: this test is sent, but no other events are. Enable it with PATCH {"enabled": true}.'

/** The answer that a repeated request gets. One that an older version kept has no `previous_secret_valid_until`. */
const KeptAnswer = Schema.Struct({
  ...EndpointWithSecret.fields,
  previousSecretValidUntil: Schema.optionalWith(Schema.NullOr(Timestamp), { default: () => null }).pipe(
    Schema.fromKey("previous_secret_valid_until"),
  ),
})

/** When the last of the secrets before the current one ends; null when none is good any more. */
const oldSecretsEnd = ({ secrets }: StoredEndpoint, now: number): DateTime.Utc | null => {
  const end = Math.max(0, ...secrets.map(({ endsAt }) => endsAt ?? 0))
  return end > now ? DateTime.unsafeMake(end) : null
}

const showEndpoint = (endpoint: StoredEndpoint, now: number): Endpoint => ({
  id: endpoint.id,
  url: endpoint.url,
  events: endpoint.events,
  description: endpoint.description,
  enabled: endpoint.enabled,
  disabledReason: endpoint.disabledReason,
  createdAt: DateTime.unsafeMake(endpoint.createdAt),
  previousSecretValidUntil: oldSecretsEnd(endpoint, now),
})

const showDelivery = (delivery: StoredDelivery): Delivery => ({
  id: delivery.id,
  endpointId: delivery.endpoint,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  state: delivery.state,
  attempts: delivery.attempts,
  nextAt: delivery.nextAt === null ? null : DateTime.unsafeMake(delivery.nextAt),
  lastStatus: delivery.lastStatus,
  createdAt: DateTime.unsafeMake(delivery.createdAt),
})
