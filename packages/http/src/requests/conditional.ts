import { createHash } from "node:crypto"

/** The same for the same bytes. */
export const etagOf = (chunks: Iterable<string | Uint8Array>): string => {
  const hash = createHash("sha256")
  for (const chunk of chunks) hash.update(chunk)
  return `"${hash.digest("base64url").slice(0, 27)}"`
}

/** Whether what the client has is still right. */
export const isUnchanged = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(",").some((part) => {
    const tag = part.trim().replace(/^W\//, "")
    return tag === "*" || tag === etag
  }) ?? false
