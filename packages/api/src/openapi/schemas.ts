/** Makes the schemas of the document such as people would have written them. */
import { isList, isObject, type Json, type JsonObject, rewrite } from "./json.js"

const isNull = (schema: Json): boolean => isObject(schema) && schema.type === "null"

/** Names of filters are no titles. */
const GENERATED_TITLE = /^[a-z][a-zA-Z]*(\(.*\))?$/

/** What the library says of the type inside, where the schema of the wire says it itself. */
const INSIDE = /^a DateTime/

const NUMBERS = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const

const withoutNoise = (schema: JsonObject): JsonObject => {
  const { $id, title, description, minimum, maximum, ...rest } = schema
  const isLabel = typeof title === "string" && !GENERATED_TITLE.test(title)
  return {
    ...(title !== undefined && (isLabel || isObject(title)) && { title }),
    ...(description !== undefined &&
      !(typeof description === "string" && INSIDE.test(description)) && { description }),
    ...rest,
    ...(minimum !== undefined && minimum !== NUMBERS.minimum && { minimum }),
    ...(maximum !== undefined && maximum !== NUMBERS.maximum && { maximum }),
    ...($id !== undefined && isObject($id) && { $id }),
  }
}

/** The one value that is allowed. */
const asConstant = (schema: JsonObject): JsonObject => {
  const values = schema.enum
  if (!isList(values) || values.length !== 1) return schema
  const { enum: _, ...rest } = schema
  return { ...rest, const: values[0] ?? null }
}

/** A value that may be null, as one schema where that can be said. */
const asNullable = (schema: JsonObject): JsonObject => {
  const { anyOf, ...around } = schema
  if (!isList(anyOf)) return schema
  const [first, ...others] = anyOf.filter((member) => !isNull(member))
  const mayBeNull = anyOf.some(isNull)
  if (!isObject(first) || others.length > 0) return schema
  if (!mayBeNull) return { ...around, ...first }
  return typeof first.type === "string" && first.enum === undefined && first.const === undefined
    ? { ...around, ...first, type: [first.type, "null"] }
    : { ...around, anyOf: [first, { type: "null" }] }
}

const isDecodeError = (schema: Json): boolean =>
  isObject(schema) && schema.$ref === "#/components/schemas/HttpApiDecodeError"

const withoutDecodeError = (schema: JsonObject): JsonObject =>
  isList(schema.anyOf)
    ? { ...schema, anyOf: schema.anyOf.filter((member) => !isDecodeError(member)) }
    : schema

const withoutEmptyRequired = (schema: JsonObject): JsonObject => {
  const { required, ...rest } = schema
  return isList(required) && required.length === 0 ? rest : schema
}

/** A list of fixed length whose items are all of one kind. */
const asTuple = (schema: JsonObject): JsonObject => {
  const { prefixItems, items, additionalItems: _, ...rest } = schema
  const each = isList(prefixItems) ? prefixItems : items
  return isList(each) ? { ...rest, items: each[0] ?? {}, maxItems: each.length } : schema
}

/** The library speaks of numbers by name. */
const PRIMITIVES: Readonly<Record<string, JsonObject>> = {
  "#/components/schemas/Int": { type: "integer" },
  "#/components/schemas/Finite": { type: "number" },
  "#/components/schemas/NonNegative": { type: "number", minimum: 0 },
}

const asPrimitive = (schema: JsonObject): JsonObject =>
  (typeof schema.$ref === "string" ? PRIMITIVES[schema.$ref] : undefined) ?? schema

/** Every schema of a document, tidied. */
export const tidy = (value: Json): Json =>
  rewrite(value, (object) =>
    asTuple(
      asConstant(asNullable(withoutDecodeError(withoutEmptyRequired(withoutNoise(asPrimitive(object)))))),
    ),
  )
