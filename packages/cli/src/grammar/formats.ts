import { type ExportFormat, exportFormats } from "@earmark/core/captions/formats"

const isFormat = (name: string): name is ExportFormat => Object.hasOwn(exportFormats, name)

/** Every format that can be written. */
export const FORMATS: ReadonlyArray<ExportFormat> = Object.keys(exportFormats).filter(isFormat)

/** Formats that can show the time of each word. */
export const WORD_FORMATS = FORMATS.filter((format) => exportFormats[format].wordLevel)

/** Formats that only this machine writes: a server does not offer them. */
export const LOCAL_FORMATS: ReadonlyArray<ExportFormat> = ["ass", "ttml", "ctm", "rttm"]
