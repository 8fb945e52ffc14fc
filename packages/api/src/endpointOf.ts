import { type Operation, type OperationId, operations, pathNames } from "@earmark/core/operations"
import { IdempotencyKey } from "@earmark/core/requests"
import { ListQuery, type ProblemCode } from "@earmark/core/wire"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema, Struct } from "effect"
import { about } from "./about.js"
import { loosely } from "./loosely.js"
import { problems } from "./problems.js"

type Endpoint = HttpApiEndpoint.HttpApiEndpoint.AnyWithProps

const security = {
  apiKey: HttpApiSecurity.bearer.pipe(
    HttpApiSecurity.annotateContext(
      OpenApi.annotations({
        description:
          "An API key: `Authorization: Bearer em_live_...`. Keys that begin with `em_test_` make scripted jobs that cost nothing.",
      }),
    ),
  ),
}

/** Operations of an account need one of its keys. */
class ApiKeyRequired extends HttpApiMiddleware.Tag<ApiKeyRequired>()("@earmark/api/ApiKeyRequired", {
  failure: problems("unauthorized", "rate_limited"),
  security,
}) {}

/** Most need one that may do what is asked. */
class ScopeRequired extends HttpApiMiddleware.Tag<ScopeRequired>()("@earmark/api/ScopeRequired", {
  failure: problems("unauthorized", "insufficient_scope", "rate_limited"),
  security,
}) {}

/** Makes a retry safe. */
const RepeatHeaders = Schema.Struct({
  "idempotency-key": Schema.optional(
    IdempotencyKey.annotations({
      description: "1 to 255 visible ASCII characters. A repeat with the same key gets the same answer.",
    }),
  ),
})

const PLACES: Readonly<Record<string, string>> = {
  id: "The id of the resource.",
  delivery: "The id of the delivery.",
}

const pathOf = (names: ReadonlyArray<string>) =>
  Schema.Struct(
    Object.fromEntries(
      names.map((name) => [name, Schema.String.annotations({ description: PLACES[name] ?? name })]),
    ),
  )

/** `metadata[name]=value` is part of the query too; OpenAPI says it in its own way. */
const ListParameters = Schema.Struct(Struct.omit(ListQuery.fields, "metadata"))

const queryOf = ({ query }: Operation) => (query === ListQuery ? ListParameters : query)

const successOf = (form: Operation["form"], answer: Schema.Schema.AnyNoContext | null) => {
  if (answer === null) return HttpApiSchema.NoContent
  return form === "events"
    ? HttpApiSchema.withEncoding(answer, { kind: "Json", contentType: "text/event-stream" })
    : answer
}

/** An operation as `HttpApi` declares it. */
export const endpointOf = (id: OperationId): Endpoint => {
  const operation: Operation = operations[id]
  const { body, form, method, path, answers, scope } = operation
  const names = pathNames(operation)
  const query = queryOf(operation)
  const name = id.slice(id.indexOf(".") + 1)
  const bare = HttpApiEndpoint.make(method)(name, path)
  let endpoint = loosely(scope === null ? bare.middleware(ApiKeyRequired) : bare.middleware(ScopeRequired))
  if (operation.isRepeatable) endpoint = endpoint.setHeaders(RepeatHeaders)
  if (names.length > 0) endpoint = endpoint.setPath(pathOf(names))
  if (query !== undefined) endpoint = endpoint.setUrlParams(query)
  if (body !== undefined) endpoint = endpoint.setPayload(body)
  if (form === "file") endpoint = endpoint.addSuccess(HttpApiSchema.Text({ contentType: "text/plain" }))
  if (form === "bytes")
    endpoint = endpoint.addSuccess(HttpApiSchema.Uint8Array({ contentType: "application/octet-stream" }))
  if (form === "archive")
    endpoint = endpoint.addSuccess(HttpApiSchema.Uint8Array({ contentType: "application/zip" }))
  for (const [status, answer] of Object.entries(answers)) {
    const success = successOf(form, answer)
    // A status that is told takes the name of the schema away.
    endpoint =
      status === "200" || answer === null
        ? endpoint.addSuccess(success)
        : endpoint.addSuccess(success, { status: Number(status) })
  }
  const refusals: ReadonlyArray<ProblemCode> = [
    ...(operation.problems ?? []),
    ...(operation.needsFreshSignIn === true ? (["sign_in_again"] as const) : []),
  ]
  if (refusals.length > 0) endpoint = endpoint.addError(problems(...refusals))
  return endpoint.annotateContext(about(operation))
}
