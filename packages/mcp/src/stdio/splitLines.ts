const NEW_LINE = 0x0a

/** Reads chunks as lines. A line of more than `most` bytes is told once, as soon as it is too long, and the rest of it is skipped. */
export const splitLines = (
  most: number,
  onLine: (line: Buffer) => void,
  onTooLong: () => void,
): ((chunk: Buffer) => void) => {
  let parts: Array<Buffer> = []
  let bytes = 0
  const add = (part: Buffer) => {
    const wasTooLong = bytes > most
    bytes += part.byteLength
    if (bytes <= most) {
      parts.push(part)
    } else if (!wasTooLong) {
      parts = []
      onTooLong()
    }
  }
  const end = () => {
    const line = bytes > most ? null : Buffer.concat(parts)
    parts = []
    bytes = 0
    if (line !== null) onLine(line)
  }
  return (chunk) => {
    let from = 0
    for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, from)) {
      add(chunk.subarray(from, at))
      end()
      from = at + 1
    }
    if (from < chunk.byteLength) add(chunk.subarray(from))
  }
}
