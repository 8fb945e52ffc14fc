import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FetcherNode, ObjectStoreDisk, ObjectStoreS3 } from "@earmark/media"
import { ObjectStore } from "@earmark/service"
import { Effect, Layer, Redacted, Stream } from "effect"

const folder = await mkdtemp(join(tmpdir(), "earmark-"))

// #region disk
const onDisk = ObjectStoreDisk.layer({ directory: join(folder, "objects") })
// #endregion

// #region s3
export const inBucket = ObjectStoreS3.layer({
  url: "https://s3.eu-central-1.amazonaws.com",
  bucket: "my-uploads",
  region: "eu-central-1",
  key: "AKIAIOSFODNN7EXAMPLE",
  secret: Redacted.make("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
}).pipe(Layer.provide(FetcherNode.layer()))
// #endregion

const key = "uploads/acct_01k00000000000000000000000/00000000-0000-4000-8000-000000000000.mp3"

const putAndRead = Effect.gen(function* () {
  const objects = yield* ObjectStore
  yield* objects.put({ key, contentType: "audio/mpeg", bytes: 5 }, Stream.make(Buffer.from("12345")))
  const part = yield* objects.read(key, { from: 1, to: 3 }).pipe(Stream.decodeText(), Stream.mkString)
  console.log((yield* objects.head(key))?.bytes, part)
}).pipe(Effect.provide(onDisk))

await Effect.runPromise(putAndRead)
await rm(folder, { recursive: true })
