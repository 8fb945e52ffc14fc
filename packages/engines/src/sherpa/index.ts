export * as DiarizerSherpa from "./DiarizerSherpa.js"
export { layer, make, type SherpaOptions } from "./Sherpa.js"
export { pickModel, type SherpaFiles, type SherpaModel, senseVoice, sherpaModels } from "./SherpaModel.js"
export * as VoiceActivitySilero from "./VoiceActivitySilero.js"
