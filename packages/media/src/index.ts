// The guarded door, and what goes through it.

export type { FetcherOptions } from "./fetch/FetcherNode.js"
export * as FetcherNode from "./fetch/FetcherNode.js"
export { failureOf } from "./fetch/failures.js"
export type { Resolve } from "./fetch/resolve.js"
// Where uploads are.
export type { ObjectStoreDiskOptions } from "./objects/ObjectStoreDisk.js"
export * as ObjectStoreDisk from "./objects/ObjectStoreDisk.js"
export type { ObjectStoreS3Options } from "./objects/ObjectStoreS3.js"
export * as ObjectStoreS3 from "./objects/ObjectStoreS3.js"
export * as WebhookSenderHttp from "./webhooks/WebhookSenderHttp.js"

// Sources: from a link to media, and from a source to its bytes.

// Decoding: from a file to speech windows.
export { DecoderConfig } from "./decode/DecoderConfig.js"
export * as MediaDecoderFfmpeg from "./decode/MediaDecoderFfmpeg.js"
export { fileLength, measureWith } from "./length/measure.js"
// Feeds as lists of episodes.
export type { EpisodeList, ListedFeed, ListingWanted } from "./listing/EpisodeList.js"
export { downloadFeed, listEpisodes } from "./listing/listEpisodes.js"
export { listFeedStream } from "./listing/readFeedStream.js"
export { type Obtained, obtain } from "./obtain/obtain.js"
export { type SocialCaptions, type SocialFacts, SocialVideo } from "./obtain/SocialVideo.js"
export type { YtDlpOptions } from "./obtain/YtDlp.js"
export * as YtDlp from "./obtain/YtDlp.js"
export { readFeedDocument } from "./resolve/feedDocument.js"
export type { ResolverOptions } from "./resolve/ResolverOptions.js"
export * as SourceResolverWeb from "./resolve/SourceResolverWeb.js"
