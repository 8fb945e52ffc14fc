export { type Cidr, CidrInvalid, cidrContains, parseCidr, parseCidrList } from "./Cidr.js"
export { classifyLink } from "./classifyLink.js"
export { stripCredentials } from "./credentials.js"
export { MEDIA_EXTENSIONS } from "./extensions.js"
export { fileTitle } from "./fileTitle.js"
export { type Link, LinkRefused, type PodcastApp, type RefusedReason, type SocialSite } from "./Link.js"
export { isLoopbackName, isPrivateWay, ONLY_HERE } from "./loopback.js"
export {
  fetchedAddress,
  looseMediaIdentity,
  mediaIdentity,
  sameMedia,
  stripTracking,
} from "./mediaIdentity.js"
export {
  isAllowedAddress,
  isAllowedOverHttp,
  isAllowedPort,
  isPublicAddress,
  type PlainHttp,
} from "./publicAddress.js"
export type { ContainerFormat, Sniffed, TextKind } from "./Sniffed.js"
export { SNIFFED_BYTES, sniff } from "./sniff.js"
export { nameOfHost, SOCIAL_CLIP_SECONDS, SOCIAL_HOSTS } from "./social.js"
export { parseUploadRef, type UploadRef } from "./uploadRef.js"
export { readPage, type WebPage } from "./WebPage.js"
