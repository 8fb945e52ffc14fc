/** How answers differ from requests: they may get new fields, and their times are always whole. */
import { isList, isObject, type Json, type JsonObject, mapValues, objectIn, rewrite } from "./json.js"

const PREFIX = "#/components/schemas/"

const referencesIn = (value: Json): ReadonlyArray<string> => {
  if (isList(value)) return value.flatMap(referencesIn)
  if (!isObject(value)) return []
  const inside = Object.values(value).flatMap(referencesIn)
  return typeof value.$ref === "string" ? [value.$ref.replace(PREFIX, ""), ...inside] : inside
}

/** The named schemas that a value reaches, through others too. */
const reachedFrom = (value: Json, schemas: JsonObject): ReadonlySet<string> => {
  const reached = new Set<string>()
  const open = [...referencesIn(value)]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue
    reached.add(name)
    open.push(...referencesIn(schemas[name] ?? {}))
  }
  return reached
}

const isTime = ({ format }: JsonObject): boolean => format === "date-time"

/** A field that is added one day breaks nobody; times are written with date and time of day. */
const answered = (value: Json): Json =>
  rewrite(value, (schema) => {
    const { additionalProperties, ...open } = schema
    const opened = additionalProperties === false ? open : schema
    if (!isTime(opened)) return opened
    const { pattern: _, ...time } = opened
    return time
  })

/** Requests take a bare date as well. */
const asked = (value: Json): Json =>
  rewrite(value, (schema) => {
    if (!isTime(schema)) return schema
    const { format: _, ...time } = schema
    return time
  })

const operationOf = (operation: Json): JsonObject => {
  const { responses, parameters, requestBody, ...rest } = objectIn(operation)
  return {
    ...rest,
    ...(parameters !== undefined && { parameters: asked(parameters) }),
    ...(requestBody !== undefined && { requestBody: asked(requestBody) }),
    responses: answered(responses ?? {}),
  }
}

/** Paths and named schemas, those of answers open and those of requests closed. */
export const withOpenAnswers = (
  paths: JsonObject,
  schemas: JsonObject,
): { readonly paths: JsonObject; readonly schemas: JsonObject } => {
  const requests = Object.values(paths).flatMap((path) =>
    Object.values(objectIn(path)).flatMap((operation) => {
      const { parameters, requestBody } = objectIn(operation)
      return [parameters ?? [], requestBody ?? {}]
    }),
  )
  const closed = reachedFrom(requests, schemas)
  return {
    paths: mapValues(paths, (path) => mapValues(objectIn(path), operationOf)),
    schemas: mapValues(schemas, (schema, name) => (closed.has(name) ? asked(schema) : answered(schema))),
  }
}
