import type { AccountId } from "@earmark/core/jobs"
import {
  type CompletedUpload,
  type MediaRefUnknown,
  partsOf,
  UPLOAD_SECONDS,
  type UploadParts as UploadPartsShown,
} from "@earmark/core/wire"
import { Context, Effect, Layer, Stream } from "effect"
import { derivedRef } from "../ports/objectKey.js"
import { StorageError } from "../ports/StorageError.js"
import { type ObjectRefused, ObjectStore, type StoredUpload, UploadStore } from "../ports/Uploads.js"
import { PartsMissing } from "./refusals.js"
import { makeUploadAddresses } from "./uploadAddresses.js"

const PART_TYPE = "application/octet-stream"
/** How many parts are looked for at once. */
const LOOKS = 16

/** The parts of an upload as objects of their own. Each is entered among the uploads of the account, and swept like one that nobody used. */
const partObjects = ({ account, mediaRef, bytes }: StoredUpload) =>
  partsOf(bytes).map((size, at) => ({
    partNumber: at + 1,
    bytes: size,
    key: derivedRef(account, `part ${at + 1} of ${mediaRef}`, PART_TYPE),
  }))

/** Uploads that arrive in parts, and go on after a break. */
export class UploadParts extends Context.Tag("@earmark/service/UploadParts")<
  UploadParts,
  {
    /** Where each part goes, and which have arrived. */
    readonly list: (
      account: AccountId,
      mediaRef: string,
    ) => Effect.Effect<UploadPartsShown, MediaRefUnknown | StorageError>
    /** Makes one file of the parts. Completing again changes nothing. */
    readonly complete: (
      account: AccountId,
      mediaRef: string,
    ) => Effect.Effect<CompletedUpload, MediaRefUnknown | PartsMissing | ObjectRefused | StorageError>
  }
>() {
  static readonly layer = Layer.effect(
    UploadParts,
    Effect.gen(function* () {
      const uploads = yield* UploadStore
      const objects = yield* ObjectStore
      const addressesOf = yield* makeUploadAddresses

      /** With a mark at those that are there. */
      const look = (upload: StoredUpload) =>
        Effect.forEach(
          partObjects(upload),
          (part) => Effect.map(objects.head(part.key), (found) => ({ ...part, isReceived: found !== null })),
          { concurrency: LOOKS },
        )

      const isWhole = Effect.fnUntraced(function* ({ mediaRef, state }: StoredUpload) {
        return state !== "pending" || (yield* objects.head(mediaRef)) !== null
      })

      const list = Effect.fn("UploadParts.list")(function* (account: AccountId, mediaRef: string) {
        const upload = yield* uploads.get(account, mediaRef)
        const isDone = yield* isWhole(upload)
        const parts = yield* Effect.forEach(
          yield* look(upload),
          Effect.fnUntraced(function* ({ partNumber, bytes, key, isReceived }) {
            const entry = { ...upload, mediaRef: key, filename: null, contentType: PART_TYPE, bytes }
            if (!isDone && !isReceived) yield* uploads.create(entry, { guard: null })
            const { put } = yield* addressesOf(account, { key, contentType: PART_TYPE, bytes })
            return { partNumber, bytes, isReceived: isDone || isReceived, uploadUrl: put }
          }),
          { concurrency: LOOKS },
        ).pipe(Effect.catchTags({ IdempotencyInProgress: Effect.die, IdempotencyKeyReused: Effect.die }))
        return { mediaRef, expiresIn: UPLOAD_SECONDS, parts }
      })

      const join = Effect.fnUntraced(function* (upload: StoredUpload) {
        const parts = yield* look(upload)
        const missing = parts.filter(({ isReceived }) => !isReceived).map(({ partNumber }) => partNumber)
        if (missing.length > 0) return yield* new PartsMissing({ missing, parts: parts.length })
        const { mediaRef, contentType, bytes } = upload
        const body = Stream.flatMap(Stream.fromIterable(parts), ({ key }) => objects.read(key)).pipe(
          // Whoever has completed it meanwhile took the parts away: a repeat finds the whole.
          Stream.mapError((cause) =>
            cause._tag === "ObjectMissing"
              ? new StorageError({ operation: "UploadParts.complete", reason: "unavailable", cause })
              : cause,
          ),
        )
        const etag = yield* objects.put({ key: mediaRef, contentType, bytes }, body).pipe(
          // Somebody else has completed it meanwhile.
          Effect.catchIf(
            (error) => error._tag === "ObjectRefused" && error.reason === "exists",
            () => Effect.map(objects.head(mediaRef), (found) => found?.etag ?? ""),
          ),
        )
        yield* uploads.markStored(mediaRef, etag)
        yield* Effect.forEach(parts, ({ key }) => objects.remove(key), { discard: true, concurrency: LOOKS })
      })

      const complete = Effect.fn("UploadParts.complete")(function* (account: AccountId, mediaRef: string) {
        const upload = yield* uploads.get(account, mediaRef)
        if (!(yield* isWhole(upload))) yield* join(upload)
        return { mediaRef }
      })

      return UploadParts.of({ list, complete })
    }),
  )
}
