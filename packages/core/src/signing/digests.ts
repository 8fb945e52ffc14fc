/** Digests: by Node where there is one, and by our own code in browsers and on the edge. */
import { joinBytes, utf8 } from "./bytes.js"
import { hmac, sha256 } from "./sha256.js"

// Asked for in this way so that bundlers for browsers meet no import of Node.
const node = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:crypto")

const bytesOf = (part: string | Uint8Array): Uint8Array => (typeof part === "string" ? utf8(part) : part)

/** The HMAC-SHA-256 of parts that follow each other. */
export const hmacSha256 = (
  key: string | Uint8Array,
  ...parts: ReadonlyArray<string | Uint8Array>
): Uint8Array => {
  if (node === undefined) return hmac(bytesOf(key), joinBytes(...parts.map(bytesOf)))
  const mac = node.createHmac("sha256", key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}

/** The SHA-256 of a text. */
export const sha256Of = (text: string): Uint8Array =>
  node === undefined ? sha256(utf8(text)) : node.createHash("sha256").update(text).digest()

/** Whether two byte strings of the same length are equal, in a time that depends on the length only. */
export const equalInSteadyTime = (left: Uint8Array, right: Uint8Array): boolean => {
  if (node !== undefined) return node.timingSafeEqual(left, right)
  let difference = 0
  for (let at = 0; at < left.length; at++) difference |= (left[at] ?? 0) ^ (right[at] ?? 0)
  return difference === 0
}

/** The cryptography of Node, for what only servers do. */
export const cryptoOfNode = (): NonNullable<typeof node> => {
  if (node === undefined)
    throw new Error("Secrets are sealed and opened on a server: this needs Node's crypto.")
  return node
}
