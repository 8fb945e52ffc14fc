const isInk = (code: number): boolean => code > 32 && code < 127

/** Nearly every line begins and ends in ink: looking is cheaper than trimming. */
const tidyLine = (text: string, from: number, to: number): string => {
  const line = text.slice(from, to)
  return isInk(text.charCodeAt(from)) && isInk(text.charCodeAt(to - 1)) ? line : line.trim()
}

/** The lines of a stretch of text, without white space around them, without empty ones. */
export const tidyLines = (text: string, start = 0, stop = text.length): Array<string> => {
  // An array made of its elements takes a quarter of the memory of an empty one that grows.
  let first = ""
  let lines: Array<string> | undefined
  let from = start
  while (from < stop) {
    let to = text.indexOf("\n", from)
    if (to < 0 || to > stop) to = stop
    const line = to > from ? tidyLine(text, from, to) : ""
    if (line !== "") {
      if (lines !== undefined) lines.push(line)
      else if (first === "") first = line
      else lines = [first, line]
    }
    from = to + 1
  }
  return lines ?? (first === "" ? [] : [first])
}
