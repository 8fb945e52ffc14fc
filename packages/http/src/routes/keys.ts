import { KeysApi } from "@earmark/api"
import { Keys } from "@earmark/service"
import { Effect } from "effect"
import { placed, route, told } from "./Route.js"

export const keyRoutes = Effect.map(Keys, (keys) => [
  route(KeysApi.list, ({ caller, query }) => told(keys.list(caller.account, query))),
  route(KeysApi.create, ({ body, caller }) =>
    Effect.map(keys.createWith(caller, body), (value) => ({
      value,
      headers: placed(KeysApi.revoke, value.id),
    })),
  ),
  route(KeysApi.revoke, ({ caller, path }) => told(Effect.asVoid(keys.revoke(caller.account, path.id)))),
])
