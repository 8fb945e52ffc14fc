export { FEATURES, FRAME_MILLISECONDS, featuresOf, type SoundFeatures } from "./features.js"
export type { SoundBlock } from "./labelling.js"
export type { HeardSound } from "./speechRuns.js"
export { tellSpeakersApart } from "./tellSpeakersApart.js"
