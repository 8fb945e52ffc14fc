/** The OpenAPI document of the wire. */

import { exportFormats } from "@earmark/core/captions"
import { type Operation, operations } from "@earmark/core/operations"
import { ExportFormat, PROBLEM_TITLES, ProblemCode } from "@earmark/core/wire"
import * as OpenApi from "@effect/platform/OpenApi"
import { EarmarkApi } from "../EarmarkApi.js"
import { PROBLEM_STATUS, problemName } from "../problems.js"
import { withOpenAnswers } from "./answers.js"
import { eventSchemas, withNames, withStates } from "./components.js"
import { examples } from "./examples.js"
import { headers, headersOf } from "./headers.js"
import { isList, isObject, type Json, type JsonObject, mapValues, objectIn, toJson } from "./json.js"
import { fileExamples, problemExample } from "./otherExamples.js"
import { tidy } from "./schemas.js"
import { webhooks } from "./webhooks.js"
import { parameterWithWords, withWords } from "./words.js"

/** The schema of it is that of one event. */
const EVENT_STREAM = "text/event-stream"
const PROBLEM_JSON = "application/problem+json"

/** The operations of accounts, which need a key. */
const guarded = new Map<string, Operation>(Object.entries(operations))

const OPEN_EXPORT = "exports.open"
const OPEN_MEDIA = "exports.media"

const isFile = (id: string): boolean => id === OPEN_EXPORT || guarded.get(id)?.form === "file"
const isConditional = (id: string): boolean =>
  id === OPEN_EXPORT || id === OPEN_MEDIA || guarded.get(id)?.hasEtag === true

/** The codes that a schema speaks of. */
const codesIn = (schema: Json | undefined): ReadonlyArray<ProblemCode> => {
  const text = JSON.stringify(schema ?? null)
  return ProblemCode.literals.filter((code) => text.includes(`/${problemName(code)}"`))
}

