import { assert } from "@effect/vitest"
import type { EarmarkServer } from "../../servers/earmarkServer.js"
import { type Answer, clientOf, type Web } from "./world.js"

export const JOBS = "/api/v1/transcriptions"

/** The account that a first start makes. */
export const DEFAULT_ACCOUNT = `acct_${"0".repeat(26)}`

export interface World {
  readonly server: EarmarkServer
  /** The settings of the store that the service is on. */
  readonly store: Readonly<Record<string, string>>
  readonly web: Web
  readonly call: ReturnType<typeof clientOf>
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The objects of a list; whatever else it is has none. */
export const listOf = (value: unknown): ReadonlyArray<Record<string, unknown>> =>
  Array.isArray(value) ? value.filter(isRecord) : []

export const assertProblem = ({ body, headers, status }: Answer, expected: number, code: string) => {
  assert.deepStrictEqual([status, body.status, body.code], [expected, expected, code])
  assert.strictEqual(headers.get("content-type"), "application/problem+json")
  assert.strictEqual(headers.get("request-id"), body.request_id)
  assert.isString(body.detail)
  assert.isString(body.title)
  assert.match(String(body.type), new RegExp(`#${code}$`))
}

/** Makes a job and waits until it is done. */
export const makeJob = async ({ call }: World, request: Record<string, unknown>): Promise<string> => {
  const { body } = await call(JOBS, { body: request })
  const ended = await call(`${JOBS}/${body.id}?wait=60`)
  assert.strictEqual(ended.body.status, "done", ended.text)
  return String(body.id)
}

/** Another account of the service, and its key. */
export const newAccount = async ({ server }: Pick<World, "server">, email: string) => {
  const made = await server.administer("accounts", "create", "--email", email, "--json")
  const { id }: { readonly id: string } = JSON.parse(made)
  const { key }: { readonly key: string } = JSON.parse(
    await server.administer("keys", "create", "--account", id, "--json"),
  )
  return { id, key, call: clientOf({ ...server, key }) }
}

/** Every operation of the document that the service tells of itself. */
export const operationsOf = async ({ call }: Pick<World, "call">) => {
  const { body } = await call("/openapi.json", { key: null })
  return Object.entries(Object(body.paths)).flatMap(([path, operations]) =>
    Object.entries(Object(operations))
      .filter(([method]) => /^(?:get|put|post|patch|delete)$/.test(method))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        isGuarded: listOf(Object(operation).security).length > 0,
      })),
  )
}
