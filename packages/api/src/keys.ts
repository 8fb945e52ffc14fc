import { ApiKeyWithValue, CreateKey, PageQuery } from "@earmark/core/jobs"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { ApiKeyRequired, ById, guarded } from "./Access.js"
import { KeyPage } from "./answers.js"
import { BODY_PROBLEMS, problems } from "./problems.js"

export const list = HttpApiEndpoint.get("list", "/api/v1/keys")
  .setUrlParams(PageQuery)
  .addSuccess(KeyPage)
  .annotateContext(
    guarded("keys", "read", { summary: "List API keys", description: "Without their values." }),
  )

export const create = HttpApiEndpoint.post("create", "/api/v1/keys")
  .setPayload(CreateKey)
  .addSuccess(ApiKeyWithValue, { status: 201 })
  .addError(problems(...BODY_PROBLEMS))
  .annotateContext(
    guarded("keys", "create", {
      summary: "Make an API key",
      description: "`key` is shown once. A key has at most the scopes of the key that made it.",
    }),
  )

export const revoke = HttpApiEndpoint.del("revoke", "/api/v1/keys/:id")
  .setPath(ById)
  .addSuccess(HttpApiSchema.NoContent)
  .addError(problems("not_found"))
  .annotateContext(
    guarded("keys", "read", {
      summary: "Revoke an API key",
      description: "It stays listed. Revoking twice changes nothing.",
    }),
  )

/** The API keys of an account. */
export const keys = HttpApiGroup.make("keys")
  .add(list)
  .add(create)
  .add(revoke)
  .middleware(ApiKeyRequired)
  .annotateContext(OpenApi.annotations({ description: "API keys of the account." }))
