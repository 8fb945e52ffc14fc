/** The style and the script that pages of transcripts load: each one file under a name that changes with its content. */
import { hexOf } from "../../signing/bytes.js"
import { sha256Of } from "../../signing/digests.js"

/** A file that never changes under its name. */
export interface PageFile {
  readonly name: string
  readonly contentType: string
  readonly text: string
}

const DIGEST_DIGITS = 16

/** A file under a name that holds a digest of its text. */
export const pageFile = (base: string, extension: ".css" | ".js", text: string): PageFile => ({
  name: `${base}-${hexOf(sha256Of(text)).slice(0, DIGEST_DIGITS)}${extension}`,
  contentType: extension === ".css" ? "text/css" : "text/javascript",
  text,
})

/** Readable on a phone, on a desk and on paper, by day and by night, with the fonts of the system. */
const STYLE = `:root{color-scheme:light dark;--ink:#1c1d22;--soft:#5c606b;--paper:#fff;--line:#e3e5ea;--accent:#0b5bd3;--now:#fff3c4}
@media (prefers-color-scheme:dark){:root{--ink:#e7e8ec;--soft:#a6abb8;--paper:#15161a;--line:#2d3038;--accent:#7cb0ff;--now:#4a3f12}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:44rem;padding:1.5rem 1.25rem 6rem;font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
a{color:var(--accent)}
a:focus-visible,input:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
h1{font-size:1.75rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.25rem;line-height:1.3;margin:2.25rem 0 .5rem}
p{margin:.2rem 0 1.1rem}
cite{font-style:normal;font-weight:600;margin-inline-end:.5rem}
time,.soft{color:var(--soft);font-size:.875rem}
time a{color:inherit;text-decoration:none}
.player{position:sticky;top:0;padding:.5rem 0;background:var(--paper);z-index:1}
audio{width:100%;display:block}
.heard [data-s]{cursor:pointer}
.now,:target{background:var(--now);border-radius:3px}
[id]{scroll-margin-top:5rem}
ol,ul{padding-inline-start:1.25rem}
li{margin:.35rem 0}
input[type=search]{width:100%;font:inherit;padding:.5rem .75rem;border:1px solid var(--line);border-radius:8px;color:inherit;background:inherit}
mark{background:var(--now);color:inherit}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line)}
@media print{:root{color-scheme:light;--ink:#000;--soft:#444;--paper:#fff;--now:transparent}body{max-width:none;padding:0;font-size:11pt}.player,.tools,footer{display:none}a{color:inherit;text-decoration:none}h2{break-after:avoid}}
`

/**
 * A click on a line plays it, and the line that plays is marked; `#t12345` in the address marks the line at 12.345 s. Selecting text and
 * links stay what they are.
 */
const SCRIPT = `"use strict"
;(() => {
  const audio = document.querySelector("audio")
  const text = document.querySelector("main")
  if (!text) return
  const lines = Array.from(text.querySelectorAll("p [data-s]"))
  const starts = lines.map((line) => Number(line.dataset.s))
  const lineAt = (seconds) => {
    let low = 0
    let high = starts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (starts[middle] <= seconds) low = middle + 1
      else high = middle
    }
    return lines[low - 1]
  }
  let shown
  const mark = (line) => {
    if (line === shown) return
    if (shown) shown.classList.remove("now")
    if (line) line.classList.add("now")
    shown = line
  }
  const go = () => {
    const wanted = /^#[st](\\d+)$/.exec(location.hash)
    if (!wanted) return
    const seconds = Number(wanted[1]) / 1000
    const line = lineAt(seconds)
    mark(line)
    if (line) line.scrollIntoView({ block: "center" })
    if (audio) audio.currentTime = seconds
  }
  addEventListener("hashchange", go)
  go()
  if (!audio) return
  text.classList.add("heard")
  text.addEventListener("click", (event) => {
    if (String(getSelection())) return
    const line = event.target.closest("[data-s]")
    if (!line) return
    if (event.target.closest("a")) event.preventDefault()
    audio.currentTime = Number(line.dataset.s)
    audio.play().catch(() => {})
  })
  audio.addEventListener("timeupdate", () => {
    if (!audio.paused) mark(lineAt(audio.currentTime))
  })
})()
`

export const pageStyle: PageFile = pageFile("page", ".css", STYLE)
export const pageScript: PageFile = pageFile("page", ".js", SCRIPT)
