import { ExportQuery } from "@earmark/core/jobs"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { about } from "./Access.js"
import { problems } from "./problems.js"

const ExportPlace = Schema.Struct({
  account: Schema.String.annotations({ description: "The account of the transcription." }),
  id: Schema.String.annotations({ description: "The id of the transcription." }),
})

const SignedExport = Schema.Struct({
  ...ExportQuery.fields,
  expires: Schema.String.annotations({ description: "When the address ends, in unix seconds." }),
  signature: Schema.String.annotations({ description: "What the address is signed with." }),
})

export const open = HttpApiEndpoint.get("open", "/exports/:account/:id")
  .setPath(ExportPlace)
  .setUrlParams(SignedExport)
  .addSuccess(HttpApiSchema.Text({ contentType: "text/plain" }))
  .addError(
    problems(
      "signature_invalid",
      "not_found",
      "expired",
      "invalid_state",
      "no_word_timing",
      "feature_locked",
    ),
  )
  .annotateContext(
    about({
      summary: "Open a link to an export",
      description: "Exactly the address that was given out. It needs no key.",
    }),
  )

/** Exports for whoever has their address. */
export const exports = HttpApiGroup.make("exports")
  .add(open)
  .annotateContext(OpenApi.annotations({ description: "Links to exports." }))
