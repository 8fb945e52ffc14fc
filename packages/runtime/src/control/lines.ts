const NEWLINE = 10

/** Cuts bytes into lines, however they come. Throws on a line that is longer than anybody has to send. */
export const makeLines = (longest: number): ((chunk: Uint8Array) => ReadonlyArray<string>) => {
  let held: Array<Uint8Array> = []
  let length = 0
  const hold = (part: Uint8Array) => {
    length += part.length
    if (length > longest) throw new RangeError(`a line is longer than ${longest} bytes`)
    held.push(part)
  }
  return (chunk) => {
    const lines: Array<string> = []
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      hold(chunk.subarray(start, end))
      lines.push(Buffer.concat(held).toString("utf8"))
      held = []
      length = 0
      start = end + 1
    }
    hold(chunk.subarray(start))
    return lines
  }
}
