/** Schemas as lists of fields. */
import { escapeMarkup } from "@earmark/core/xml"
import { type Json, type JsonObject, listIn, objectIn, resolve, textIn } from "./document.js"

/** Fields inside fields inside fields are shown; more would help nobody. */
const DEEPEST = 3

/** A sentence of the document: what stands in backticks is code. */
export const sentence = (text: string): string =>
  escapeMarkup(text).replace(/`([^`]+)`/g, (_, code: string) => `<code>${code}</code>`)

const nameOf = (schema: Json | undefined): string => {
  const reference = textIn(objectIn(schema).$ref)
  return reference.slice(reference.lastIndexOf("/") + 1)
}

const choices = (values: ReadonlyArray<Json>): string =>
  values.map((value) => `<code>${escapeMarkup(JSON.stringify(value))}</code>`).join(" | ")

const membersOf = (schema: JsonObject): ReadonlyArray<Json> => [
  ...listIn(schema.anyOf),
  ...listIn(schema.oneOf),
]

const isNull = (schema: Json): boolean => objectIn(schema).type === "null"

/** What a value is, in a few words. */
const typeOf = (document: JsonObject, given: Json | undefined): string => {
  const schema = resolve(document, given)
  const members = membersOf(schema)
  if (members.length > 0) {
    return [...new Set(members.map((member) => typeOf(document, member)))].join(" | ")
  }
  if (schema.const !== undefined) return choices([schema.const])
  if (schema.enum !== undefined) return choices(listIn(schema.enum))
  const types = Array.isArray(schema.type) ? schema.type.map(textIn) : [textIn(schema.type)]
  return types
    .map((type) => {
      if (type === "array") return `list of ${typeOf(document, schema.items)}`
      return escapeMarkup(type === "object" ? nameOf(given) || "object" : type || "any")
    })
    .join(" | ")
}

/** What schemas say of themselves in words is beside the type already. */
const ONLY_BOUNDS = /^(?:a text of|a whole number|a number from|seconds from|at most|at least) [\d\s\w]*$/

const between = (least: Json | undefined, most: Json | undefined, unit: string): string => {
  const [from, to] = [least, most].map((bound) =>
    bound === undefined ? "" : escapeMarkup(JSON.stringify(bound)),
  )
  if (from !== "" && to !== "") return `${from} to ${to}${unit}`
  if (from !== "") return `at least ${from}${unit}`
  return to === "" ? "" : `at most ${to}${unit}`
}

const boundsOf = (schema: JsonObject): string =>
  [
    between(schema.minimum, schema.maximum, ""),
    between(schema.minLength, schema.maxLength, " characters"),
    between(schema.minItems, schema.maxItems, " items"),
    schema.default === undefined ? "" : `default ${escapeMarkup(JSON.stringify(schema.default))}`,
  ]
    .filter((part) => part !== "")
    .join(", ")

interface Field {
  readonly name: string
  readonly schema: Json | undefined
  readonly isRequired: boolean
  readonly description?: string
}

const fieldHtml = (
  document: JsonObject,
  { name, schema, isRequired, description }: Field,
  depth: number,
): string => {
  const resolved = resolve(document, schema)
  const words = description ?? textIn(resolved.description)
  const told = ONLY_BOUNDS.test(words) ? "" : words
  const facts = [typeOf(document, schema), boundsOf(resolved)].filter((part) => part !== "").join(", ")
  const required = isRequired ? '<span class="required">required</span>' : ""
  const inside = depth < DEEPEST ? fieldsOf(document, schema, depth + 1) : ""
  const rest = `${told === "" ? "" : sentence(told)}${inside}`
  return `<div><dt><code>${escapeMarkup(name)}</code><span class="type">${facts}</span>${required}</dt>${rest === "" ? "" : `<dd>${rest}</dd>`}</div>`
}

export const fieldList = (document: JsonObject, fields: ReadonlyArray<Field>, depth = 0): string =>
  fields.length === 0 ? "" : `<dl>${fields.map((field) => fieldHtml(document, field, depth)).join("")}</dl>`

const propertiesOf = (schema: JsonObject): ReadonlyArray<Field> => {
  const required = listIn(schema.required)
  return Object.entries(objectIn(schema.properties)).map(([name, each]) => ({
    name,
    schema: each,
    isRequired: required.includes(name),
  }))
}

/** The fields of all members of a union, those of the same name once; required is what every member requires. */
const fieldsOfAll = (document: JsonObject, members: ReadonlyArray<Json>): ReadonlyArray<Field> => {
  const found = new Map<string, Array<Field>>()
  for (const member of members) {
    for (const field of propertiesOf(resolve(document, member))) {
      found.set(field.name, [...(found.get(field.name) ?? []), field])
    }
  }
  return [...found].map(([name, fields]) => {
    const schemas = [
      ...new Map(fields.map(({ schema }) => [JSON.stringify(schema), schema ?? null])).values(),
    ]
    return {
      name,
      schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
      isRequired: fields.length === members.length && fields.every(({ isRequired }) => isRequired),
    }
  })
}

/** The fields of an object, of the items of a list, or of all members of a union; nothing where there are none. */
export const fieldsOf = (document: JsonObject, given: Json | undefined, depth = 0): string => {
  const schema = resolve(document, given)
  if (schema.type === "array") return fieldsOf(document, schema.items, depth)
  const members = membersOf(schema).filter((member) => !isNull(member))
  const fields = members.length > 0 ? fieldsOfAll(document, members) : propertiesOf(schema)
  return fieldList(document, fields, depth)
}
