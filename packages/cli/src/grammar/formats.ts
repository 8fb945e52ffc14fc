import { type ExportFormat, exportFormatNames, exportFormats } from "@earmark/core/captions/formats"

/** Formats that can show the time of each word. */
export const WORD_FORMATS = exportFormatNames.filter((format) => exportFormats[format].wordLevel)

/** Formats that only this machine writes: a server does not offer them. */
export const LOCAL_FORMATS: ReadonlyArray<ExportFormat> = ["ass", "ttml", "ctm", "rttm"]
