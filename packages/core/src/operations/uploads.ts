import { UploadHandshake, UploadRequest } from "../wire/index.js"

import { operation } from "./Operation.js"
import { BODY_PROBLEMS, REPEAT_PROBLEMS } from "./refusals.js"

export const uploads = {
  "uploads.create": operation({
    method: "POST",
    path: "/api/v1/uploads",
    scope: "transcriptions:write",
    rate: "create",
    summary: "Begin an upload",
    description:
      "Send the bytes with PUT to `upload_url`, with the `Content-Type` and `Content-Length` announced here and without an API key; then create a transcription with `media_ref`.",
    isRepeatable: true,
    location: "{upload_url}",
    body: UploadRequest,
    answers: { 201: UploadHandshake },
    problems: [...BODY_PROBLEMS, ...REPEAT_PROBLEMS],
  }),
} as const
