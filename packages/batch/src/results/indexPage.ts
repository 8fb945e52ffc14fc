import { clockOf, counted } from "@earmark/core/text"
import type { IndexedEpisode, IndexedShow } from "./IndexedShow.js"

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "")

/** The path of a file beside the page. */
const hrefOf = (path: string): string => escaped(path.split("/").map(encodeURIComponent).join("/"))

/** Only the web: a feed may name anything as the page of an episode. */
const webLink = (address: string | null): string | null =>
  address !== null && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) ? address : null

const STYLE = `
:root { color-scheme: light dark; --ink: #1d1d1f; --dim: #6b6b70; --line: #e3e3e6; --paper: #fcfcfa; --mark: #b4451f }
@media (prefers-color-scheme: dark) { :root { --ink: #ececee; --dim: #a0a0a6; --line: #333338; --paper: #17171a; --mark: #f0926c } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 5rem }
h1 { margin: 0 0 .25rem; font-size: 1.9rem; line-height: 1.2; text-wrap: balance }
.sum, .facts, footer { color: var(--dim); font-size: .875rem }
input { width: 100%; margin: 1.75rem 0 .5rem; padding: .6rem .8rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .5rem }
input:focus-visible, a:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px }
ol { list-style: none; margin: 0; padding: 0 }
li { display: grid; grid-template-columns: 6.5rem 1fr; gap: 0 1rem; padding: 1.1rem 0; border-top: 1px solid var(--line) }
li[hidden] { display: none }
time { color: var(--dim); font-size: .875rem; font-variant-numeric: tabular-nums; padding-top: .2rem }
h2 { margin: 0; font-size: 1.05rem; line-height: 1.35; overflow-wrap: anywhere }
p { margin: .3rem 0 0 }
a { color: var(--mark); text-decoration-thickness: 1px; text-underline-offset: .2em }
.files a { display: inline-block; margin: .45rem .4rem 0 0; padding: .1rem .55rem; border: 1px solid var(--line); border-radius: 1rem; font-size: .8125rem; text-decoration: none }
.files a:hover { border-color: var(--mark) }
footer { margin-top: 2.5rem }
@media (max-width: 34rem) { li { grid-template-columns: 1fr } }
@media print { input { display: none } }
`

const SCRIPT = `
const search = document.querySelector("input"), none = document.getElementById("none");
const plain = (text) => text.normalize("NFKD").replace(/\\p{M}+/gu, "").toLowerCase();
const items = [...document.querySelectorAll("li")].map((item) => [item, plain(item.textContent)]);
search.hidden = false;
search.addEventListener("input", () => {
  const words = plain(search.value).split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const [item, text] of items) shown += (item.hidden = !words.every((word) => text.includes(word))) ? 0 : 1;
  none.hidden = shown > 0;
});
`

const ORIGINS: Readonly<Record<string, string>> = {
  captions: "text of the publisher",
  engine: "transcribed",
  cache: "transcribed",
}

const factsOf = ({ duration_seconds, words, speakers, language, origin }: IndexedEpisode): string =>
  [
    ...(duration_seconds === null ? [] : [clockOf(duration_seconds)]),
    ...(words === null ? [] : [counted(words, "word")]),
    ...(speakers === null || speakers === 0 ? [] : [counted(speakers, "speaker")]),
    ...(language === null ? [] : [language]),
    ...(origin === null ? [] : [ORIGINS[origin] ?? origin]),
  ].join(" · ")

const itemOf = (episode: IndexedEpisode): string => {
  const { title, published_at, link, summary, outputs } = episode
  const day = published_at?.slice(0, 10) ?? ""
  const page = webLink(link)
  const heading = escaped(title)
  const files = outputs.map(({ format, path }) => `<a href="${hrefOf(path)}">${escaped(format)}</a>`).join("")
  return `<li><time${day === "" ? "" : ` datetime="${day}"`}>${day || "no date"}</time><div>
<h2>${page === null ? heading : `<a href="${escaped(page)}" rel="noreferrer">${heading}</a>`}</h2>
<p class="facts">${escaped(factsOf(episode))}</p>${summary === null ? "" : `\n<p>${escaped(summary)}</p>`}
<div class="files">${files}</div></div></li>`
}

/** A page that needs nothing but itself: no network, no other file but the transcripts that it links. */
export const indexPage = ({ show, updated_at, episodes }: IndexedShow): string => {
  const words = episodes.reduce((sum, episode) => sum + (episode.words ?? 0), 0)
  const seconds = episodes.reduce((sum, { duration_seconds }) => sum + (duration_seconds ?? 0), 0)
  const sum = [
    counted(episodes.length, "episode"),
    ...(seconds > 0 ? [`${clockOf(seconds)} of sound`] : []),
    ...(words > 0 ? [counted(words, "word")] : []),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${escaped(show)}: transcripts</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(show)}</h1>
<p class="sum">${escaped(sum.join(" · "))}</p>
<input type="search" placeholder="Search titles and summaries" aria-label="Search" hidden>
<ol>
${episodes.map(itemOf).join("\n")}
</ol>
<p id="none" hidden>Nothing fits.</p>
<footer>Made by Earmark, ${escaped(updated_at.slice(0, 10))}. <a href="index.json">index.json</a> holds the same for programs.</footer>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`
}
