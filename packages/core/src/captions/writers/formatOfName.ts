import { type ExportFormat, exportFormatNames, exportFormats } from "./exportFormats.js"

const endingOf = (format: ExportFormat): string => exportFormats[format].extension

/** The last part of the ending of a format, which several may share: `.json`. */
export const lastEndingOf = (format: ExportFormat): string => {
  const ending = endingOf(format)
  return ending.slice(ending.lastIndexOf("."))
}

/** Which of some formats, of all when left out, a file is named as: by its whole ending, its id, or the last part of its ending. */
export const formatOfName = (
  path: string,
  formats: ReadonlyArray<ExportFormat> = exportFormatNames,
): ExportFormat | undefined => {
  const name = path.toLowerCase()
  const [longest] = formats
    .filter((format) => name.endsWith(endingOf(format)))
    .sort((one, other) => endingOf(other).length - endingOf(one).length)
  return (
    longest ??
    formats.find((format) => name.endsWith(`.${format}`)) ??
    formats.find((format) => name.endsWith(lastEndingOf(format)))
  )
}
