import { createHash } from "node:crypto"
import { escapeMarkup } from "@earmark/core/xml"
import type { Reply } from "../answers/Reply.js"
import { STYLE } from "./style.js"

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

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
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeMarkup(title)}</title><style>${STYLE}</style><body>${body}${end}</body></html>`,
  }
}
