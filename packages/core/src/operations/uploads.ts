import { CompletedUpload, UploadHandshake, UploadNamed, UploadParts, UploadRequest } from "../wire/index.js"

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
      "Send the bytes with PUT to `upload_url`, with the `Content-Type` and `Content-Length` announced here and without an API key; then create a transcription with `media_ref`. Send a large file in parts, so that a broken connection costs one part.",
    isRepeatable: true,
    location: "{upload_url}",
    body: UploadRequest,
    answers: { 201: UploadHandshake },
    problems: [...BODY_PROBLEMS, ...REPEAT_PROBLEMS],
  }),

  "uploads.parts": operation({
    method: "POST",
    path: "/api/v1/uploads/parts",
    scope: "transcriptions:write",
    rate: "read",
    summary: "List the parts of an upload",
    description:
      "Where each part of the file goes, and which have arrived. Send a part with PUT to its `upload_url`, with the content type `application/octet-stream` and without an API key, in any order. After a break ask again and send only what is missing. Addresses are good for an hour, parts for 24 hours. A part that is sent twice is refused with `invalid_state`.",
    body: UploadNamed,
    answers: { 200: UploadParts },
    problems: ["media_ref_unknown", ...BODY_PROBLEMS],
  }),

  "uploads.complete": operation({
    method: "POST",
    path: "/api/v1/uploads/complete",
    scope: "transcriptions:write",
    rate: "create",
    summary: "Join the parts of an upload",
    description:
      "Joins the parts to one file, which may take some seconds a gigabyte. Then create a transcription with `media_ref`. `invalid_state` while a part is missing. Completing twice changes nothing.",
    body: UploadNamed,
    answers: { 200: CompletedUpload },
    problems: ["media_ref_unknown", "invalid_state", ...BODY_PROBLEMS],
  }),
} as const
