/** What no request may hold, whatever its schema says. */
import type { RequestProblem } from "./problems.js"

const DEEPEST = 64
// Room for the largest metadata, 16 kB of single digits; far below what makes a schema slow.
const MOST_VALUES = 10_000
// NUL and lone surrogates: no database text holds the first, no UTF-8 the second.
const UNSTORABLE = /[\0\p{Surrogate}]/u
const DANGEROUS_NAMES: ReadonlySet<string> = new Set(["__proto__", "constructor"])

export interface UnsafeValue extends RequestProblem {
  readonly code: "invalid_request" | "unknown_field"
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

interface Finding {
  readonly code: UnsafeValue["code"]
  readonly detail: string
  /** The names on the way to it, innermost first. */
  readonly path: Array<string>
}

const found = (detail: string, code: UnsafeValue["code"] = "invalid_request", name?: string): Finding => ({
  code,
  detail,
  path: name === undefined ? [] : [name],
})

const unsafeScalar = (value: unknown): Finding | undefined => {
  if (typeof value === "string") {
    return UNSTORABLE.test(value)
      ? found("The text holds a NUL character or half a surrogate pair")
      : undefined
  }
  const isJson = value === null || value === undefined || typeof value === "boolean" || Number.isFinite(value)
  return isJson ? undefined : found("The value cannot be written as JSON")
}

const unsafeName = (name: string): Finding | undefined => {
  if (DANGEROUS_NAMES.has(name)) return found(`A field may not be called ${name}`, "unknown_field", name)
  return UNSTORABLE.test(name)
    ? found("The name of a field holds a NUL character or half a surrogate pair")
    : undefined
}

interface Budget {
  values: number
}

const search = (value: unknown, depth: number, budget: Budget): Finding | undefined => {
  budget.values -= 1
  if (budget.values < 0) return found("The request holds too many values")
  if (typeof value !== "object" || value === null) return unsafeScalar(value)
  if (depth > DEEPEST) return found(`Values are nested deeper than ${DEEPEST} levels`)
  const isList = Array.isArray(value)
  for (const [name, child] of Object.entries(value)) {
    const finding = isList ? undefined : unsafeName(name)
    if (finding !== undefined) return finding
    const inside = search(child, depth + 1, budget)
    if (inside === undefined) continue
    inside.path.push(name)
    return inside
  }
  return undefined
}

/** The first thing in a value that is refused everywhere: hostile text, a dangerous name, a bottomless nest, a flood. */
export const findUnsafe = (value: unknown): UnsafeValue | undefined => {
  const finding = search(value, 1, { values: MOST_VALUES })
  if (finding === undefined) return undefined
  const { code, detail, path } = finding
  return { code, detail, pointer: `#${path.reverse().map(pointerStep).join("")}` }
}
