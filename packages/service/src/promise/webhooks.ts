import {
  CreateEndpoint,
  DeliveriesQuery,
  Delivery,
  DeliveryWithAttempts,
  decodeRequest,
  Endpoint,
  EndpointWithSecret,
  listOf,
  PageQuery,
  PatchEndpoint,
  RotateSecret,
} from "@earmark/core/jobs"
import { Effect, Schema } from "effect"
import { Webhooks } from "../useCases/Webhooks.js"
import { callsOf, contextOf, type Door, type Once, type Wire } from "./door.js"

export const webhooks = (door: Door) => {
  const ask = callsOf(door, Webhooks)
  return {
    /** The secret is shown here and by `rotate` only. */
    create: (account: string, body: Wire<typeof CreateEndpoint>, once: Once = {}) =>
      ask(account, (service, owner) =>
        Effect.gen(function* () {
          const request = yield* decodeRequest(CreateEndpoint)(body)
          const made = yield* service.create(owner, request, yield* contextOf(once))
          return Schema.encodeSync(EndpointWithSecret)(made.answer)
        }),
      ),
    list: (account: string, query: Wire<typeof PageQuery> = {}) =>
      ask(account, (service, owner) =>
        Effect.gen(function* () {
          const page = yield* service.list(owner, yield* decodeRequest(PageQuery)(query))
          return Schema.encodeSync(listOf(Endpoint))(page)
        }),
      ),
    get: (account: string, id: string) =>
      ask(account, (service, owner) => Effect.map(service.get(owner, id), Schema.encodeSync(Endpoint))),
    patch: (account: string, id: string, body: Wire<typeof PatchEndpoint>) =>
      ask(account, (service, owner) =>
        Effect.gen(function* () {
          const changed = yield* service.patch(owner, id, yield* decodeRequest(PatchEndpoint)(body))
          return Schema.encodeSync(Endpoint)(changed)
        }),
      ),
    remove: (account: string, id: string) => ask(account, (service, owner) => service.remove(owner, id)),
    /** A new secret; the one before signs beside it until `grace_seconds` are over. */
    rotate: (account: string, id: string, body: Wire<typeof RotateSecret> = {}) =>
      ask(account, (service, owner) =>
        Effect.gen(function* () {
          const rotated = yield* service.rotate(owner, id, yield* decodeRequest(RotateSecret)(body))
          return Schema.encodeSync(EndpointWithSecret)(rotated)
        }),
      ),
    /** Sends an event that says only that it is a test. */
    test: (account: string, id: string) =>
      ask(account, (service, owner) => Effect.map(service.test(owner, id), Schema.encodeSync(Delivery))),
    deliveries: (account: string, id: string, query: Wire<typeof DeliveriesQuery> = {}) =>
      ask(account, (service, owner) =>
        Effect.gen(function* () {
          const page = yield* service.deliveries(owner, id, yield* decodeRequest(DeliveriesQuery)(query))
          return Schema.encodeSync(listOf(Delivery))(page)
        }),
      ),
    /** A delivery with what was sent, and every try. */
    delivery: (account: string, id: string, delivery: string) =>
      ask(account, (service, owner) =>
        Effect.map(service.delivery(owner, id, delivery), Schema.encodeSync(DeliveryWithAttempts)),
      ),
    redeliver: (account: string, id: string, delivery: string) =>
      ask(account, (service, owner) =>
        Effect.map(service.redeliver(owner, id, delivery), Schema.encodeSync(Delivery)),
      ),
  }
}
