import { escapeMarkup } from "@earmark/core/xml"

const INDENT = /^ */

/** Lines to be copied: as they are, with their indents. */
export const programHtml = (text: string): string => {
  const lines = text.split("\n").map((line) => {
    const [indent] = INDENT.exec(line) ?? [""]
    return indent + escapeMarkup(line)
  })
  return `<code>${lines.join("\n")}</code>`
}
