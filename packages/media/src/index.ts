// Sources: from a link to media, and from a source to its bytes.
export { type Obtained, obtain } from "./obtain/obtain.js"
export { type SocialCaptions, type SocialFacts, SocialVideo } from "./obtain/SocialVideo.js"
