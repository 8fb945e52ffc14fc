/** One operation of the reference. */

import { PROBLEM_STATUS } from "@earmark/api"
import { counted } from "@earmark/core/text"
import { PROBLEM_TITLES, ProblemCode } from "@earmark/core/wire"
import { escapeMarkup } from "@earmark/core/xml"
import { PROBLEMS_PAGE } from "../../answers/Reply.js"
import { programHtml } from "../program.js"
import { type Json, type JsonObject, listIn, type Operation, objectIn, resolve, textIn } from "./document.js"
import { fieldList, fieldsOf, sentence } from "./fields.js"

const methodHtml = (method: string): string => `<span class="method ${method}">${method}</span>`

const PLACES: ReadonlyArray<readonly [place: string, title: string]> = [
  ["path", "In the path"],
  ["query", "In the query"],
  ["header", "Headers"],
]

const parametersHtml = (document: JsonObject, { facts }: Operation): string => {
  const parameters = listIn(facts.parameters).map((each) => resolve(document, each))
  return PLACES.map(([place, title]) => {
    const fields = parameters
      .filter((each) => each.in === place)
      .map((each) => ({
        name: textIn(each.name),
        schema: each.schema,
        isRequired: each.required === true,
        description: textIn(each.description) || textIn(resolve(document, each.schema).description),
      }))
    return fields.length === 0 ? "" : `<h4>${title}</h4>${fieldList(document, fields)}`
  }).join("")
}

const mediaOf = (content: Json | undefined) =>
  Object.entries(objectIn(content)).map(([type, media]) => ({ type, media: objectIn(media) }))

const bodyHtml = (document: JsonObject, { facts }: Operation): string => {
  const media = mediaOf(objectIn(facts.requestBody).content)
  const [first] = media
  if (first === undefined) return ""
  const types = media.map(({ type }) => `<code>${escapeMarkup(type)}</code>`).join(", ")
  return `<h4>Body</h4><p class="scope">${types}</p>${fieldsOf(document, first.media.schema)}`
}

const codesAt = (status: number, description: string): ReadonlyArray<ProblemCode> =>
  ProblemCode.literals.filter(
    (code) => PROBLEM_STATUS[code] === status && description.includes(`\`${code}\``),
  )

const problemHtml = (status: number, description: string): string =>
  codesAt(status, description)
    .map(
      (code) =>
        `<div class="answer"><b class="bad">${status}</b><span><a href="${PROBLEMS_PAGE}#${code}"><code>${code}</code></a> ${escapeMarkup(PROBLEM_TITLES[code])}</span></div>`,
    )
    .join("")

const successHtml = (document: JsonObject, status: string, response: JsonObject): string => {
  const [first, ...more] = mediaOf(response.content)
  const types = [first, ...more].flatMap((each) => (each === undefined ? [] : [escapeMarkup(each.type)]))
  const fields = first === undefined ? "" : fieldsOf(document, first.media.schema)
  const type =
    types.length === 0 || types[0] === "application/json"
      ? ""
      : ` <span class="type">${types.join(", ")}</span>`
  const inside = fields === "" ? "" : `<details><summary>Fields</summary>${fields}</details>`
  return `<div class="answer"><b class="ok">${status}</b><span>${sentence(textIn(response.description))}${type}</span></div>${inside}`
}

const answersHtml = (document: JsonObject, { facts }: Operation): string => {
  const all = Object.entries(objectIn(facts.responses))
  const good = all.filter(([status]) => Number(status) < 400)
  const bad = all.filter(([status]) => Number(status) >= 400)
  const problems = bad
    .map(([status, response]) => problemHtml(Number(status), textIn(objectIn(response).description)))
    .join("")
  const count = bad.reduce(
    (sum, [status, response]) => sum + codesAt(Number(status), textIn(objectIn(response).description)).length,
    0,
  )
  return `<h4>Answers</h4>${good.map(([status, response]) => successHtml(document, status, objectIn(response))).join("")}${
    count === 0 ? "" : `<details><summary>${counted(count, "problem")}</summary>${problems}</details>`
  }`
}

const isGuarded = ({ facts }: Operation): boolean => listIn(facts.security).length > 0

const exampleOf = (content: Json | undefined): Json | undefined => mediaOf(content)[0]?.media.example

const curlHtml = (operation: Operation, baseUrl: string): string => {
  const { facts, method, path } = operation
  const body = exampleOf(objectIn(facts.requestBody).content)
  const isUpload = operation.id === "uploads.put"
  const parts = [
    `curl ${method === "GET" || (method === "POST" && body !== undefined) ? "" : `-X ${method} `}"${baseUrl}${path}"`,
    ...(isGuarded(operation) ? ['-H "Authorization: Bearer $SERVICE_API_KEY"'] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body, null, 2)}'`]),
    ...(isUpload ? ['-H "Content-Type: audio/mpeg"', "--data-binary @episode.mp3"] : []),
  ]
  return `<h4>Request</h4><pre>${programHtml(parts.join(" \\\n  "))}</pre>`
}

const samplesHtml = (operation: Operation, baseUrl: string): string => {
  const answers = Object.entries(objectIn(operation.facts.responses)).flatMap(([status, response]) => {
    const example = exampleOf(objectIn(response).content)
    return example === undefined || Number(status) >= 400
      ? []
      : [`<h4>Answer ${status}</h4><pre tabindex="0">${programHtml(JSON.stringify(example, null, 2))}</pre>`]
  })
  return curlHtml(operation, baseUrl) + answers.join("")
}

export const linkTo = ({ id, method, facts }: Operation): string =>
  `<li><a href="#${id}">${methodHtml(method)}<span>${escapeMarkup(textIn(facts.summary))}</span></a></li>`

/** Everything about an operation, with a request to copy. */
export const operationHtml = (document: JsonObject, operation: Operation, baseUrl: string): string => {
  const { id, facts, method, path } = operation
  const told = [
    `<p>${sentence(textIn(facts.description))}</p>`,
    parametersHtml(document, operation),
    bodyHtml(document, operation),
    answersHtml(document, operation),
  ]
  return `<article id="${id}"><header><h3><a href="#${id}">${escapeMarkup(textIn(facts.summary))}</a></h3><div class="route">${methodHtml(method)}<code>${escapeMarkup(path)}</code></div></header><div class="columns"><div>${told.join("")}</div><div class="sample">${samplesHtml(operation, baseUrl)}</div></div></article>`
}
