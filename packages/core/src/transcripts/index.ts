export { assemble, type Recognized, type SegmentLimits, segmentLimits } from "./assemble.js"
export type { Doubt, HeardWindow } from "./doubts.js"
export {
  type IntegrityFlag,
  type IntegrityInput,
  type IntegrityReport,
  type IntegrityThresholds,
  integrityFlags,
  integrityOf,
  integrityThresholds,
  type LowConfidence,
} from "./integrity.js"
export { joinAtSeam } from "./joinAtSeam.js"
export { joinChannels, speakerOfChannel } from "./joinChannels.js"
export { joinReports } from "./joinReports.js"
export { mergeSpans, type RecognizedSpan } from "./mergeSpans.js"
export { type Paragraph, paragraphsOf } from "./paragraphs.js"
export { type HeardChannel, type LevelAt, ownVoice, removeEchoes } from "./removeEchoes.js"
export { repairWords } from "./repairWords.js"
export type { Repeat } from "./repeats.js"
export { type Span, united, voiceWithoutWords } from "./spans.js"
export {
  labelSpeakers,
  MOST_NAMED_SPEAKERS,
  namesByLabel,
  namesOfSpeakers,
  renameSpeakers,
  type SpeakerNames,
  speakerName,
} from "./speakerNames.js"
export type { Turn } from "./speakerTurns.js"
export { spreadWords } from "./spreadWords.js"
export type { Cue, Segment, Transcript, Word } from "./Transcript.js"
export { textOf, wordCountOf } from "./transcriptText.js"
export { type AlignedTranslation, alignTranslation, TranslationMisaligned } from "./translation.js"
export { trim } from "./trim.js"
