/** What is said with every answer, unless a page says otherwise. */
export const securityHeaders = ({
  baseUrl,
}: {
  readonly baseUrl: string
}): Readonly<Record<string, string>> => ({
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
  ...(baseUrl.startsWith("https:") && { "Strict-Transport-Security": "max-age=31536000" }),
})
