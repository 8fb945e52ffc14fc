/** A transcript as a file: as text, as bytes, or as they come. */
import { joined, streamOf } from "./readBody.js"

export interface ExportedFile {
  readonly contentType: string
  /** The name that the service suggests, such as `my-talk.srt`; by the id where there is no title. */
  readonly filename: string
  readonly etag: string | null
  /** The file can be read once: by this, by `text` or by `bytes`. */
  readonly stream: () => ReadableStream<Uint8Array>
  readonly text: () => Promise<string>
  readonly bytes: () => Promise<Uint8Array>
}

/** An export on its way: await the file, or ask for its text or its bytes at once. */
export interface Exporting extends Promise<ExportedFile> {
  readonly text: () => Promise<string>
  readonly bytes: () => Promise<Uint8Array>
}

const PLAIN = /filename="([^"]+)"/
const TITLED = /filename\*=UTF-8''([\w.%-]+)/

const filenameOf = (disposition: string): string => {
  const titled = TITLED.exec(disposition)?.[1]
  try {
    if (titled !== undefined) return decodeURIComponent(titled)
  } catch {
    // The plain name is there as well.
  }
  return PLAIN.exec(disposition)?.[1] ?? "transcript"
}

export const fileOf = ({ headers }: Response, chunks: AsyncGenerator<Uint8Array, void>): ExportedFile => {
  const bytes = () => joined(chunks)
  return {
    contentType: headers.get("content-type") ?? "application/octet-stream",
    filename: filenameOf(headers.get("content-disposition") ?? ""),
    etag: headers.get("etag"),
    stream: () => streamOf(chunks),
    bytes,
    text: async () => new TextDecoder().decode(await bytes()),
  }
}

export const exporting = (file: Promise<ExportedFile>): Exporting =>
  Object.assign(file, {
    text: async () => (await file).text(),
    bytes: async () => (await file).bytes(),
  })
