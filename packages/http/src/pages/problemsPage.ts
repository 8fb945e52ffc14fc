import { PROBLEM_STATUS } from "@earmark/api"
import { PROBLEM_TITLES, ProblemCode } from "@earmark/core/jobs"
import type { Reply } from "../answers/Reply.js"
import { escapeHtml, htmlPage } from "./page.js"

const row = (code: ProblemCode): string =>
  `<tr id="${code}"><td>${PROBLEM_STATUS[code]}</td><td><code>${code}</code></td><td>${escapeHtml(PROBLEM_TITLES[code])}</td></tr>`

/** What the `type` of a problem leads to. */
export const problemsPage = (): Reply =>
  htmlPage(
    "Problem codes",
    `<h1>Problem codes</h1><p>Codes never change their meaning; <code>detail</code> says what was wrong with one request.</p><table><tr><th>status</th><th>code</th><th>meaning</th></tr>${ProblemCode.literals.map(row).join("")}</table>`,
  )
