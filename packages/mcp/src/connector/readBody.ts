import { hasTooManyJsonValues } from "@earmark/core/requests"

/** Media may come inside a call, as base64. */
const MOST_BYTES = 4 * 1024 * 1024

export type Body =
  | { readonly type: "json"; readonly value: unknown }
  | { readonly type: "too_large" }
  | { readonly type: "too_many_values" }
  | { readonly type: "unreadable" }

const decode = (chunks: ReadonlyArray<Uint8Array>): Body => {
  const bytes = Buffer.concat(chunks)
  if (hasTooManyJsonValues(bytes)) return { type: "too_many_values" }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return { type: "json", value: JSON.parse(text) }
  } catch {
    return { type: "unreadable" }
  }
}

/** The body of a request as JSON, read no further than is allowed. */
export const readBody = async (request: Request): Promise<Body> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  const reader = request.body?.getReader()
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.byteLength
    if (bytes > MOST_BYTES) {
      await reader.cancel()
      return { type: "too_large" }
    }
    chunks.push(value)
  }
  return decode(chunks)
}
