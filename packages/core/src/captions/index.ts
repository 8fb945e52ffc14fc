export type { Chapter } from "../text/chapters.js"
export { buildCues, type CueOptions, cuesByTurn } from "./buildCues.js"
export type { CaptionFile, Problem } from "./CaptionFile.js"
export {
  type CaptionProfile,
  type CaptionProfileName,
  type CaptionProfileOptions,
  captionProfile,
} from "./CaptionProfile.js"
export { type CaptionFormat, captionFormats } from "./captionFormats.js"
export { type ConvertOptions, convertCaptions } from "./convertCaptions.js"
export { type LintCaptionsOptions, languageOfCaptions, lintCaptions } from "./lintCaptions.js"
export {
  hasFaults,
  type LintCode,
  type LintFinding,
  type LintMedia,
  type LintReport,
  type LintUnit,
  lintCues,
} from "./lintCues.js"
export { NotCaptions } from "./NotCaptions.js"
export { readCaptions, readCaptionsInTurns } from "./readCaptions.js"
export { readCues } from "./readCues.js"
export { transcriptFromCues } from "./transcriptFromCues.js"
export { makeArchiveNames } from "./writers/archiveNames.js"
export type { ExportDocument, Translation } from "./writers/ExportDocument.js"
export { ExportRefused, noWordTimes } from "./writers/ExportRefused.js"
export {
  type ExportFormat,
  exportFormatNames,
  exportFormats,
  type FormatFacts,
} from "./writers/exportFormats.js"
export { exportName } from "./writers/exportName.js"
export { type Export, type ExportOptions, exportTranscript } from "./writers/exportTranscript.js"
export { formatOfName, lastEndingOf } from "./writers/formatOfName.js"
export { type PageFile, pageFile, pageScript, pageStyle } from "./writers/pageFiles.js"
export { type PageFacts, pagePolicy } from "./writers/writePage.js"
export { Archive } from "./writers/zip.js"
