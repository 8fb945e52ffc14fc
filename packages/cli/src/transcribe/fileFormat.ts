/** What the name of a file says about its format. */
import { extname } from "node:path"
import { type ExportFormat, exportFormats, formatOfName, lastEndingOf } from "@earmark/core/captions"
import { usage } from "../CommandFailed.js"
import { suggestion } from "../didYouMean.js"
import { FORMATS } from "../grammar/formats.js"

export const formatOf = (path: string): ExportFormat | undefined => formatOfName(path, FORMATS)

/** A file whose format is told by its name alone, and is not. */
export const noFormatIn = (path: string, known = FORMATS) =>
  usage(
    `${path} has no ending that names a format.${suggestion(extname(path).slice(1), known)} Add --format FORMAT.`,
  )

/** Whether the name of a file is that of another format; a name that says none is no other. Any kind of JSON may be named .json. */
const isOtherwiseNamed = (path: string, format: ExportFormat): boolean => {
  const named = formatOf(path)
  if (named === undefined || named === format) return false
  const isPlain = named === "json" || format === "json"
  return !isPlain || lastEndingOf(format) !== lastEndingOf(named)
}

/** What is wrong with a file that is named as one format and is to hold another; null when nothing is. */
export const misnamed = (path: string, asked: ExportFormat): string | null => {
  if (!isOtherwiseNamed(path, asked)) return null
  const named = formatOf(path)
  const own = `${path.slice(0, -exportFormats[named ?? asked].extension.length)}${exportFormats[asked].extension}`
  return `${path} is named as ${named}, and --format asks for ${asked}: name it ${own}, or leave out --format.`
}

/** Why a format cannot be printed where people read; null when it can, or when standard output goes elsewhere. */
export const notForTerminal = (format: ExportFormat): string | null =>
  format === "docx" && process.stdout.isTTY ? "A docx file is not for a terminal. Add -o FILE." : null
