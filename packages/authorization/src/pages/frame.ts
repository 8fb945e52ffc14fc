import { createHash } from "node:crypto"

const STYLE = `:root{color-scheme:light dark;--ink:#1a1c1f;--soft:#565d66;--line:#d9dde2;--paper:#fff;--ground:#f3f4f6;--mark:#0b6b5d;--mark-ink:#fff;--warn:#8a4b00;--warn-ground:#fff5e5}
@media (prefers-color-scheme:dark){:root{--ink:#eceef0;--soft:#a4acb5;--line:#3a4048;--paper:#1c2025;--ground:#121518;--mark:#4cc2ae;--mark-ink:#06231e;--warn:#ffc66b;--warn-ground:#33270f}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:28rem;margin:min(8vh,4rem) auto;background:var(--paper);border:1px solid var(--line);border-radius:12px;padding:1.75rem}
.brand{margin:0 0 1.25rem;color:var(--mark);font-weight:700;letter-spacing:.01em}
h1{margin:0 0 .75rem;font-size:1.35rem;line-height:1.3;overflow-wrap:anywhere}
p{margin:0 0 1rem}.soft{color:var(--soft);font-size:.925rem}
ul{margin:0 0 1rem;padding:0;list-style:none;border:1px solid var(--line);border-radius:8px}
li{padding:.6rem .8rem}li+li{border-top:1px solid var(--line)}
dl{margin:0 0 1rem;display:grid;grid-template-columns:auto 1fr;gap:.25rem .9rem;font-size:.925rem}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere;font-weight:600}
label{display:block;margin:0 0 .35rem;font-weight:600}
input:not([type=hidden]){width:100%;margin:0 0 1rem;padding:.65rem .75rem;border:1px solid var(--soft);border-radius:8px;background:var(--paper);color:var(--ink);font:16px ui-monospace,monospace}
button{width:100%;margin:0 0 .6rem;padding:.7rem 1rem;border:1px solid var(--mark);border-radius:8px;background:var(--mark);color:var(--mark-ink);font:inherit;font-weight:600;cursor:pointer}
button.second{background:transparent;color:var(--ink);border-color:var(--line)}
button.link{width:auto;margin:0;padding:0;border:0;background:none;color:var(--mark);font-weight:400;text-decoration:underline}
:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
.warn{padding:.7rem .8rem;border-radius:8px;background:var(--warn-ground);color:var(--warn);font-size:.925rem}
form{margin:0 0 1.1rem}form:last-child,form:last-child p,dl:last-child{margin-bottom:0}
.two{display:flex;gap:.6rem}.two button{margin:0}
@media (max-width:32rem){body{background:var(--paper)}main{margin:0;border:0;border-radius:0;padding:1.5rem 1.1rem}.two{flex-direction:column}}`

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64")

/** A page of ours, and what may be done with it. */
export interface Page {
  readonly status: number
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** The page for somebody who tries too often. */
export const withWait = (page: Page, seconds: number | null): Page =>
  seconds === null
    ? page
    : { ...page, status: 429, headers: { ...page.headers, "Retry-After": String(seconds) } }

export interface PageParts {
  readonly title: string
  readonly body: string
  readonly status?: number
  /** Where a form of the page may lead in the end, beside this site: browsers look at redirects too. */
  readonly leadsTo?: string | null
}

export const pageOf = ({ title, body, status = 200, leadsTo = null }: PageParts): Page => {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action 'self'${leadsTo === null ? "" : ` ${leadsTo}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    status,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Earmark</title><style>${STYLE}</style></head><body><main><p class="brand">Earmark</p>${body}</main></body></html>`,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy.join("; "),
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      "Cache-Control": "no-store",
    },
  }
}
