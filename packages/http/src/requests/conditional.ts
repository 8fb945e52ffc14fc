import { createHash, hash } from "node:crypto"

const ALGORITHM = "sha256"

const digestOf = (body: string | Iterable<string | Uint8Array>): string => {
  if (typeof body === "string") return hash(ALGORITHM, body, "base64url")
  const made = createHash(ALGORITHM)
  for (const chunk of body) made.update(chunk)
  return made.digest("base64url")
}

/** The same for the same bytes. */
export const etagOf = (body: string | Iterable<string | Uint8Array>): string =>
  `"${digestOf(body).slice(0, 27)}"`

/** Whether what the client has is still right. */
export const isUnchanged = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(",").some((part) => {
    const tag = part.trim().replace(/^W\//, "")
    return tag === "*" || tag === etag
  }) ?? false
