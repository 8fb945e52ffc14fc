import { WebhooksApi } from "@earmark/api"
import { Webhooks } from "@earmark/service"
import { Effect } from "effect"
import { placed, replay, route, told } from "./Route.js"

export const webhookRoutes = Effect.map(Webhooks, (hooks) => [
  route(WebhooksApi.create, ({ body, caller, context }) =>
    Effect.map(hooks.create(caller.account, body, context), ({ answer, replayed }) => ({
      value: answer,
      headers: { ...replay(replayed), ...placed(WebhooksApi.get, answer.id) },
    })),
  ),
  route(WebhooksApi.list, ({ caller, query }) => told(hooks.list(caller.account, query))),
  route(WebhooksApi.get, ({ caller, path }) => told(hooks.get(caller.account, path.id))),
  route(WebhooksApi.patch, ({ body, caller, path }) => told(hooks.patch(caller.account, path.id, body))),
  route(WebhooksApi.remove, ({ caller, path }) => told(hooks.remove(caller.account, path.id))),
  route(WebhooksApi.rotateSecret, ({ body, caller, path }) =>
    told(hooks.rotate(caller.account, path.id, body)),
  ),
  route(WebhooksApi.test, ({ caller, path }) =>
    Effect.map(hooks.test(caller.account, path.id), (value) => ({
      value,
      headers: placed(WebhooksApi.delivery, path.id, value.id),
    })),
  ),
  route(WebhooksApi.deliveries, ({ caller, path, query }) =>
    told(hooks.deliveries(caller.account, path.id, query)),
  ),
  route(WebhooksApi.delivery, ({ caller, path }) =>
    told(hooks.delivery(caller.account, path.id, path.delivery)),
  ),
  route(WebhooksApi.redeliver, ({ caller, path }) =>
    Effect.map(hooks.redeliver(caller.account, path.id, path.delivery), (value) => ({
      value,
      headers: placed(WebhooksApi.delivery, path.id, value.id),
    })),
  ),
])
