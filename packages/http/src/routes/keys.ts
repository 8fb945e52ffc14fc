import { KeysApi } from "@earmark/api"
import { Keys } from "@earmark/service"
import { Effect } from "effect"
import { route, told } from "./Route.js"

export const keyRoutes = Effect.map(Keys, (keys) => [
  route(KeysApi.list, ({ caller, query }) => told(keys.list(caller.account, query))),
  route(KeysApi.create, ({ body, caller }) => told(keys.createWith(caller, body))),
  route(KeysApi.revoke, ({ caller, path }) => told(Effect.asVoid(keys.revoke(caller.account, path.id)))),
])
