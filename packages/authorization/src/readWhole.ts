import type { IncomingMessage } from "node:http"

/** Every byte of a body; null when there are more than so many. The connection stays open to be answered. */
export const readWhole = async (request: IncomingMessage, most: number): Promise<Buffer | null> => {
  if (Number(request.headers["content-length"] ?? 0) > most) return null
  const chunks: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const buffer = Buffer.from(chunk)
    bytes += buffer.length
    if (bytes > most) return null
    chunks.push(buffer)
  }
  return Buffer.concat(chunks)
}