const problemAnswer = (status: number, content: JsonObject): JsonObject => {
  const schema = objectIn(Object.values(content)[0]).schema
  const codes = codesIn(schema).filter((code) => PROBLEM_STATUS[code] === status)
  return {
    description: `${codes.map((code) => `\`${code}\`: ${PROBLEM_TITLES[code]}`).join(". ")}.`,
    content: { [PROBLEM_JSON]: { schema: schema ?? {} } },
  }
}

/** The schemas of problems, each with an example. */
const withProblemExamples = (schemas: JsonObject): JsonObject => ({
  ...schemas,
  ...Object.fromEntries(
    ProblemCode.literals.flatMap((code) => {
      const name = problemName(code)
      const schema = schemas[name]
      return schema === undefined ? [] : [[name, { ...objectIn(schema), examples: [problemExample(code)] }]]
    }),
  ),
})

const WORDS: Readonly<Record<string, string>> = {
  200: "Done.",
  201: "Made.",
  202: "Accepted.",
  204: "Gone.",
}

/** What the library says of an answer that nobody described. */
const GENERIC = ["Success", "a string"]

const schemaOfFile = (contentType: string): JsonObject => {
  if (contentType.startsWith("application/json")) return { type: "object" }
  return contentType.startsWith("text/") || contentType === "application/x-subrip"
    ? { type: "string" }
    : { type: "string", format: "binary" }
}

const file = (): JsonObject =>
  Object.fromEntries(
    ExportFormat.literals.map((format) => {
      const { contentType } = exportFormats[format]
      const example = fileExamples[format]
      const media = { schema: schemaOfFile(contentType), ...(example !== undefined && { example }) }
      return [contentType.replace(/;.*/, ""), media]
    }),
  )

const answer = (id: string, status: number, response: JsonObject): JsonObject => {
  const example = examples[id]?.answers?.[status]
  const content = isFile(id)
    ? file()
    : mapValues(objectIn(response.content), (media) => ({
        ...objectIn(media),
        ...(example !== undefined && { example }),
      }))
  const media = objectIn(content)["application/json"]
  const told = guarded.get(id)?.form === "events" && media !== undefined ? { [EVENT_STREAM]: media } : content
  return {
    description: GENERIC.includes(String(response.description))
      ? (WORDS[status] ?? "Done.")
      : (response.description ?? ""),
    ...(Object.keys(told).length > 0 && { content: told }),
  }
}

const NOT_MODIFIED = { description: "Nothing has changed since the `ETag` of `If-None-Match`." }

const METADATA: JsonObject = {
  name: "metadata",
  in: "query",
  style: "deepObject",
  explode: true,
  required: false,
  description: "Values of metadata that a job must have: `metadata[name]=value`.",
  schema: { type: "object", additionalProperties: { type: "string", maxLength: 500 } },
}

const IF_NONE_MATCH: JsonObject = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "An `ETag` that you have: when it is still right, the answer is 304.",
  schema: { type: "string" },
}

const LAST_EVENT: JsonObject = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "The `id` of the last event that you have: what came after it is sent.",
  schema: { type: "string" },
}

const parametersOf = (id: string, operation: JsonObject): ReadonlyArray<Json> => [
  ...(isList(operation.parameters) ? operation.parameters.map(parameterWithWords) : []),
  ...(id === "transcriptions.list" ? [METADATA] : []),
  ...(isConditional(id) ? [IF_NONE_MATCH] : []),
  ...(guarded.get(id)?.form === "events" ? [LAST_EVENT] : []),
]

const MEDIA = { schema: { type: "string", format: "binary" } }

const bodyOf = (id: string, body: JsonObject): JsonObject => {
  if (id === "uploads.put") {
    return { required: true, content: { "audio/*": MEDIA, "video/*": MEDIA, "application/ogg": MEDIA } }
  }
  const example = examples[id]?.request
  const isOptional = guarded.get(id)?.hasOptionalBody === true
  const content = mapValues(objectIn(body.content), (media) => ({
    ...objectIn(media),
    ...(example !== undefined && { example }),
  }))
  return { ...body, content, ...(isOptional && { required: false }) }
}

const responsesOf = (id: string, operation: JsonObject, isGuarded: boolean): JsonObject => {
  const facts = {
    isGuarded,
    isRepeatable: guarded.get(id)?.isRepeatable === true,
    hasEtag: id === "uploads.put" || isConditional(id),
    isFile: isFile(id) || guarded.get(id)?.form === "archive",
  }
  const given = { ...objectIn(operation.responses), ...(isConditional(id) && { 304: NOT_MODIFIED }) }
  return mapValues(given, (value, name) => {
    const status = Number(name)
    const response = objectIn(value)
    const told =
      status >= 400 ? problemAnswer(status, objectIn(response.content)) : answer(id, status, response)
    return { ...told, headers: headersOf(status, facts) }
  })
}

const withFacts = (operation: JsonObject) => {
  const id = String(operation.operationId)
  const access = guarded.get(id)
  const { description, requestBody, security: _, ...rest } = operation
  const scope = access === undefined || access.scope === null ? "" : `Needs the scope \`${access.scope}\`.`
  return {
    ...rest,
    description:
      [description, scope].filter((part) => part !== undefined && part !== "").join(" ") ||
      String(rest.summary),
    ...(access === undefined ? { security: [] } : { security: [{ apiKey: [] }] }),
    parameters: parametersOf(id, operation),
    ...(isObject(requestBody) && { requestBody: bodyOf(id, requestBody) }),
    responses: responsesOf(id, operation, access !== undefined),
  }
}

const LEFT_OUT: ReadonlyArray<string> = [
  "HttpApiDecodeError",
  "Issue",
  "PropertyKey",
  "Int",
  "Finite",
  "NonNegative",
]

const document = (): JsonObject => {
  const made = objectIn(tidy(toJson(OpenApi.fromApi(EarmarkApi))))
  const { paths, components, security: _, ...about } = made
  const told = mapValues(objectIn(paths), (path) =>
    mapValues(objectIn(path), (each) => withFacts(objectIn(each))),
  )
  const kept = Object.entries(objectIn(objectIn(components).schemas)).filter(
    ([name]) => !LEFT_OUT.includes(name),
  )
  const named = withNames({ paths: told, schemas: Object.fromEntries(kept) })
  const { paths: shown, schemas } = objectIn(named.document)
  const all = withStates({ ...objectIn(schemas), ...named.schemas, ...eventSchemas() })
  const open = withOpenAnswers(objectIn(shown), all)
  return {
    ...about,
    paths: open.paths,
    webhooks,
    components: {
      ...objectIn(components),
      schemas: withProblemExamples(withWords(open.schemas)),
      headers,
    },
  }
}

/** Whom to ask about a server. */
const CONTACT: JsonObject = { name: "The operator of this server" }

let made: JsonObject | undefined

/** The document of a server at an address. */
export const openApiDocument = ({ baseUrl }: { readonly baseUrl: string }): JsonObject => {
  made ??= document()
  const { openapi, info, ...rest } = made
  return {
    openapi: openapi ?? "3.1.0",
    info: { ...objectIn(info), contact: CONTACT },
    servers: [{ url: baseUrl }],
    ...rest,
  }
}
