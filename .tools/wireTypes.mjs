// What the client knows of the wire, made from the OpenAPI document: its types, and where each operation is.

const GENERATED = "// Made from the OpenAPI document by `npm run docs`. Do not edit."

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1)
const nameOf = (reference) => reference.split("/").at(-1)
const isProblem = (name) => name.endsWith("Problem")

const comment = (description, indent = "") =>
  description === undefined ? "" : `${indent}/** ${capital(description).replace(/[^.]$/, "$&.")} */\n`

const members = ({ properties = {}, required = [] }, indent) =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const optional = required.includes(name) ? "" : "?"
      const type = `${typeOf(schema, `${indent}  `)}${optional === "" ? "" : " | undefined"}`
      return `${comment(schema.description, `${indent}  `)}${indent}  readonly ${name}${optional}: ${type}\n`
    })
    .join("")

const objectOf = (schema, indent) => {
  const others = schema.patternProperties?.[""] ?? schema.additionalProperties
  if (Object.keys(schema.properties ?? {}).length > 0) return `{\n${members(schema, indent)}${indent}}`
  const value = others === undefined || others === false ? "unknown" : typeOf(others, indent)
  return `{ readonly [name: string]: ${value} }`
}

const listOf = (schema, indent) => {
  const item = typeOf(schema.items ?? {}, indent)
  const isTuple = schema.minItems !== undefined && schema.minItems === schema.maxItems
  return isTuple
    ? `readonly [${Array.from({ length: schema.minItems }, () => item).join(", ")}]`
    : `ReadonlyArray<${item}>`
}

const PLAIN = { string: "string", integer: "number", number: "number", boolean: "boolean", null: "null" }

const typeOf = (schema, indent = "") => {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.anyOf !== undefined) {
    return [...new Set(schema.anyOf.map((member) => typeOf(member, indent)))].join(" | ")
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(" | ")
  }
  if (schema.type === "object") return objectOf(schema, indent)
  if (schema.type === "array") return listOf(schema, indent)
  return PLAIN[schema.type] ?? "unknown"
}

const declaration = ([name, schema]) => {
  const about = comment(schema.description)
  const isInterface = schema.type === "object" && Object.keys(schema.properties ?? {}).length > 0
  return isInterface
    ? `${about}export interface ${name} ${typeOf(schema)}\n`
    : `${about}export type ${name} = ${typeOf(schema)}\n`
}

const operationsOf = (document) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

const inQuery = ({ parameters }) => parameters.filter((parameter) => parameter.in === "query")

const typeName = (id) => id.split(".").map(capital).join("")

const queryOf = ({ operation }) => {
  const parameters = inQuery(operation)
  if (parameters.length === 0) return []
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description }) => [name, { description, ...schema }]),
  )
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return [declaration([`${typeName(operation.operationId)}Query`, { type: "object", properties, required }])]
}

const schemaIn = (content) => content?.["application/json"]?.schema

const answerOf = ({ responses }) => {
  const schemas = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, { content }]) => schemaIn(content))
    .filter((schema) => schema !== undefined)
  return schemas.length === 0 ? "undefined" : typeOf({ anyOf: schemas }, "    ")
}

const row = ({ operation }) => {
  const query = inQuery(operation).length === 0 ? "undefined" : `${typeName(operation.operationId)}Query`
  const body = schemaIn(operation.requestBody?.content)
  return `  readonly "${operation.operationId}": {
    readonly query: ${query}
    readonly body: ${body === undefined ? "undefined" : typeOf(body, "    ")}
    readonly answer: ${answerOf(operation)}
  }\n`
}

/** The types of the wire, as people would write them. */
export const wireTypes = (document) => {
  const operations = operationsOf(document)
  const schemas = Object.entries(document.components.schemas).filter(([name]) => !isProblem(name))
  const codes = Object.entries(document.components.schemas)
    .filter(([name]) => isProblem(name))
    .map(([, { properties }]) => `  | ${JSON.stringify(properties.code.const)}`)
  return [
    GENERATED,
    `/** The codes of problems that the service answers with. */\nexport type ProblemCode =\n${codes.join("\n")}\n`,
    ...schemas.map(declaration),
    ...operations.flatMap(queryOf),
    `/** What each operation takes and answers. */\nexport interface Operations {\n${operations.map(row).join("")}}\n`,
  ].join("\n")
}

const isRepeatable = ({ parameters }) => parameters.some(({ name }) => name === "idempotency-key")

/** Where a signature takes the place of a key, no client calls: `upload` sends bytes, a link is opened as it is. */
const isOfClients = ({ operation: { operationId, security } }) =>
  security.length > 0 || operationId.startsWith("host.")

/** Whether what is answered is a page of a list. */
const isPaged = ({ operation }, { schemas }) =>
  Object.values(operation.responses).some(({ content }) => {
    const schema = schemaIn(content)
    const { properties } = schema?.$ref === undefined ? (schema ?? {}) : schemas[nameOf(schema.$ref)]
    return properties?.data !== undefined && properties.next_cursor !== undefined
  })

const factsOf = (each, components) => {
  const { method, path, operation } = each
  const takes = inQuery(operation).length > 0 ? "query" : operation.requestBody === undefined ? "" : "body"
  const rows = [
    `method: "${method}"`,
    `path: "${path}"`,
    ...(takes === "" ? [] : [`takes: "${takes}"`]),
    ...(isRepeatable(operation) ? ["repeatable: true"] : []),
    ...(isPaged(each, components) ? ["paged: true"] : []),
  ]
  const { description, operationId, summary } = operation
  const about = description.startsWith(summary) ? description : `${summary}. ${description}`
  const name = operationId.split(".").at(-1)
  return `${comment(about, "    ")}    ${name}: {\n${rows.map((row) => `      ${row},\n`).join("")}    },\n`
}

/** Where each operation is, and what it takes. The comments are what editors show of the calls that are made of it. */
export const operationTable = (document) => {
  const all = operationsOf(document).filter(isOfClients)
  const groupOf = ({ operation }) => operation.operationId.split(".")[0]
  const groups = [...new Set(all.map(groupOf))].map((group) => {
    const calls = all.filter((each) => groupOf(each) === group)
    return `  ${group}: {\n${calls.map((each) => factsOf(each, document.components)).join("")}  },\n`
  })
  return `${GENERATED}

export interface OperationFacts {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly takes?: "query" | "body"
  /** Takes an Idempotency-Key. */
  readonly repeatable?: true
  /** Answers a page of a list. */
  readonly paged?: true
}

/** Where each operation is. */
export const operations = {
${groups.join("")}} as const satisfies Readonly<Record<string, Readonly<Record<string, OperationFacts>>>>
`
}
