import { isIPv6 } from "node:net"

const GROUPS = 8
/** Whoever has one address of IPv6 has all of its first half. */
const OWNED = 4

const groupsOf = (address: string): ReadonlyArray<string> => {
  const [head = "", tail] = address.split("::")
  const left = head.split(":").filter((group) => group !== "")
  if (tail === undefined) return left
  const right = tail.split(":").filter((group) => group !== "")
  return [...left, ...Array.from({ length: GROUPS - left.length - right.length }, () => "0"), ...right]
}

/** Names who is on the other end of a connection, all of whose addresses count as one. */
export const clientAddress = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*/s, "")
  return isIPv6(plain) ? groupsOf(plain.toLowerCase()).slice(0, OWNED).join(":") : plain
}
