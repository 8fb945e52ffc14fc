import { createHash } from "node:crypto"
import type { Reply } from "../answers/Reply.js"

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}code{font-family:ui-monospace,monospace}table{border-collapse:collapse}td,th{text-align:left;padding:.3rem .8rem .3rem 0;vertical-align:top}"

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** A page of its own: nothing from elsewhere, and no script but the one that is in it. */
export const htmlPage = (title: string, body: string, script?: string): Reply => {
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(STYLE)}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ")
  const end = script === undefined ? "" : `<script>${script}</script>`
  return {
    status: 200,
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy },
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style><body>${body}${end}</body></html>`,
  }
}
