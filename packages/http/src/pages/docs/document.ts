/** The parts of the OpenAPI document, as a page needs them. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject

export interface JsonObject {
  readonly [name: string]: Json
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const objectIn = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

export const listIn = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])

export const textIn = (value: Json | undefined): string => (typeof value === "string" ? value : "")

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly facts: JsonObject
}

/** Every operation of a group, in the order of the document. */
export const operationsOf = (document: JsonObject, tag: string): ReadonlyArray<Operation> =>
  Object.entries(objectIn(document.paths)).flatMap(([path, methods]) =>
    Object.entries(objectIn(methods))
      .filter(([, facts]) => listIn(objectIn(facts).tags).includes(tag))
      .map(([method, facts]) => ({
        id: textIn(objectIn(facts).operationId),
        method: method.toUpperCase(),
        path,
        facts: objectIn(facts),
      })),
  )

/** What a reference leads to; anything else is itself. */
export const resolve = (document: JsonObject, value: Json | undefined): JsonObject => {
  const object = objectIn(value)
  const path = textIn(object.$ref)
  if (path === "") return object
  const found = path
    .replace("#/", "")
    .split("/")
    .reduce<JsonObject>((place, step) => objectIn(place[step]), document)
  // A description beside a reference says more than that of what it leads to.
  const { $ref: _, ...beside } = object
  return { ...found, ...beside }
}
