// docs/reference/http.md, made from the OpenAPI document: every operation, every field, every code.

const nameOf = (reference) => reference.split("/").at(-1)
const isProblem = (name) => name.endsWith("Problem")
const code = (text) => `\`${text}\``
const sentence = (text = "") =>
  text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/[^.]$/, "$&.")

/** Text for a cell of a table. */
const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const table = (head, rows) =>
  rows.length === 0
    ? ""
    : [head, head.map(() => "---"), ...rows]
        .map((row) => `| ${row.map((each) => cell(each)).join(" | ")} |`)
        .join("\n")

const link = (name) => `[${name}](#${name.toLowerCase()})`

const LIMITS = {
  minimum: "at least",
  maximum: "at most",
  minLength: "from",
  maxLength: "to",
  maxItems: "at most",
}

const plain = (schema) => {
  const { type, minimum, maximum } = schema
  if (type !== "integer" && type !== "number") return type ?? "anything"
  if (minimum !== undefined && maximum !== undefined) return `${type}, ${minimum} to ${maximum}`
  if (minimum !== undefined) return `${type}, ${LIMITS.minimum} ${minimum}`
  return maximum === undefined ? type : `${type}, ${LIMITS.maximum} ${maximum}`
}

const typeOf = (schema) => {
  if (schema.$ref !== undefined) return link(nameOf(schema.$ref))
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(" or ")
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(", ")
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(" or ")
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`
  return plain(schema)
}

const fieldsOf = ({ properties = {}, required = [] }, path = "") =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const at = `${path}${name}`
    const isThere = required.includes(name)
    const inner = schema.type === "array" ? schema.items : schema
    const inside =
      inner?.properties === undefined ? [] : fieldsOf(inner, `${at}${schema.type === "array" ? "[]" : ""}.`)
    return [[code(at), typeOf(schema), isThere ? "yes" : "", sentence(schema.description)], ...inside]
  })

const codesOf = (document, response) => {
  const schema = Object.values(response.content ?? {})[0]?.schema ?? {}
  return (schema.anyOf ?? [schema])
    .filter(({ $ref }) => $ref !== undefined)
    .map(({ $ref }) => document.components.schemas[nameOf($ref)].properties.code.const)
}

/** Codes that every operation can answer, and that are told once. */
const EVERYWHERE = [
  "invalid_request",
  "unknown_field",
  "not_acceptable",
  "headers_too_large",
  "internal_error",
  "unavailable",
]
const GUARDED = ["unauthorized", "insufficient_scope", "rate_limited"]

const errorsOf = (document, operation) => {
  const told = Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) => codesOf(document, response).map((each) => [status, each]))
    .filter(([, each]) => !EVERYWHERE.includes(each) && !GUARDED.includes(each))
  if (told.length === 0) return ""
  const statuses = [...new Set(told.map(([status]) => status))]
  const listed = statuses.map(
    (status) =>
      `${status} ${told
        .filter(([of]) => of === status)
        .map(([, each]) => code(each))
        .join(", ")}`,
  )
  return `Errors: ${listed.join("; ")}.`
}

const answersOf = ({ responses }) =>
  Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description, content = {} }]) => {
      const types = Object.entries(content)
      const [, media] = types[0] ?? []
      const what =
        types.length === 0
          ? "no body"
          : types.length > 1
            ? types.map(([type]) => code(type)).join(", ")
            : typeOf(media.schema)
      return `- ${status}: ${
        what === "object"
          ? fieldsOf(media.schema)
              .map(([name, type]) => `${name} (${type})`)
              .join(", ")
          : what
      }. ${sentence(description)}`
    })
    .join("\n")

const example = (media) =>
  media?.example === undefined ? "" : `\`\`\`json\n${JSON.stringify(media.example, null, 2)}\n\`\`\``

const operationOf = (document, method, path, operation) => {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const json = requestBody?.content?.["application/json"]
  const other = Object.keys(requestBody?.content ?? {}).filter((type) => type !== "application/json")
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1]
  return [
    `### ${summary}`,
    `\`${method.toUpperCase()} ${path}\`, in clients \`${operationId}\``,
    description === summary ? "" : description,
    table(
      ["parameter", "in", "what it may be", "required", "meaning"],
      parameters.map(({ name, in: place, schema, required, description: told }) => [
        code(name),
        place,
        typeOf(schema),
        required ? "yes" : "",
        sentence(told ?? schema.description),
      ]),
    ),
    json === undefined ? "" : `Body: ${typeOf(json.schema)}.`,
    other.length === 0 ? "" : `Body: the bytes, as ${other.map(code).join(", ")}.`,
    example(json),
    `Answers:\n\n${answersOf(operation)}`,
    example(success?.content?.["application/json"]),
    errorsOf(document, operation),
  ]
}

const schemaOf = ([name, schema]) => {
  const fields = fieldsOf(schema)
  return [
    `### ${name}`,
    fields.length === 0 ? `${sentence(typeOf(schema))}` : "",
    sentence(schema.description),
    table(["field", "what it is", "always there", "meaning"], fields),
  ]
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1)

const INTRODUCTION = `# HTTP

Everything under \`/api/v1\` takes \`Authorization: Bearer <API key>\`, and JSON in UTF-8. This page is made from the definition of the API, as [openapi.json](openapi.json) is. [The client](../guides/use-the-client.md) has each operation under its name.

Every error, whatever it comes from, is a problem of RFC 9457 with a [code](problem-codes.md). Any operation can answer ${EVERYWHERE.map(code).join(", ")}; any that needs a key also ${GUARDED.map(code).join(", ")}. Further ones are told with each operation.

Times are RFC 3339 in UTC with milliseconds, offsets are decimal seconds, ids are opaque. Fields that do not exist are refused in requests, and may be added to answers: pass over what you do not know. An optional field of a request may be null, which is the same as leaving it out.`

export const httpReference = (document) => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const groups = document.tags.map(({ name, description }) => [
    `## ${capital(name)}`,
    sentence(description),
    ...operations
      .filter(({ operation }) => operation.tags[0] === name)
      .flatMap(({ path, method, operation }) => operationOf(document, method, path, operation)),
  ])
  const headers = Object.entries(document.components.headers).map(([name, { description }]) => [
    code(name),
    sentence(description),
  ])
  const schemas = Object.entries(document.components.schemas)
    .filter(([name]) => !isProblem(name))
    .sort(([one], [other]) => one.localeCompare(other))
  const parts = [
    INTRODUCTION,
    "<!-- Made by `npm run docs`. Do not edit. -->",
    ...groups.flat(),
    "## Headers of answers",
    table(["header", "meaning"], headers),
    "## Objects",
    ...schemas.flatMap(schemaOf),
  ]
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`
}
