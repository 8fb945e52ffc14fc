import { UploadHandshake, UploadRequest } from "@earmark/core/jobs"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { ApiKeyRequired, about, guarded, RepeatHeaders } from "./Access.js"
import { BODY_PROBLEMS, problems, REPEAT_PROBLEMS } from "./problems.js"

export const begin = HttpApiEndpoint.post("create", "/api/v1/uploads")
  .setHeaders(RepeatHeaders)
  .setPayload(UploadRequest)
  .addSuccess(UploadHandshake, { status: 201 })
  .addError(problems(...BODY_PROBLEMS, ...REPEAT_PROBLEMS))
  .annotateContext(
    guarded("transcriptions:write", "create", {
      summary: "Begin an upload",
      description:
        "Send the bytes with PUT to `upload_url`, with the `Content-Type` and `Content-Length` announced here and without an API key; then create a transcription with `media_ref`.",
    }),
  )

/** What a signed address is made of. */
export const SignedUpload = Schema.Struct({
  type: Schema.String.annotations({ description: "The announced content type." }),
  bytes: Schema.String.annotations({ description: "The announced length." }),
  expires: Schema.String.annotations({ description: "When the address ends, in unix seconds." }),
  signature: Schema.String.annotations({ description: "What the address is signed with." }),
})

export const UploadPlace = Schema.Struct({
  account: Schema.String.annotations({ description: "The account of the upload." }),
  file: Schema.String.annotations({ description: "The name that the service gave the file." }),
})

export const put = HttpApiEndpoint.put("put", "/uploads/:account/:file")
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

/** Files on their way in. */
export const uploads = HttpApiGroup.make("uploads")
  .add(begin.middleware(ApiKeyRequired))
  .add(put)
  .annotateContext(OpenApi.annotations({ description: "Direct uploads: a handshake, then the bytes." }))
