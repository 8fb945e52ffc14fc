/** The cookie of a session: its name, how it is read and how it is set. */
import type { IncomingMessage } from "node:http"
import { isLoopbackName } from "@earmark/core/links"

/** Its name at a base address. Null where it would cross a network in the open. */
export const cookieName = (baseUrl: string): string | null => {
  const { protocol, hostname, port } = new URL(baseUrl)
  if (protocol === "https:") return "__Host-earmark"
  // Browsers give cookies of one port to every port of a host.
  return isLoopbackName(hostname) ? `earmark-${port || "80"}` : null
}

/** The value of a cookie. One that is given twice has none that can be trusted: it is empty. */
export const cookieOf = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const values = (headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length > 1 ? "" : values[0]
}

/** What sets the cookie, or takes it away where it has no value. */
export const setCookie = (
  name: string,
  { value, seconds }: { readonly value: string; readonly seconds: number },
): string => {
  const secure = name.startsWith("__Host-") ? "; Secure" : ""
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
}
