/** What the name of a file says about its format. */
import { type ExportFormat, exportFormats } from "@earmark/core/captions"
import { endingOf } from "./places.js"
import { FORMATS } from "./readAsked.js"

export const formatOf = (path: string): ExportFormat | undefined =>
  FORMATS.find((format) => path.toLowerCase().endsWith(`.${format}`)) ??
  FORMATS.find((format) => path.toLowerCase().endsWith(exportFormats[format].extension))

/** Whether the name of a file is that of another format; a name that says none is no other. */
const isOtherwiseNamed = (path: string, format: ExportFormat): boolean => {
  const named = formatOf(path)
  if (named === undefined || named === format) return false
  // Formats that share an ending are told apart by its longer form, if at all.
  return named !== "json" || exportFormats[format].extension !== exportFormats[named].extension
}

/** What is wrong with a file that is named as one format and is to hold another; null when nothing is. */
export const misnamed = (path: string, asked: ExportFormat): string | null => {
  if (!isOtherwiseNamed(path, asked)) return null
  const named = formatOf(path)
  const own = `${path.slice(0, -endingOf(named ?? asked).length)}${endingOf(asked)}`
  return `${path} is named as ${named}, and --format asks for ${asked}: name it ${own}, or leave out --format.`
}
