import type { AccountId, AccountNotFound } from "@earmark/core/jobs"
import { parseUploadRef } from "@earmark/core/links"
import { type SignedAddressInvalid, verifyUpload } from "@earmark/core/signing"
import {
  isSameMediaType,
  type MediaRefUnknown,
  makeMediaRef,
  UNUSED_UPLOAD_SECONDS,
  UPLOAD_SECONDS,
  UploadHandshake,
  type UploadRequest,
} from "@earmark/core/wire"
import { Clock, Context, Effect, Layer, Redacted, Schema, type Stream } from "effect"
import { Accounts } from "../ports/Accounts.js"
import type { StorageError } from "../ports/StorageError.js"
import { type ObjectRefused, ObjectStore, UploadStore } from "../ports/Uploads.js"
import { newUuid } from "./Entropy.js"
import { limitsOf } from "./limits.js"
import { type Answered, makeRepeats, type RequestContext } from "./Repeats.js"
import { type RepeatRefused, type RequestRefused, uploadTooLarge } from "./refusals.js"
import { Secrets } from "./Secrets.js"
import { ServiceConfig } from "./ServiceConfig.js"
import { makeUploadAddresses } from "./uploadAddresses.js"

const ROUTE = "/api/v1/uploads"

/** The bytes that arrive are not those that were announced. */
export class UploadMismatch extends Schema.TaggedError<UploadMismatch>()("UploadMismatch", {
  header: Schema.Literal("Content-Type", "Content-Length"),
  announced: Schema.String,
}) {
  override get message() {
    return `${this.header} has to be what the upload was announced with: ${this.announced}`
  }
}

/** A request with the bytes, as it arrived at the signed address. */
export interface ArrivingUpload<E> {
  readonly mediaRef: string
  /** The query of the address. */
  readonly query: {
    readonly contentType: string
    readonly bytes: number
    readonly expiresAt: number
    readonly signature: string
  }
  /** The headers, as far as they are there. */
  readonly contentType: string | undefined
  readonly contentLength: number | undefined
  readonly body: Stream.Stream<Uint8Array, E>
}

/** Files on their way in. */
export class Uploads extends Context.Tag("@earmark/service/Uploads")<
  Uploads,
  {
    /** A signed address for exactly these bytes, good for an hour. */
    readonly create: (
      account: AccountId,
      request: UploadRequest,
      context?: RequestContext,
    ) => Effect.Effect<
      Answered<UploadHandshake>,
      RequestRefused | RepeatRefused | AccountNotFound | StorageError
    >
    /** The largest upload of an account, in bytes; null: there is no limit. */
    readonly largest: (account: AccountId) => Effect.Effect<number | null, AccountNotFound | StorageError>
    /** A handshake and its bytes in one, for whoever has them at hand. Bytes that are not as announced are refused. */
    readonly bring: <E>(
      account: AccountId,
      request: UploadRequest,
      body: Stream.Stream<Uint8Array, E>,
    ) => Effect.Effect<
      UploadHandshake,
      E | RequestRefused | RepeatRefused | AccountNotFound | MediaRefUnknown | ObjectRefused | StorageError
    >
    /** Takes the bytes in, once; answers the ETag. Needs the signature, and nothing else. */
    readonly receive: <E>(
      upload: ArrivingUpload<E>,
    ) => Effect.Effect<
      string,
      E | SignedAddressInvalid | UploadMismatch | MediaRefUnknown | ObjectRefused | StorageError
    >
  }
>() {
  static readonly layer = Layer.effect(
    Uploads,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const store = yield* UploadStore
      const objects = yield* ObjectStore
      const secrets = yield* Secrets
      const config = yield* ServiceConfig
      const repeats = yield* makeRepeats
      const addressesOf = yield* makeUploadAddresses

      const key = () => Redacted.value(secrets.keys).uploads

      const largest = (account: AccountId) =>
        Effect.map(accounts.get(account), (owner) => limitsOf(owner, config).maxUploadBytes)

      const handshake = Effect.fnUntraced(function* (account: AccountId, request: UploadRequest) {
        const most = yield* largest(account)
        if (most !== null && request.bytes > most) return yield* uploadTooLarge(most)
        const mediaRef = makeMediaRef(account, yield* newUuid, request.contentType)
        const now = yield* Clock.currentTimeMillis
        const object = { key: mediaRef, contentType: request.contentType, bytes: request.bytes }
        const { put, page } = yield* addressesOf(account, object)
        return {
          now,
          answer: UploadHandshake.make({
            uploadUrl: put,
            mediaRef,
            expiresIn: UPLOAD_SECONDS,
            uploadPage: page,
          }),
        }
      })

      const create = Effect.fn("Uploads.create")(function* (
        account: AccountId,
        request: UploadRequest,
        context: RequestContext = {},
      ) {
        const { idempotencyKey } = context
        const repeatable = { account, idempotencyKey, route: ROUTE, body: request, answer: UploadHandshake }
        return yield* repeats.once(repeatable, (guardOf) =>
          Effect.gen(function* () {
            const { answer, now } = yield* handshake(account, request)
            const stored = {
              mediaRef: answer.mediaRef,
              account,
              filename: request.filename ?? null,
              contentType: request.contentType,
              bytes: request.bytes,
              state: "pending" as const,
              etag: null,
              expiresAt: now + UNUSED_UPLOAD_SECONDS * 1000,
            }
            return { answer, guarded: yield* store.create(stored, { guard: yield* guardOf(answer) }) }
          }),
        )
      })

      const keep = Effect.fnUntraced(function* <E>(
        mediaRef: string,
        { contentType, bytes }: Pick<UploadRequest, "contentType" | "bytes">,
        body: Stream.Stream<Uint8Array, E>,
      ) {
        const etag = yield* objects.put({ key: mediaRef, contentType, bytes }, body)
        yield* store.markStored(mediaRef, etag)
        return etag
      })

      const receive = Effect.fn("Uploads.receive")(function* <E>(upload: ArrivingUpload<E>) {
        const { mediaRef, query } = upload
        const account = parseUploadRef(mediaRef)?.account ?? ""
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        yield* verifyUpload({
          key: key(),
          request: {
            method: "PUT",
            path: `/${mediaRef}`,
            contentType: query.contentType,
            length: query.bytes,
            account,
            expiresAt: query.expiresAt,
          },
          signature: query.signature,
          now,
        })
        if (!isSameMediaType(upload.contentType ?? "", query.contentType)) {
          return yield* new UploadMismatch({ header: "Content-Type", announced: query.contentType })
        }
        if (upload.contentLength !== query.bytes) {
          return yield* new UploadMismatch({ header: "Content-Length", announced: String(query.bytes) })
        }
        return yield* keep(mediaRef, query, upload.body)
      })

      const bring = Effect.fn("Uploads.bring")(function* <E>(
        account: AccountId,
        request: UploadRequest,
        body: Stream.Stream<Uint8Array, E>,
      ) {
        const { answer } = yield* create(account, request)
        yield* keep(answer.mediaRef, request, body)
        return answer
      })

      return Uploads.of({ create, largest, bring, receive })
    }),
  )
}
