import { seededRandom } from "@earmark/testkit"
import { assert } from "@effect/vitest"
import { listOf } from "./asking.js"

/** A request that no client would mean. */
export interface Rubbish {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The statuses that the document knows. */
  readonly statuses: ReadonlyArray<string>
}

const METHODS = ["get", "post", "put", "patch", "delete"] as const

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {}

const TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\u202e",
  "null",
  "-1",
  "1e400",
  "9".repeat(30),
  "../../etc/passwd",
  "' OR '1'='1",
].concat([
  "http://[::1",
  "file:///etc/passwd",
  "\r\nX-Injected: 1",
  "%00",
  "__proto__",
  "constructor",
  "a".repeat(5000),
  "e\u0301".repeat(200),
])

const BODIES = [
  "",
  "null",
  "[]",
  "0",
  "{",
  '{"a":1,}',
  "\ufeff{}",
  '{"__proto__":{"a":1}}',
  '{"constructor":1}',
  '{"url":"\\ud800"}',
].concat(["[".repeat(2000) + "]".repeat(2000), `${'{"a":'.repeat(200)}1${"}".repeat(200)}`, '{"url":1e400}'])

const encode = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "?"))

/** Every name that stands before a colon in a schema: fields of bodies, and whatever else. */
const namesIn = (schema: unknown, document: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  const { $ref, properties, anyOf } = recordOf(schema)
  if (typeof $ref === "string") {
    const steps = $ref.slice(2).split("/")
    return namesIn(
      steps.reduce<unknown>((found, step) => recordOf(found)[step], document),
      document,
    )
  }
  const members = Array.isArray(anyOf) ? anyOf.flatMap((member) => namesIn(member, document)) : []
  return [...Object.keys(recordOf(properties)), ...members]
}

/** A dozen requests for every operation of a document, the same ones for the same seed. */
export function* rubbish(
  document: Readonly<Record<string, unknown>>,
  seed: number,
): Generator<Rubbish, void> {
  const random = seededRandom(seed)
  const pick = <A>(all: ReadonlyArray<A>, otherwise: A): A =>
    all[Math.floor(random() * all.length)] ?? otherwise
  for (const [template, item] of Object.entries(recordOf(document.paths))) {
    for (const method of METHODS) {
      const operation = recordOf(recordOf(item)[method])
      if (operation.responses === undefined) continue
      const content = recordOf(recordOf(operation.requestBody).content)
      const fields = namesIn(recordOf(content["application/json"]).schema, document)
      const queries = listOf(operation.parameters).filter((each) => each.in === "query")
      for (let count = 0; count < 12; count++) {
        const path = template.replaceAll(/\{\w+\}/g, () => encode(pick(TEXTS, "x")) || "x")
        const asked = queries
          .filter(() => random() < 0.5)
          .map(({ name }) => `${encode(String(name))}=${random() < 0.2 ? "%ff" : encode(pick(TEXTS, ""))}`)
        const value =
          random() < 0.5
            ? pick(TEXTS, "")
            : pick<unknown>([null, true, 0, -1, 1.5, [], {}, [[]], { a: {} }], 0)
        const body = random() < 0.5 ? pick(BODIES, "") : JSON.stringify({ [pick(fields, "zz")]: value })
        const type =
          random() < 0.9
            ? "application/json"
            : pick(["text/plain", "application/json; charset=utf-16", "x"], "")
        yield {
          operation: `${method.toUpperCase()} ${template}`,
          method: method.toUpperCase(),
          path: asked.length === 0 ? path : `${path}?${asked.join("&")}`,
          headers:
            method === "get"
              ? {}
              : { "Content-Type": type, "Idempotency-Key": pick(["k", "a b", "", "k".repeat(300)], "k") },
          ...(method !== "get" && { body }),
          statuses: Object.keys(recordOf(operation.responses)),
        }
      }
    }
  }
}

const LEAKS =
  /\bat \S+ \(?(?:file:\/\/|\/)|node_modules\/|syntax error at or near|violates \w+ constraint|FiberFailure/

/** What any request may be told of its body, also where the operation has none. */
const ANYWHERE = ["408", "413", "415", "431"]

/** What holds for every answer, whatever was asked. */
export const assertAnswered = (
  { operation, path, body, statuses }: Rubbish,
  answer: { readonly status: number; readonly headers: Headers; readonly text: string },
) => {
  const about = `${operation} ${path.slice(0, 200)} ${(body ?? "").slice(0, 200)}: ${answer.status} ${answer.text.slice(0, 300)}`
  assert.isBelow(answer.status, 500, about)
  assert.match(answer.headers.get("request-id") ?? "", /^req_/, about)
  assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff", about)
  assert.isNull(answer.headers.get("x-injected"), about)
  assert.notMatch(answer.text, LEAKS, about)
  if (answer.status < 400) return
  const problem = JSON.parse(answer.text)
  assert.strictEqual(answer.headers.get("content-type"), "application/problem+json", about)
  assert.strictEqual(problem.status, answer.status, about)
  assert.include([...statuses, ...ANYWHERE], String(answer.status), about)
}
