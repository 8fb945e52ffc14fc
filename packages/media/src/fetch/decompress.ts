import { PassThrough, pipeline, type Readable, Transform } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib"

/** A body on its way, and how much of it came over the wire so far. */
export interface Decompressed {
  readonly body: Readable
  readonly wireBytes: () => number
}

const NAMES: ReadonlyMap<string, "gzip" | "deflate" | "br"> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["x-deflate", "deflate"],
  ["br", "br"],
])
/** An honest server packs once. */
const MOST_LAYERS = 2

const isGzip = (head: Uint8Array) => head[0] === 0x1f && head[1] === 0x8b
const isZlib = ([first = 0, second = 0]: Uint8Array) =>
  (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0

const decoderFor = (name: "gzip" | "deflate" | "br", head: Uint8Array): Transform => {
  if (name === "br") return createBrotliDecompress()
  // Servers announce gzip and send plain text: what is not gzip passes as it is.
  if (name === "gzip") return isGzip(head) ? createGunzip() : new PassThrough()
  return isZlib(head) ? createInflate() : createInflateRaw()
}

/** Waits for the first two bytes, which say what is really there, and then decodes. */
const decoding = (source: Readable, name: "gzip" | "deflate" | "br"): Readable => {
  const out = new PassThrough()
  const fail = (error: Error) => void out.destroy(error)
  let head = Buffer.alloc(0)
  const onData = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    if (head.length >= 2) start()
  }
  const start = () => {
    source.off("data", onData).off("end", start).off("error", fail).pause()
    if (head.length === 0) {
      out.end()
      return
    }
    const decoder = decoderFor(name, head)
    decoder.write(head)
    pipeline(source, decoder, out, () => undefined)
  }
  source.on("data", onData).on("end", start).on("error", fail)
  return out
}

/** Undoes the content encoding. What is no encoding that we know is left as it is. */
export const decompress = (source: Readable, contentEncoding: string | undefined): Decompressed => {
  const layers = (contentEncoding ?? "")
    .toLowerCase()
    .split(",")
    .flatMap((name) => NAMES.get(name.trim()) ?? [])
    .slice(-MOST_LAYERS)
  if (layers.length === 0) return { body: source, wireBytes: () => 0 }
  let wireBytes = 0
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      wireBytes += chunk.length
      done(null, chunk)
    },
  })
  let body: Readable = pipeline(source, counter, () => undefined)
  for (const name of layers.reverse()) body = decoding(body, name)
  return { body, wireBytes: () => wireBytes }
}
