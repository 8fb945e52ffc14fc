import type { AccountId } from "@earmark/core/jobs"
import type { MediaRefUnknown } from "@earmark/core/wire"
import { Context, type Effect, Schema, type Stream } from "effect"
import type { Guard, Guarded, GuardRefused } from "./JobStore.js"
import type { StorageError } from "./StorageError.js"

export interface StoredUpload {
  readonly mediaRef: string
  readonly account: AccountId
  /** As its owner calls it; null for one that an earlier version took. */
  readonly filename: string | null
  readonly contentType: string
  readonly bytes: number
  readonly state: "pending" | "stored" | "used"
  readonly etag: string | null
  readonly expiresAt: number
}

/** What is known of uploads; their bytes are in the `ObjectStore`. */
export class UploadStore extends Context.Tag("@earmark/service/UploadStore")<
  UploadStore,
  {
    readonly create: (
      upload: StoredUpload,
      options: { readonly guard: Guard | null },
    ) => Effect.Effect<Guarded, GuardRefused | StorageError>
    /** Only for its own account, and not after its time. */
    readonly get: (
      account: AccountId,
      mediaRef: string,
    ) => Effect.Effect<StoredUpload, MediaRefUnknown | StorageError>
    /** The bytes have arrived. A second arrival, or one after its time, changes nothing and answers false. */
    readonly markStored: (mediaRef: string, etag: string) => Effect.Effect<boolean, StorageError>
    /** A job works with it: it is not swept any more. */
    readonly markUsed: (mediaRef: string) => Effect.Effect<void, StorageError>
    /** Forgets uploads that nobody used in time; answers their references, so that their bytes can go. */
    readonly sweep: (limit: number) => Effect.Effect<ReadonlyArray<string>, StorageError>
  }
>() {}

export class ObjectMissing extends Schema.TaggedError<ObjectMissing>()("ObjectMissing", {
  key: Schema.String,
}) {}

export class ObjectRefused extends Schema.TaggedError<ObjectRefused>()("ObjectRefused", {
  reason: Schema.Literal("exists", "too_short", "too_long", "key_invalid"),
}) {}

/** Bytes by key. Nothing half-written is ever visible. */
export class ObjectStore extends Context.Tag("@earmark/service/ObjectStore")<
  ObjectStore,
  {
    /** Stores exactly `bytes` bytes under a key that is not taken; else stores nothing. Answers the ETag. */
    readonly put: <E>(
      object: { readonly key: string; readonly contentType: string; readonly bytes: number },
      body: Stream.Stream<Uint8Array, E>,
    ) => Effect.Effect<string, E | ObjectRefused | StorageError>
    readonly head: (
      key: string,
    ) => Effect.Effect<
      { readonly bytes: number; readonly contentType: string; readonly etag: string } | null,
      StorageError
    >
    /** The bytes from `from` (0) up to, not including, `to` (the end); fewer when the object is shorter. */
    readonly read: (
      key: string,
      range?: { readonly from?: number; readonly to?: number },
    ) => Stream.Stream<Uint8Array, ObjectMissing | StorageError>
    /** Taking away what is not there is fine. */
    readonly remove: (key: string) => Effect.Effect<void, StorageError>
    /**
     * An address where a client may put exactly these bytes itself, without going through this service. Only a store that has such
     * addresses has this. `head` tells whether the bytes are there.
     */
    readonly presignPut?: (
      object: { readonly key: string; readonly contentType: string; readonly bytes: number },
      expiresInSeconds: number,
    ) => Effect.Effect<string, ObjectRefused | StorageError>
    /**
     * An address where whoever has it may read the object, any part of it, without going through this service. Only a store that has such
     * addresses has this.
     */
    readonly presignGet?: (
      object: { readonly key: string; readonly contentType: string },
      expiresInSeconds: number,
    ) => Effect.Effect<string, StorageError>
  }
>() {}
