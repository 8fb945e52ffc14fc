const BLOCK = 512
const EMPTY = new Uint8Array()

const textOf = (header: Uint8Array, from: number, to: number): string => {
  const field = Buffer.from(header.subarray(from, to)).toString("utf8")
  const end = field.indexOf("\0")
  return end < 0 ? field : field.slice(0, end)
}

/** A part of a file inside a tar archive. */
export interface TarPart {
  readonly path: string
  readonly bytes: Uint8Array
}

/** The files of a tar archive, part by part, in the order of the archive. Only plain files: npm packs nothing else. */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarPart> {
  let rest: Uint8Array = EMPTY
  let path: string | null = null
  let left = 0
  let padding = 0
  for await (const chunk of chunks) {
    let bytes: Uint8Array = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    rest = EMPTY
    while (bytes.length > 0) {
      if (left > 0) {
        const part = bytes.subarray(0, left)
        left -= part.length
        bytes = bytes.subarray(part.length)
        if (path !== null) yield { path, bytes: part }
        continue
      }
      if (padding > 0) {
        const skipped = Math.min(padding, bytes.length)
        padding -= skipped
        bytes = bytes.subarray(skipped)
        continue
      }
      if (bytes.length < BLOCK) {
        rest = bytes
        break
      }
      const header = bytes.subarray(0, BLOCK)
      bytes = bytes.subarray(BLOCK)
      const name = textOf(header, 0, 100)
      if (name === "") continue
      const prefix = textOf(header, 345, 500)
      const kind = textOf(header, 156, 157)
      left = Number.parseInt(textOf(header, 124, 136).trim(), 8)
      padding = (BLOCK - (left % BLOCK)) % BLOCK
      path = kind === "0" || kind === "" ? `${prefix === "" ? "" : `${prefix}/`}${name}` : null
    }
  }
}
