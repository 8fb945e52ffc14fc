import { openApiDocument } from "@earmark/api"
import { escapeMarkup } from "@earmark/core/xml"
import { PROBLEMS_PAGE, type Reply } from "../../answers/Reply.js"
import { htmlPage } from "../page.js"
import { programHtml } from "../program.js"
import { type JsonObject, listIn, objectIn, operationsOf, textIn } from "./document.js"
import { sentence } from "./fields.js"
import { linkTo, operationHtml } from "./operation.js"

export const DOCS_PAGE = "/docs"

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const firstSteps = (baseUrl: string): string => `<section class="group" id="first-steps"><h2>First steps</h2>
<p>Send your key with every request. Create a job, then read it until its <code>status</code> is <code>done</code> or <code>failed</code>; <code>wait</code> answers as soon as it is.</p>
<pre tabindex="0">${programHtml(`export SERVICE_API_KEY=em_live_...

curl "${baseUrl}/api/v1/transcriptions" \\
  -H "Authorization: Bearer $SERVICE_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"url": "https://example.com/episode.mp3"}'

curl "${baseUrl}/api/v1/transcriptions/tr_...?wait=60" \\
  -H "Authorization: Bearer $SERVICE_API_KEY"`)}</pre></section>`

const conventions = `<section class="group" id="conventions"><h2>Conventions</h2>
<dl>
<div><dt>Errors</dt><dd>Every error is a problem of RFC 9457 with a <code>code</code> that never changes its meaning: see <a href="${PROBLEMS_PAGE}">all codes</a>.</dd></div>
<div><dt>Retries</dt><dd>Send an <code>Idempotency-Key</code> with what creates something: a repeat gets the same answer, with <code>Idempotent-Replayed: true</code>. <code>Retry-After</code> says when to try again.</dd></div>
<div><dt>Lists</dt><dd><code>{"data": [], "has_more": true, "next_cursor": "..."}</code>. Ask for the next page with <code>cursor</code>; pages do not shift when something is added.</dd></div>
<div><dt>Limits</dt><dd><code>RateLimit</code> and <code>RateLimit-Policy</code> tell how much is left. Beyond it: 429.</dd></div>
<div><dt>Unknown fields</dt><dd>are refused, in bodies and in queries, so that a mistyped option never costs money silently.</dd></div>
<div><dt>Times</dt><dd>are RFC 3339 in UTC; offsets in media are decimal seconds.</dd></div>
</dl></section>`

const groupHtml = (document: JsonObject, tag: JsonObject, baseUrl: string): string => {
  const name = textIn(tag.name)
  const articles = operationsOf(document, name).map((operation) =>
    operationHtml(document, operation, baseUrl),
  )
  return `<section class="group" id="${name}"><h2>${titled(name)}</h2><p>${sentence(textIn(tag.description))}</p>${articles.join("")}</section>`
}

const navHtml = (document: JsonObject, tags: ReadonlyArray<JsonObject>): string => {
  const info = objectIn(document.info)
  const groups = tags.map((tag) => {
    const name = textIn(tag.name)
    return `<div class="group"><h2><a href="#${name}">${titled(name)}</a></h2><ul>${operationsOf(document, name).map(linkTo).join("")}</ul></div>`
  })
  return `<nav aria-label="Operations"><a class="name" href="#top">${escapeMarkup(textIn(info.title))}</a><span class="version">${escapeMarkup(textIn(info.version))}</span><div class="groups"><div class="group start"><h2>Start</h2><ul><li><a href="#first-steps">First steps</a></li><li><a href="#conventions">Conventions</a></li><li><a href="${PROBLEMS_PAGE}">Problem codes</a></li><li><a href="/openapi.json">OpenAPI document</a></li></ul></div>${groups.join("")}</div></nav>`
}

const pageOf = (baseUrl: string): Reply => {
  const document = openApiDocument({ baseUrl })
  const info = objectIn(document.info)
  const tags = listIn(document.tags).map(objectIn)
  const head = `<h1 id="top">${escapeMarkup(textIn(info.title))} API</h1><p class="lede">${escapeMarkup(textIn(info.summary))} <code>${escapeMarkup(baseUrl)}</code></p><p>${sentence(textIn(info.description))}</p>`
  const groups = tags.map((tag) => groupHtml(document, tag, baseUrl))
  const foot = `<footer>Made from the <a href="/openapi.json">OpenAPI document</a> of this server.</footer>`
  return htmlPage(
    `${textIn(info.title)} API`,
    `<div class="layout">${navHtml(document, tags)}<main>${head}${firstSteps(baseUrl)}${conventions}${groups.join("")}${foot}</main></div>`,
  )
}

let made: { readonly baseUrl: string; readonly reply: Reply } | undefined

/** The reference of every operation, to be read offline. Made once. */
export const docsPage = (baseUrl: string): Reply => {
  if (made?.baseUrl !== baseUrl) made = { baseUrl, reply: pageOf(baseUrl) }
  return made.reply
}
