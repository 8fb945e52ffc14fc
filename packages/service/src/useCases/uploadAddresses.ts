import type { AccountId } from "@earmark/core/jobs"
import { signUpload } from "@earmark/core/signing"
import { UPLOAD_SECONDS } from "@earmark/core/wire"
import { Clock, Effect, Redacted } from "effect"
import { StoreSettings } from "../ports/StoreSettings.js"
import { ObjectStore } from "../ports/Uploads.js"
import { Secrets } from "./Secrets.js"

interface AnnouncedObject {
  readonly key: string
  readonly contentType: string
  readonly bytes: number
}

/** Where the bytes of an object are put, for an hour: at the store itself where it has such addresses, else here. */
export const makeUploadAddresses = Effect.gen(function* () {
  const objects = yield* ObjectStore
  const secrets = yield* Secrets
  const { baseUrl } = yield* StoreSettings
  const base = baseUrl.replace(/\/$/, "")

  return Effect.fnUntraced(function* (account: AccountId, object: AnnouncedObject) {
    const { key, contentType, bytes } = object
    const expiresAt = Math.floor((yield* Clock.currentTimeMillis) / 1000) + UPLOAD_SECONDS
    const signature = signUpload(Redacted.value(secrets.keys).uploads, {
      method: "PUT",
      path: `/${key}`,
      contentType,
      length: bytes,
      account,
      expiresAt,
    })
    const query = new URLSearchParams({
      type: contentType,
      bytes: String(bytes),
      expires: String(expiresAt),
      signature,
    })
    // Our own key is always one that the store takes.
    const direct = yield* Effect.catchTag(
      objects.presignPut?.(object, UPLOAD_SECONDS) ?? Effect.succeed(null),
      "ObjectRefused",
      Effect.die,
    )
    return { put: direct ?? `${base}/${key}?${query}`, page: `${base}/upload/${key}?${query}` }
  })
})
