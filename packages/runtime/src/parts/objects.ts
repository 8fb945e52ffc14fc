import { join } from "node:path"
import { FetcherNode, ObjectStoreDisk, ObjectStoreS3 } from "@earmark/media"
import { Effect, Layer } from "effect"
import type { Settings } from "../settings/Settings.js"
import { openDataFolder } from "./dataFolder.js"

const onDisk = ({ dataDir }: Settings) =>
  Layer.unwrapEffect(
    Effect.map(openDataFolder(dataDir), (folder) =>
      ObjectStoreDisk.layer({ directory: join(folder, "objects") }),
    ),
  )

/** The bucket that the settings name at an address. */
export const bucketAt = ({ s3Bucket, s3Key, s3Region, s3Secret }: Settings, url: string) => ({
  url,
  bucket: s3Bucket,
  key: s3Key,
  secret: s3Secret,
  region: s3Region,
})

/** The operator wrote the address: it may be a private one. */
const inBucket = (settings: Settings, url: string) =>
  ObjectStoreS3.layer(bucketAt(settings, url)).pipe(Layer.provide(FetcherNode.layer()))

/** Where the bytes of uploads lie: in the data folder, or in a bucket. */
export const objects = (settings: Settings) =>
  Layer.unwrapEffect(
    Effect.sync(() => (settings.s3Url === null ? onDisk(settings) : inBucket(settings, settings.s3Url))),
  )
