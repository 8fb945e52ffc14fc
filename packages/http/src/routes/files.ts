import { type Export, exportName } from "@earmark/core/captions"
import type { StorageError } from "@earmark/service"
import { Stream } from "effect"
import type { Reply } from "../answers/Reply.js"

const TEXT = /^(text\/[^;]+|application\/x-subrip)$/

/** The name of a file, by the title where there is one; the plain one is for clients that know no other (RFC 6266). */
const disposition = (file: Export, id: string): string => {
  const [plain, name] = [`${id}${file.extension}`, exportName(file, id)]
  const titled = name === plain ? "" : `; filename*=UTF-8''${encodeURIComponent(name)}`
  return `attachment; filename="${plain}"${titled}`
}

/** The content type of a file, with that of its letters. */
export const fileType = (contentType: string): string =>
  TEXT.test(contentType) ? `${contentType}; charset=utf-8` : contentType

/** A transcript as a file to keep. */
export const fileReply = (file: Export, id: string): Reply => ({
  status: 200,
  headers: {
    "Content-Type": fileType(file.contentType),
    "Content-Disposition": disposition(file, id),
  },
  body: file.chunks,
})

/** Bytes that only programs read. */
export const bytesReply = (bytes: Uint8Array): Reply => ({
  status: 200,
  headers: { "Content-Type": "application/octet-stream", "Content-Length": String(bytes.length) },
  body: [bytes],
})

/** An archive, written as fast as the client takes it. */
export const archiveReply = (bytes: Stream.Stream<Uint8Array, StorageError>): Reply => ({
  status: 200,
  headers: {
    "Content-Type": "application/zip",
    "Content-Disposition": 'attachment; filename="transcripts.zip"',
  },
  body: null,
  bytes: Stream.toAsyncIterable(bytes),
})
