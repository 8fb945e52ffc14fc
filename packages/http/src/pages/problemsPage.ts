import { PROBLEM_STATUS } from "@earmark/api"
import { PROBLEM_TITLES, ProblemCode } from "@earmark/core/wire"
import { escapeMarkup } from "@earmark/core/xml"
import type { Reply } from "../answers/Reply.js"
import { DOCS_PAGE } from "./docs/docsPage.js"
import { htmlPage } from "./page.js"
import { programHtml } from "./program.js"

const row = (code: ProblemCode): string =>
  `<tr id="${code}"><td>${PROBLEM_STATUS[code]}</td><td><a href="#${code}"><code>${code}</code></a></td><td>${escapeMarkup(PROBLEM_TITLES[code])}</td></tr>`

const byStatus = [...ProblemCode.literals].sort((left, right) => PROBLEM_STATUS[left] - PROBLEM_STATUS[right])

const EXAMPLE = `{
  "type": "…${"/docs/problems"}#unknown_field",
  "title": "${PROBLEM_TITLES.unknown_field}",
  "status": 400,
  "detail": "#/diarise: There is no field diarise here; did you mean diarize?",
  "code": "unknown_field",
  "request_id": "req_7h2k9m4q8w3x",
  "errors": [{ "pointer": "#/diarise", "detail": "…" }]
}`

const BODY = `<main class="plain"><p><a href="${DOCS_PAGE}">← API reference</a></p><h1>Problem codes</h1>
<p class="lede">Every error, whatever it comes from, is a problem of <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a>. A <code>code</code> never changes its meaning: decide by it. <code>detail</code> says what was wrong with one request and may change; tell us the <code>request_id</code> when you ask for help.</p>
<pre>${programHtml(EXAMPLE)}</pre>
<table class="wide"><tr><th>status</th><th>code</th><th>meaning</th></tr>${byStatus.map(row).join("")}</table></main>`

/** What the `type` of a problem leads to. */
export const problemsPage = (): Reply => htmlPage("Problem codes", BODY)
