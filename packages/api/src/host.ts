import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { about } from "./Access.js"

const Ok = Schema.Struct({ status: Schema.Literal("ok") })

export const healthz = HttpApiEndpoint.get("healthz", "/healthz")
  .addSuccess(Ok)
  .annotateContext(about({ summary: "Whether the process answers" }))

export const readyz = HttpApiEndpoint.get("readyz", "/readyz")
  .addSuccess(Ok)
  .annotateContext(
    about({ summary: "Whether the service can work", description: "503 while its store cannot be reached." }),
  )

/** What load balancers ask. */
export const host = HttpApiGroup.make("host")
  .add(healthz)
  .add(readyz)
  .annotateContext(OpenApi.annotations({ description: "For load balancers and tools." }))
