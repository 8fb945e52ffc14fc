import { readFileSync, writeFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { callerOf, startWorld, type World } from "./world.js"

/** Written anew with `WRITE=1`; a change of it is a change that a reviewer sees. */
const SNAPSHOT = new URL("../../../docs/reference/mcp-tools.json", import.meta.url)

const MOST_BYTES = 39_000

let world: World
let listed: string

beforeAll(async () => {
  world = await startWorld()
  const client = await world.connect(callerOf(await world.newAccount()))
  const { tools } = await client.listTools()
  listed = `${JSON.stringify({ tools }, null, 2)}\n`
})
afterAll(() => world?.stop())

const toolsOf = (json: string): ReadonlyArray<{ name: string; inputSchema: object; outputSchema: object }> =>
  JSON.parse(json).tools

/** Every object in a value, with the path to it. */
const objectsIn = (value: unknown, path = "#"): ReadonlyArray<readonly [string, object]> =>
  typeof value !== "object" || value === null
    ? []
    : [
        [path, value] as const,
        ...Object.entries(value).flatMap(([name, inner]) => objectsIn(inner, `${path}/${name}`)),
      ]

describe("the list of tools", () => {
  it("is the one that is committed", () => {
    if (process.env.WRITE === "1") writeFileSync(SNAPSHOT, listed)
    assert.deepStrictEqual(JSON.parse(listed), JSON.parse(readFileSync(SNAPSHOT, "utf8")))
  })

  it("has the tools in order, in at most 39 kB", () => {
    const tools = toolsOf(listed)
    assert.deepStrictEqual(
      tools.map(({ name }) => name),
      [
        "transcribe",
        "get_transcription",
        "list_transcriptions",
        "search_transcript",
        "ask_transcript",
        "edit_transcript",
        "make_extras",
        "export_transcript",
        "publish_transcript",
        "upload_file",
        "list_podcast_episodes",
        "transcribe_podcast_feed",
        "cancel_transcription",
        "get_credit_balance",
      ],
    )
    assert.isAtMost(Buffer.byteLength(JSON.stringify({ tools })), MOST_BYTES)
  })

  it("has schemas that are valid JSON Schema 2020-12, and that hosts can read", () => {
    for (const { name, inputSchema, outputSchema } of toolsOf(listed)) {
      for (const schema of [inputSchema, outputSchema]) {
        const ajv = new Ajv2020({ strict: true, formats: { "date-time": true }, allowUnionTypes: false })
        assert.isFunction(ajv.compile(schema), name)
        const top = Object.keys(schema)
        for (const banned of ["oneOf", "anyOf", "allOf", "enum", "not"]) assert.notInclude(top, banned, name)
        for (const [path, inner] of objectsIn(schema)) {
          assert.notProperty(inner, "$ref", `${name} ${path}`)
          if (Object.hasOwn(inner, "properties") && !path.endsWith("/properties")) {
            assert.propertyVal(inner, "additionalProperties", false, `${name} ${path}`)
          }
        }
      }
    }
  })
})
