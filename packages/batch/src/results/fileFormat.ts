/** What the name of a file says about its format. */
import { exportFormats, formatOfName, lastEndingOf } from "@earmark/core/captions"
import type { ExportFormat } from "@earmark/core/captions/formats"
import type { NameOption } from "../reading/Written.js"

/** Whether the name of a file is that of another format; a name that says none is no other. Any kind of JSON may be named .json. */
const isOtherwiseNamed = (path: string, format: ExportFormat): boolean => {
  const named = formatOfName(path)
  if (named === undefined || named === format) return false
  const isPlain = named === "json" || format === "json"
  return !isPlain || lastEndingOf(format) !== lastEndingOf(named)
}

/** What is wrong with a file that is named as one format and is to hold another; null when nothing is. */
export const misnamed = (path: string, asked: ExportFormat, nameOption: NameOption): string | null => {
  if (!isOtherwiseNamed(path, asked)) return null
  const option = nameOption("format")
  const named = formatOfName(path) ?? asked
  const own = `${path.slice(0, -exportFormats[named].extension.length)}${exportFormats[asked].extension}`
  return `${path} is named as ${named}, and ${option} asks for ${asked}: name it ${own}, or leave out ${option}.`
}
