export { buildCues, type CueOptions, cuesByTurn } from "./buildCues.js"
export {
  type CaptionProfile,
  type CaptionProfileName,
  type CaptionProfileOptions,
  captionProfile,
} from "./CaptionProfile.js"
export {
  hasFaults,
  type LintCode,
  type LintFinding,
  type LintMedia,
  type LintReport,
  lintCues,
} from "./lintCues.js"
