import type { IncomingMessage } from "node:http"
import { clientAddress } from "./clientAddress.js"

/**
 * Where a client is: the address that so many proxies of ours have seen. What a client itself claims in front of that counts for
 * nothing.
 */
export const addressThrough = ({ headers, socket }: IncomingMessage, proxies: number): string => {
  const direct = socket.remoteAddress ?? "unknown"
  if (proxies === 0) return clientAddress(direct)
  const header = headers["x-forwarded-for"]
  const seen = (typeof header === "string" ? header : "").split(",").map((each) => each.trim())
  return clientAddress(seen.at(-proxies) || direct)
}
