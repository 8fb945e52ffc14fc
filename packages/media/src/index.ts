// The guarded door.

export type { FetcherOptions } from "./fetch/FetcherNode.js"
export * as FetcherNode from "./fetch/FetcherNode.js"

// Sources: from a link to media, and from a source to its bytes.

// Decoding: from a file to speech windows.
export { DecoderConfig } from "./decode/DecoderConfig.js"
export * as MediaDecoderFfmpeg from "./decode/MediaDecoderFfmpeg.js"
export { type Obtained, obtain } from "./obtain/obtain.js"
export { type SocialCaptions, type SocialFacts, SocialVideo } from "./obtain/SocialVideo.js"
