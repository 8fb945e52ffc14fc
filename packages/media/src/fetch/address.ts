import { isIP } from "node:net"
import { isAllowedPort } from "@earmark/core/links"
import type { FetchFailed } from "@earmark/service"
import { Either } from "effect"
import { blocked, failed } from "./failures.js"

const LONGEST = 8192

const invalid = (detail: string) => Either.left(failed("address_invalid", detail))

/** The host of an address as it is looked up and connected to: no brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "")

const portOf = (url: URL): number =>
  url.port === "" ? (url.protocol === "http:" ? 80 : 443) : Number(url.port)

/** Names that stand for this machine everywhere, whatever a name server says of them. */
const THIS_MACHINE = /(?:^|\.)localhost$/i

const LOOPBACK = "127.0.0.1"

/** Whether a connection to the literal address may be made to speak this protocol, `http:` or `https:`. */
export type IsAllowed = (address: string, protocol: string) => boolean

/**
 * Reads an address that may be connected to, as far as can be seen from the address alone. What a name stands for is seen when it is
 * looked up. The standard's parser has by then made plain addresses of every other way to write one.
 */
export const readAddress = (
  text: string,
  guard: { readonly isAllowed: IsAllowed; readonly isTrusted: boolean },
): Either.Either<URL, FetchFailed> => {
  if (text.length > LONGEST) return invalid(`The address is longer than ${LONGEST} characters`)
  if (!URL.canParse(text)) return invalid("This is not a web address")
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return invalid("Only addresses that begin with http:// or https:// are fetched")
  }
  if (url.username !== "" || url.password !== "") {
    return invalid("An address with a login in it is not fetched")
  }
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1)
  if (url.hostname === "" || url.hostname.endsWith(".") || url.hostname.includes("..")) {
    return invalid("The address has no proper host")
  }
  url.hash = ""
  if (guard.isTrusted) return Either.right(url)
  const host = hostOf(url)
  if (!isAllowedPort(portOf(url))) {
    return Either.left(failed("address_blocked", `${host} may not be asked on port ${portOf(url)}`))
  }
  const isThisMachine = THIS_MACHINE.test(host)
  const address = isThisMachine ? LOOPBACK : host
  return (isThisMachine || isIP(host) !== 0) && !guard.isAllowed(address, url.protocol)
    ? Either.left(blocked(host))
    : Either.right(url)
}
