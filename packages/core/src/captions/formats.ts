/** The names of all formats, for menus and help, without what reads and writes them. */
export { type CaptionFormat, captionFormats } from "./captionFormats.js"
export {
  type ExportFormat,
  exportFormatNames,
  exportFormats,
  type FormatFacts,
} from "./writers/exportFormats.js"
