import type { IncomingMessage } from "node:http"
import { isLoopbackName } from "@earmark/core/links"

/**
 * Whether a request was sent to the name of the service, or to the machine itself. One under another name may come from a web page whose
 * site has let its name lead here (DNS rebinding).
 */
export const isUnderOwnName = ({ headers }: IncomingMessage, baseUrl: string): boolean => {
  const asked = headers.host ?? ""
  if (asked === new URL(baseUrl).host) return true
  return URL.canParse(`http://${asked}`) && isLoopbackName(new URL(`http://${asked}`).hostname)
}
