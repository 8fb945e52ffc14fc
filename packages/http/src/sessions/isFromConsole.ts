import type { IncomingMessage } from "node:http"

/**
 * Whether a request comes from a page of this server. The header makes every other page ask the browser first, and the browser says
 * where the page is from.
 */
export const isFromConsole = ({ headers }: IncomingMessage, baseUrl: string): boolean => {
  if (headers["earmark-console"] !== "1") return false
  const site = headers["sec-fetch-site"]
  return site === undefined ? headers.origin === new URL(baseUrl).origin : site === "same-origin"
}
