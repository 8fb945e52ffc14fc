import { type Fetcher, isObjectKey, ObjectMissing, ObjectStore, StorageError } from "@earmark/service"
import { Effect, Layer, Stream } from "effect"
import {
  addressOf,
  makeS3Requests,
  type S3Place,
  signingKeyOf,
  signingMoment,
  unexpected,
} from "./s3Requests.js"
import { makeS3Upload, refuse, unquoted } from "./s3Upload.js"
import { presign } from "./sigv4.js"

export interface ObjectStoreS3Options extends S3Place {
  /** Objects above this size are sent in parts of it; so much memory an upload takes. 8 MiB by default; the protocol wants 5 MiB at least. */
  readonly partBytes?: number
  /** Whether clients put and get their bytes at the bucket themselves, at a signed address. They go through the service by default. */
  readonly directUploads?: boolean
}

const MEBIBYTE = 1024 * 1024
/** How often one reading goes on where the connection broke. */
const MOST_BREAKS = 5

/** The status with which the server answers a question for the bucket itself. It is asked once, and changes nothing. */
export const bucketStatus = (place: S3Place): Effect.Effect<number, StorageError, Fetcher> =>
  Effect.gen(function* () {
    const { open } = yield* makeS3Requests(place)
    return (yield* open("ObjectStore.bucketStatus", { method: "HEAD", key: "" })).status
  }).pipe(Effect.scoped)

/** Objects in a bucket of S3, or of a server that speaks its protocol. */
export const layer = (options: ObjectStoreS3Options): Layer.Layer<ObjectStore, never, Fetcher> =>
  Layer.effect(
    ObjectStore,
    Effect.gen(function* () {
      const requests = yield* makeS3Requests(options)
      const upload = makeS3Upload(requests, options.partBytes ?? 8 * MEBIBYTE)

      const head: ObjectStore["Type"]["head"] = Effect.fn("ObjectStore.head")(function* (key) {
        if (!isObjectKey(key)) return null
        const answer = yield* requests.send("ObjectStore.head", { method: "HEAD", key })
        if (answer.status === 404) return null
        if (answer.status !== 200) return yield* unexpected("ObjectStore.head", answer)
        const { "content-length": length, "content-type": contentType = "", etag = "" } = answer.headers
        return { bytes: Number(length), contentType, etag: unquoted(etag) }
      })

      const put: ObjectStore["Type"]["put"] = Effect.fn("ObjectStore.put")(function* (object, body) {
        if (!isObjectKey(object.key)) return yield* refuse("key_invalid")
        if ((yield* head(object.key)) !== null) return yield* refuse("exists")
        return yield* upload(object, body)
      })

      /** One version of the object, from one byte to another; goes on when the connection breaks. */
      const range = (
        key: string,
        etag: string,
        from: number,
        end: number,
        breaks = 0,
      ): Stream.Stream<Uint8Array, ObjectMissing | StorageError> => {
        let position = from
        const headers = { range: `bytes=${from}-${end - 1}`, "if-match": `"${etag}"` }
        return Stream.unwrapScoped(
          Effect.gen(function* () {
            const answer = yield* requests.open("ObjectStore.read", { method: "GET", key, headers })
            const { status } = answer
            if (status === 404 || status === 412) return yield* new ObjectMissing({ key })
            if (status !== 206) return yield* unexpected("ObjectStore.read", { status, text: "" })
            return answer.body.pipe(
              Stream.tap((chunk) =>
                Effect.sync(() => {
                  position += chunk.length
                }),
              ),
              Stream.mapError(
                (cause) => new StorageError({ operation: "ObjectStore.read", reason: "unavailable", cause }),
              ),
            )
          }),
        ).pipe(
          Stream.catchTag("StorageError", (error) => {
            const mayGoOn = error.reason === "unavailable" && breaks < MOST_BREAKS && position < end
            return mayGoOn ? range(key, etag, position, end, breaks + 1) : Stream.fail(error)
          }),
        )
      }

      const read: ObjectStore["Type"]["read"] = (key, { from = 0, to } = {}) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const object = yield* head(key)
            if (object === null) return yield* new ObjectMissing({ key })
            const end = Math.min(to ?? object.bytes, object.bytes)
            return from >= end ? Stream.empty : range(key, object.etag, from, end)
          }),
        )

      const remove: ObjectStore["Type"]["remove"] = Effect.fn("ObjectStore.remove")(function* (key) {
        if (!isObjectKey(key)) return
        const answer = yield* requests.send("ObjectStore.remove", { method: "DELETE", key })
        if (answer.status >= 300 && answer.status !== 404)
          return yield* unexpected("ObjectStore.remove", answer)
      })

      const presignPut: NonNullable<ObjectStore["Type"]["presignPut"]> = Effect.fn("ObjectStore.presignPut")(
        function* ({ key, contentType, bytes }, expiresInSeconds) {
          if (!isObjectKey(key)) return yield* refuse("key_invalid")
          const signable = {
            method: "PUT",
            url: addressOf(options, key),
            headers: { "content-type": contentType, "content-length": String(bytes) },
            datetime: yield* signingMoment,
          }
          return presign(signingKeyOf(options), signable, expiresInSeconds)
        },
      )

      const presignGet: NonNullable<ObjectStore["Type"]["presignGet"]> = ({ key, contentType }, seconds) =>
        Effect.map(signingMoment, (datetime) => {
          // Said by the bucket, whatever it knows of the object: what a browser is given is played and nothing else.
          const shown = { "response-content-type": contentType, "response-content-disposition": "inline" }
          const signable = { method: "GET", url: addressOf(options, key, shown), headers: {}, datetime }
          return presign(signingKeyOf(options), signable, seconds)
        })

      const store = { put, head, read, remove }
      return ObjectStore.of(options.directUploads === true ? { ...store, presignPut, presignGet } : store)
    }),
  )
