/** What no request may hold, whatever its schema says. */
import type { RequestProblem } from "./problems.js"

const DEEPEST = 64
const MOST_VALUES = 1_000_000
// NUL and lone surrogates: no database text holds the first, no UTF-8 the second.
const UNSTORABLE = /[\0\p{Surrogate}]/u
const DANGEROUS_NAMES: ReadonlySet<string> = new Set(["__proto__", "constructor"])

export interface UnsafeValue extends RequestProblem {
  readonly code: "invalid_request" | "unknown_field"
}

interface Place {
  readonly value: unknown
  readonly depth: number
  readonly name: string
  readonly parent: Place | undefined
}

/** The first characters of a text, never half of one. */
export const clip = (text: string, length: number): string =>
  text.slice(0, length).replaceAll(/\p{Surrogate}/gu, "")

/** One step of a JSON pointer in a URI fragment. Long names are cut: a pointer is for people. */
export const pointerStep = (name: PropertyKey): string =>
  `/${clip(String(name), 64).replaceAll("~", "~0").replaceAll("/", "~1")}`

/** The name that a pointer ends with. */
export const lastStep = (pointer: string): string =>
  pointer
    .slice(pointer.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~")

const pointerOf = (place: Place): string => {
  const steps: Array<string> = []
  for (let at: Place | undefined = place; at?.parent !== undefined; at = at.parent) {
    steps.push(pointerStep(at.name))
  }
  return `#${steps.reverse().join("")}`
}

const problemOf = (value: unknown, depth: number): string | undefined => {
  if (typeof value === "string") {
    return UNSTORABLE.test(value) ? "The text holds a NUL character or half a surrogate pair" : undefined
  }
  if (typeof value === "object" && value !== null) {
    return depth > DEEPEST ? `Values are nested deeper than ${DEEPEST} levels` : undefined
  }
  const isJson = value === null || value === undefined || typeof value === "boolean" || Number.isFinite(value)
  return isJson ? undefined : "The value cannot be written as JSON"
}

const unsafeName = (name: string, place: Place): UnsafeValue | undefined => {
  const pointer = () => pointerOf(place) + pointerStep(name)
  if (DANGEROUS_NAMES.has(name)) {
    return { code: "unknown_field", pointer: pointer(), detail: `A field may not be called ${name}` }
  }
  if (!UNSTORABLE.test(name)) return undefined
  return {
    code: "invalid_request",
    pointer: pointerOf(place),
    detail: "The name of a field holds a NUL character or half a surrogate pair",
  }
}

/** The first thing in a value that is refused everywhere: hostile text, a dangerous name, a bottomless nest. */
export const findUnsafe = (root: unknown): UnsafeValue | undefined => {
  const pending: Array<Place> = [{ value: root, depth: 0, name: "", parent: undefined }]
  let seen = 0
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { value, depth } = place
    seen += 1
    const detail = seen > MOST_VALUES ? "The request holds too many values" : problemOf(value, depth + 1)
    if (detail !== undefined) return { code: "invalid_request", pointer: pointerOf(place), detail }
    if (typeof value !== "object" || value === null) continue
    for (const [name, child] of Object.entries(value)) {
      const unsafe = Array.isArray(value) ? undefined : unsafeName(name, place)
      if (unsafe !== undefined) return unsafe
      pending.push({ value: child, depth: depth + 1, name, parent: place })
    }
  }
  return undefined
}
