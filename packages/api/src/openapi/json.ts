/** Plain JSON, and the few things that are done to it here. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject

export interface JsonObject {
  readonly [name: string]: Json
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isList = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)

/** The object in a place; an empty one where there is none. */
export const objectIn = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

/** An object with each of its values changed. */
export const mapValues = (object: JsonObject, change: (value: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))

/** A value with everything inside it changed first, and then itself. */
export const rewrite = (value: Json, change: (object: JsonObject) => Json): Json => {
  if (isList(value)) return value.map((item) => rewrite(item, change))
  return isObject(value) ? change(mapValues(value, (inner) => rewrite(inner, change))) : value
}

/** What JSON makes of a value. */
export const toJson = (value: unknown): Json => JSON.parse(JSON.stringify(value))
