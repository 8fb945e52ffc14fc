export {
  type CaptionFile,
  type CaptionFormat,
  captionFormats,
  NotCaptions,
  type Problem,
} from "./CaptionFile.js"
export { readCaptions } from "./readCaptions.js"
