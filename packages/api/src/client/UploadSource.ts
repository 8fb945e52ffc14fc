/** What can be uploaded: a file on disk, a blob, bytes, or a stream of known length. */
import { InputError } from "./errors.js"
import { mediaTypeOf } from "./mediaTypes.js"

export type UploadSource =
  /** The path of a file. Only where there are files: Node, Deno, Bun. */
  string | URL | Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

export interface UploadFacts {
  /** The name that the service shows; that of the file when left out. */
  readonly filename?: string | undefined
  /** Such as `audio/mpeg`; by the name of the file when left out. */
  readonly contentType?: string | undefined
  /** The exact length. Needed for a stream, known for everything else. */
  readonly bytes?: number | undefined
}

/** Something to upload, with all that has to be announced before its first byte. */
export interface OpenedSource {
  readonly filename: string
  readonly contentType: string
  readonly bytes: number
  readonly chunks: () => AsyncIterable<Uint8Array>
  /** All of it, where it is at hand; null where it comes in chunks only. */
  readonly whole: (() => Blob) | null
  /** The bytes from one place to another; null where they come once, in order. */
  readonly slice: ((from: number, to: number) => Promise<Blob>) | null
}

const NAMELESS = "upload"

const files = () => {
  // Asked for in this way so that bundlers for browsers do not look for files.
  const found = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:fs")
  if (found === undefined)
    throw new InputError({ message: "There are no files here: give a Blob instead of a path" })
  return found
}

const readingFile = async (path: string | URL) => {
  const { createReadStream, promises } = files()
  const found = await promises.stat(path).catch((cause: unknown) => {
    throw new InputError({ message: `The file ${path} cannot be read: ${messageOf(cause)}`, cause })
  })
  if (!found.isFile()) throw new InputError({ message: `${path} is not a file` })
  const name = String(path instanceof URL ? decodeURIComponent(path.pathname) : path)
  return {
    name: name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1),
    type: "",
    bytes: found.size,
    chunks: (): AsyncIterable<Uint8Array> => createReadStream(path, { highWaterMark: 256 * 1024 }),
    whole: null,
    slice: async (from: number, to: number) => {
      const pieces: Array<Uint8Array> = []
      for await (const piece of createReadStream(path, { start: from, end: to - 1 })) pieces.push(piece)
      return new Blob(pieces)
    },
  }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const fromReader = async function* (stream: ReadableStream<Uint8Array>) {
  // Not every browser iterates streams.
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

const given = async (source: UploadSource) => {
  if (typeof source === "string" || source instanceof URL) return readingFile(source)
  if (source instanceof Blob) {
    const name = "name" in source && typeof source.name === "string" ? source.name : ""
    const chunks = () => fromReader(source.stream())
    return {
      name,
      type: source.type,
      bytes: source.size,
      chunks,
      whole: () => source,
      slice: async (from: number, to: number) => source.slice(from, to),
    }
  }
  if (source instanceof Uint8Array) {
    const chunks = async function* () {
      yield source
    }
    return {
      name: "",
      type: "",
      bytes: source.length,
      chunks,
      whole: () => new Blob([source]),
      slice: async (from: number, to: number) => new Blob([source.subarray(from, to)]),
    }
  }
  const chunks = () => (source instanceof ReadableStream ? fromReader(source) : source)
  return { name: "", type: "", bytes: undefined, chunks, whole: null, slice: null }
}

/** Finds out what has to be announced. */
export const openSource = async (source: UploadSource, facts: UploadFacts): Promise<OpenedSource> => {
  const { name, type, bytes: found, chunks, whole, slice } = await given(source)
  const filename = facts.filename ?? (name === "" ? NAMELESS : name)
  const bytes = found ?? facts.bytes
  // A blob may say `audio/webm;codecs=opus`; what is announced is the plain type.
  const contentType = facts.contentType ?? (type.split(";")[0] || mediaTypeOf(filename))
  if (bytes === undefined) {
    throw new InputError({
      message: "Give `bytes`: the length of a stream must be announced before it is sent",
    })
  }
  if (bytes === 0) throw new InputError({ message: `${filename} is empty` })
  if (contentType === undefined) {
    throw new InputError({
      message: `Give \`contentType\`, such as audio/mpeg: the name ${filename} does not tell`,
    })
  }
  return { filename, contentType, bytes, chunks, whole, slice }
}
