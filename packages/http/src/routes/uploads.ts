import { UploadsApi } from "@earmark/api"
import { Uploads } from "@earmark/service"
import { Effect } from "effect"
import { replay, route } from "./Route.js"

export const uploadRoutes = Effect.map(Uploads, (uploads) => [
  route(UploadsApi.begin, ({ body, caller, context }) =>
    Effect.map(uploads.create(caller.account, body, context), ({ answer, replayed }) => ({
      value: answer,
      headers: { ...replay(replayed), Location: answer.uploadUrl },
    })),
  ),
])
