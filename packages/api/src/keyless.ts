/** The operations that need no key of an account: a signature takes its place, or nobody is asked. */
import { ExportQuery } from "@earmark/core/wire"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { Schema } from "effect"
import { about } from "./about.js"
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

export const openExport = HttpApiEndpoint.get("open", "/exports/:account/:id")
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

const MediaPlace = Schema.Struct({
  ...ExportPlace.fields,
  file: Schema.String.annotations({ description: "`copy` or `upload`." }),
})

export const openMedia = HttpApiEndpoint.get("media", "/media/:account/:id/:file")
  .setPath(MediaPlace)
  .setUrlParams(
    Schema.Struct({ expires: SignedExport.fields.expires, signature: SignedExport.fields.signature }),
  )
  .addSuccess(HttpApiSchema.Uint8Array({ contentType: "audio/*" }))
  .addSuccess(
    HttpApiSchema.Uint8Array({ contentType: "audio/*" }).annotations({
      ...HttpApiSchema.annotations({ status: 206 }),
      description: "The part that `Range` asked for.",
    }),
  )
  .addError(
    problems("signature_invalid", "not_found", "recording_not_kept", "expired", "range_not_satisfiable"),
  )
  .annotateContext(
    about({
      summary: "Play a recording",
      description:
        "Exactly the address that was given out. It needs no key. With `Range: bytes=from-to` a part (206); with several ranges, or one that cannot be read, all of it (200).",
    }),
  )

/** What a signed address is made of. */
const SignedUpload = Schema.Struct({
  type: Schema.String.annotations({ description: "The announced content type." }),
  bytes: Schema.String.annotations({ description: "The announced length." }),
  expires: Schema.String.annotations({ description: "When the address ends, in unix seconds." }),
  signature: Schema.String.annotations({ description: "What the address is signed with." }),
})

const UploadPlace = Schema.Struct({
  account: Schema.String.annotations({ description: "The account of the upload." }),
  file: Schema.String.annotations({ description: "The name that the service gave the file." }),
})

export const putUpload = HttpApiEndpoint.put("put", "/uploads/:account/:file")
  .setPath(UploadPlace)
  .setUrlParams(SignedUpload)
  .setPayload(HttpApiSchema.Uint8Array({ contentType: "application/octet-stream" }))
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(
    problems(
      "signature_invalid",
      "not_found",
      "request_timeout",
      "invalid_state",
      "expired",
      "media_ref_unknown",
    ),
  )
  .annotateContext(
    about({
      summary: "Send the bytes of an upload",
      description:
        "To exactly the address that the handshake gave. A body that is not as announced is refused and nothing of it is kept; a second PUT is refused.",
    }),
  )

/** Whose notice it is. */
const NoticePlace = Schema.Struct({
  provider: Schema.String.annotations({ description: "The payment provider, such as `stripe`." }),
})

export const takeNotice = HttpApiEndpoint.post("notice", "/api/v1/payments/:provider/notices")
  .setPath(NoticePlace)
  .setPayload(HttpApiSchema.Uint8Array({ contentType: "application/json" }))
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(problems("signature_invalid", "not_found", "too_large", "request_timeout"))
  .annotateContext(
    about({
      summary: "Take a notice of a payment provider",
      description:
        "For the provider alone: its signature over the body is the key. A notice that comes twice, late or out of order changes nothing; one that could not be followed is answered 503, to be sent again.",
    }),
  )

const Ok = Schema.Struct({ status: Schema.Literal("ok") })

export const healthz = HttpApiEndpoint.get("healthz", "/healthz")
  .addSuccess(Ok)
  .annotateContext(about({ summary: "Whether the process answers" }))

export const readyz = HttpApiEndpoint.get("readyz", "/readyz")
  .addSuccess(Ok)
  .annotateContext(
    about({
      summary: "Whether the service can work",
      description: "503 while its store cannot be reached, or takes no writes.",
    }),
  )
