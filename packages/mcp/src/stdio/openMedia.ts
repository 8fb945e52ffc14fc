import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { SNIFFED_BYTES, sniff } from "@earmark/core/links"

/** A pipe without a writer would keep whoever opens it waiting. */
const READING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

export interface OpenMedia {
  readonly file: FileHandle
  readonly bytes: number
}

/** A file is there, and may not be sent. */
export class NotMedia extends Error {
  override readonly name = "NotMedia"
}

/** Opens a regular file whose first bytes are those of audio or video; what was looked at is what is read. */
export const openMedia = async (path: string): Promise<OpenMedia> => {
  const file = await open(path, READING)
  try {
    const found = await file.stat()
    if (!found.isFile()) throw new NotMedia("is not a regular file")
    const head = Buffer.alloc(SNIFFED_BYTES)
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    if (sniff(head.subarray(0, bytesRead)).kind !== "media") throw new NotMedia("holds no audio or video")
    return { file, bytes: found.size }
  } catch (error) {
    await file.close()
    throw error
  }
}
