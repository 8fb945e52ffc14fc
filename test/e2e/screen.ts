/** What a terminal shows after the text that was written to it: as much of one as the progress of a command asks for. */
export const makeScreen = (columns: number) => {
  const rows: Array<string> = [""]
  let row = 0
  let column = 0
  let widest = 0

  const put = (text: string): void => {
    for (const character of text) {
      const before = rows[row] ?? ""
      rows[row] = before.slice(0, column).padEnd(column) + character + before.slice(column + 1)
      column += 1
      widest = Math.max(widest, column)
    }
  }

  const act = (part: string): void => {
    if (part === "\r") column = 0
    else if (part === "\n") {
      row += 1
      if (row === rows.length) rows.push("")
    } else if (part === "\u001b[2K") rows[row] = ""
    else if (part === "\u001b[1A") row = Math.max(0, row - 1)
    else if (!part.startsWith("\u001b")) put(part)
  }

  const isControl = /(\r|\n|\u001b\[[0-9;]*[A-Za-z])/

  return {
    write: (text: string): void => {
      for (const part of text.split(isControl)) if (part !== "") act(part)
    },
    lines: (): ReadonlyArray<string> => rows.map((line) => line.trimEnd()).filter((line) => line !== ""),
    /** Whether everything stayed within its line: what a terminal breaks cannot be taken away again. */
    fits: (): boolean => widest <= columns,
  }
}
