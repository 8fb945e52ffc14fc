import { createHash } from "node:crypto"
import { Stream } from "effect"

const PIECE = 64 * 1024
const PIECES = 4800

/** 300 MiB. */
export const LARGE_BYTES = PIECE * PIECES

const piece = (index: number): Uint8Array => {
  const bytes = Buffer.alloc(PIECE, index % 251)
  bytes.writeUInt32BE(index)
  return bytes
}

const indexes = Array.from({ length: PIECES }, (_, index) => index)

/** A body too large to be held, made as it is asked for. */
export const largeBody: Stream.Stream<Uint8Array> = Stream.range(0, PIECES - 1, 1).pipe(Stream.map(piece))

export const largeHash: string = indexes
  .reduce((hash, index) => hash.update(piece(index)), createHash("sha256"))
  .digest("hex")

/** Memory of this process that is not free, in megabytes. */
export const heldMegabytes = (): number => process.memoryUsage.rss() / 1024 / 1024
