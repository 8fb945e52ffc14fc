/** Calls of tools whose answers are checked against what the tools say of themselves. */
import { assert } from "@effect/vitest"
import type { Client } from "@modelcontextprotocol/client"
import { Ajv2020 } from "ajv/dist/2020.js"

const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  formats: { "date-time": /^\d{4}-\d\d-\d\dT[\d:.]+Z$/ },
})

/** No answer is longer, in either of its forms. */
const MOST_CHARACTERS = 40_000

export interface Answer {
  readonly isError: boolean
  readonly data: Readonly<Record<string, unknown>>
  /** All text blocks. */
  readonly text: string
  readonly uris: ReadonlyArray<string>
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {}

/** A value inside another one. */
export const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce((inner, step) => recordOf(inner)[String(step)], value)

export const textAt = (value: unknown, ...path: ReadonlyArray<string | number>): string => {
  const found = at(value, ...path)
  return typeof found === "string" ? found : assert.fail(`no text at ${path.join("/")}`)
}

export const listAt = (value: unknown, ...path: ReadonlyArray<string | number>): ReadonlyArray<unknown> => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : assert.fail(`no list at ${path.join("/")}`)
}

export const caller = async (client: Client) => {
  const { tools } = await client.listTools()
  const schemas = new Map(
    tools.map(({ name, outputSchema }) => [
      name,
      ajv.compile(JSON.parse(JSON.stringify(outputSchema ?? false))),
    ]),
  )

  return async (name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Answer> => {
    const result = await client.callTool({ name, arguments: { ...args } })
    const data =
      result.isError === true
        ? { error: recordOf(result._meta)["earmark/error"] }
        : recordOf(result.structuredContent)
    const text = result.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n")
    const isError = result.isError === true
    const schema = schemas.get(name)
    if (!isError) assert.isTrue(schema?.(data), JSON.stringify(schema?.errors))
    assert.isAtMost(JSON.stringify(data).length, MOST_CHARACTERS, name)
    assert.isAtMost(text.length, MOST_CHARACTERS, name)
    const uris = result.content.flatMap((block) => (block.type === "resource_link" ? [block.uri] : []))
    return { isError, data, text, uris }
  }
}

/** The refusal of a call that is refused. */
export const refusalOf = ({ isError, data, text }: Answer) => {
  assert.isTrue(isError, text)
  const code = textAt(data, "error", "code")
  assert.isTrue(text.startsWith(`${code}: `), text)
  assert.include(text, textAt(data, "error", "message"))
  return { code, message: textAt(data, "error", "message"), error: at(data, "error") }
}
