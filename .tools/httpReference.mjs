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

const between = (least, most, unit = "") => {
  if (least === undefined && most === undefined) return ""
  if (least === undefined) return ` (at most ${most}${unit})`
  return most === undefined ? ` (at least ${least}${unit})` : ` (${least} to ${most}${unit})`
}

const ofNames = (values) => {
  const isTold = typeof values === "object" && Object.keys(values).length > 0
  return isTold ? `object with ${typeOf(values)} under each name` : "object"
}

const plain = (schema) => {
  const { type, format, minLength, maxLength } = schema
  if (format === "date-time") return "time"
  if (format === "binary") return "bytes"
  if (type === "object")
    return ofNames(Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties)
  if (type === "string")
    return `string${between(minLength === 0 ? undefined : minLength, maxLength, " characters")}`
  return type === "integer" || type === "number"
    ? `${type}${between(schema.minimum, schema.maximum)}`
    : (type ?? "anything")
}

const typeOf = (schema) => {
  if (schema.$ref !== undefined) return link(nameOf(schema.$ref))
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(" or ")
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(", ")
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(" or ")
  if (schema.type === "array")
    return `list${schema.maxItems === undefined ? "" : between(schema.minItems, schema.maxItems)} of ${typeOf(schema.items ?? {})}`
  return plain(schema)
}

/** The objects that a value may be: one, or several of which it is one. */
const objectsIn = (schema) => (schema?.anyOf ?? [schema]).filter((each) => each?.properties !== undefined)

const fieldsOf = ({ properties = {}, required = [] }, path = "") =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const at = `${path}${name}`
    const isThere = required.includes(name)
    const inner = schema.type === "array" ? schema.items : schema
    const inside = objectsIn(inner).flatMap((each) =>
      fieldsOf(each, `${at}${schema.type === "array" ? "[]" : ""}.`),
    )
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

const FIELDS = ["field", "what it is", "always there", "meaning"]
const BODY_FIELDS = ["field", "what it may be", "required", "meaning"]

/** The fields of a schema; of one that is one of several objects, those of each. */
const fieldTables = (schema, head) => {
  const members = (schema.anyOf ?? []).filter(({ properties }) => properties !== undefined)
  if (members.length === 0) return [table(head, fieldsOf(schema))]
  return members.flatMap((member, index) => [index === 0 ? "Either:" : "or:", table(head, fieldsOf(member))])
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

const namesIn = (schema) =>
  (schema?.anyOf ?? [schema ?? {}]).filter(({ $ref }) => $ref !== undefined).map(({ $ref }) => nameOf($ref))

const bodyNames = ({ requestBody }) => namesIn(requestBody?.content?.["application/json"]?.schema)

const answerNames = ({ responses }) =>
  Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .flatMap(([, { content }]) => namesIn(content?.["application/json"]?.schema))

/** Schemas that are shown with an operation: every body, where it is first taken, and what nothing else answers. */
const homesOf = (document, operations) => {
  const text = JSON.stringify(document)
  const mentions = (name) => text.split(`"#/components/schemas/${name}"`).length - 1
  const homes = new Map()
  for (const { operation } of operations) {
    const own = answerNames(operation).filter((name) => mentions(name) === 1)
    for (const name of [...bodyNames(operation), ...own])
      if (!homes.has(name)) homes.set(name, operation.operationId)
  }
  return homes
}

/** The schemas whose home is this operation. */
const shownWith = (document, homes, operation, names, head) =>
  names
    .filter((name) => homes.get(name) === operation.operationId)
    .flatMap((name) => {
      const schema = document.components.schemas[name]
      return [`#### ${name}`, sentence(schema.description), ...fieldTables(schema, head)]
    })

const operationOf = (document, homes, method, path, operation) => {
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
    json === undefined
      ? ""
      : `Body: ${typeOf(json.schema)}${requestBody.required === false ? ", which may be left out" : ""}.`,
    other.length === 0 ? "" : `Body: the bytes, as ${other.map(code).join(", ")}.`,
    ...(typeOf(json?.schema ?? {}) === "object" ? fieldTables(json.schema, BODY_FIELDS) : []),
    example(json),
    `Answers:\n\n${answersOf(operation)}`,
    example(success?.content?.["application/json"]),
    errorsOf(document, operation),
    ...shownWith(document, homes, operation, bodyNames(operation), BODY_FIELDS),
    ...shownWith(document, homes, operation, answerNames(operation), FIELDS),
  ]
}

const eventOf = (document, type, { post }) => {
  const { schema, example: shown } = post.requestBody.content["application/json"]
  return [
    `### ${type}`,
    sentence(post.description),
    table(
      ["header", "meaning"],
      post.parameters.map(({ name, description }) => [code(name), sentence(description)]),
    ),
    ...fieldTables(document.components.schemas[nameOf(schema.$ref)], FIELDS),
    example({ example: shown }),
  ]
}

const schemaOf = ([name, schema]) => {
  const isUnion = namesIn(schema).length > 0
  return [
    `### ${name}`,
    isUnion ? sentence(`${typeOf(schema)}, told apart by ${code("status")}`) : "",
    sentence(schema.description),
    ...(isUnion ? [] : fieldTables(schema, FIELDS)),
  ]
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1)

const INTRODUCTION = `# HTTP

Everything under \`/api/v1\` takes \`Authorization: Bearer <API key>\`, and JSON in UTF-8. This page is made from the definition of the API, as [openapi.json](openapi.json) is. [The client](../guides/use-the-client.md) has each operation under its name.

Every error, whatever it comes from, is a problem of RFC 9457 with a [code](problem-codes.md); it is \`application/json\` where the request accepts that and not \`application/problem+json\`. \`detail\` says what is wrong in a sentence, and \`error\` says the same. Any operation can answer ${EVERYWHERE.map(code).join(", ")}; any that needs a key also ${GUARDED.map(code).join(", ")}. Further ones are told with each operation.

Times are RFC 3339 in UTC with milliseconds, offsets are decimal seconds, ids are opaque. Fields that do not exist are refused in requests, and may be added to answers: pass over what you do not know. An optional field of a request may be null, which is the same as leaving it out; in a \`PATCH\`, null takes the value away.`

export const httpReference = (document) => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const homes = homesOf(document, operations)
  const groups = document.tags.map(({ name, description }) => [
    `## ${capital(name)}`,
    sentence(description),
    ...operations
      .filter(({ operation }) => operation.tags[0] === name)
      .flatMap(({ path, method, operation }) => operationOf(document, homes, method, path, operation)),
  ])
  const headers = Object.entries(document.components.headers).map(([name, { description }]) => [
    code(name),
    sentence(description),
  ])
  const schemas = Object.entries(document.components.schemas)
    .filter(([name]) => !isProblem(name) && !homes.has(name) && !name.endsWith("Event"))
    .sort(([one], [other]) => one.localeCompare(other))
  const parts = [
    INTRODUCTION,
    "<!-- Made by `npm run docs`. Do not edit. -->",
    ...groups.flat(),
    "## Events",
    "What is sent to the webhook endpoints of an account. [Verify a webhook](../guides/verify-a-webhook.md) before you trust it.",
    ...Object.entries(document.webhooks).flatMap(([type, webhook]) => eventOf(document, type, webhook)),
    "## Headers of answers",
    table(["header", "meaning"], headers),
    "## Objects",
    ...schemas.flatMap(schemaOf),
  ]
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`
}
