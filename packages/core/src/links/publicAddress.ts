import * as Either from "effect/Either"
import { type Cidr, contains, parseCidr } from "./Cidr.js"
import { IPV4_WORDS, type IpAddress, parseIpAddress } from "./ipAddress.js"

const ranges = (...texts: ReadonlyArray<string>): ReadonlyArray<Cidr> =>
  texts.map((text) => Either.getOrThrow(parseCidr(text)))

/** The special-purpose registry of IANA, whole, and multicast. */
const FORBIDDEN_IPV4 = ranges(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
)

/** Only what IANA has given out for global use, less its special parts: protocol assignments, documentation, 6to4. */
const GLOBAL_IPV6 = ranges("2000::/3")
const FORBIDDEN_IPV6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

/** A host behind NAT64 reaches the IPv4 address in the last 32 bits. */
const NAT64 = ranges("64:ff9b::/96")

const isIn = (list: ReadonlyArray<Cidr>, address: IpAddress) => list.some((range) => contains(range, address))

const isPublic = (address: IpAddress): boolean => {
  if (address.length === IPV4_WORDS) return !isIn(FORBIDDEN_IPV4, address)
  if (isIn(NAT64, address)) return isPublic(address.slice(-IPV4_WORDS))
  return isIn(GLOBAL_IPV6, address) && !isIn(FORBIDDEN_IPV6, address)
}

/** Whether a literal address belongs to the public internet. Anything that is not a plain address does not. */
export const isPublicAddress = (address: string): boolean => {
  const words = parseIpAddress(address)
  return words !== undefined && isPublic(words)
}

/** Whether a connection to the literal address may be made: it is public, or the operator has allowed its range. */
export const isAllowedAddress = (address: string, allow: ReadonlyArray<Cidr>): boolean => {
  const words = parseIpAddress(address)
  return words !== undefined && (isPublic(words) || isIn(allow, words))
}

/** Where plain http may lead: everywhere, into ranges that the operator has allowed, or nowhere. */
export type PlainHttp = "on" | "allowed" | "off"

/** Whether plain http may be spoken to the literal address. */
export const isAllowedOverHttp = (
  address: string,
  allow: ReadonlyArray<Cidr>,
  plainHttp: PlainHttp,
): boolean => {
  if (plainHttp === "on") return isAllowedAddress(address, allow)
  const words = parseIpAddress(address)
  return plainHttp === "allowed" && words !== undefined && isIn(allow, words)
}

/** Ports that a user's address may name: web ports, and those that no system service listens on. */
export const isAllowedPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && port <= 65535)
