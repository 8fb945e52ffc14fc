import type { Scope } from "@earmark/core/jobs"
import { IdempotencyKey } from "@earmark/core/requests"
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as OpenApi from "@effect/platform/OpenApi"
import { Context, Schema } from "effect"
import { problems } from "./problems.js"

/** Which limit of the account a request counts against. */
export type Rate = "create" | "read"

/** What a key must be allowed to do for an operation, and the limit that it counts against. */
export class Access extends Context.Tag("@earmark/api/Access")<
  Access,
  { readonly scope: Scope; readonly rate: Rate }
>() {}

/** Operations for whoever has a key. */
export class ApiKeyRequired extends HttpApiMiddleware.Tag<ApiKeyRequired>()("@earmark/api/ApiKeyRequired", {
  failure: problems("unauthorized", "insufficient_scope", "rate_limited"),
  security: {
    apiKey: HttpApiSecurity.bearer.pipe(
      HttpApiSecurity.annotateContext(
        OpenApi.annotations({
          description:
            "An API key: `Authorization: Bearer em_live_...`. Keys that begin with `em_test_` make scripted jobs that cost nothing.",
        }),
      ),
    ),
  },
}) {}

interface Told {
  readonly summary: string
  readonly description?: string
}

/** What people read about an operation. */
export const about = ({ summary, description }: Told) =>
  OpenApi.annotations({ summary, ...(description !== undefined && { description }) })

/** What people read about an operation, and who may do it. */
export const guarded = (scope: Scope, rate: Rate, told: Told) =>
  Context.add(about(told), Access, { scope, rate })

/** Makes a retry safe. */
export const RepeatHeaders = Schema.Struct({
  "idempotency-key": Schema.optional(
    IdempotencyKey.annotations({
      description: "1 to 255 visible ASCII characters. A repeat with the same key gets the same answer.",
    }),
  ),
})

/** The id in a path. Any text: a malformed one does not exist. */
export const ById = Schema.Struct({
  id: Schema.String.annotations({ description: "The id of the resource." }),
})
