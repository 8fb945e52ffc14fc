import { EarmarkApi, openApiDocument, PROBLEM_STATUS } from "@earmark/api"
import { exportFormats } from "@earmark/core/captions"
import { Event, EventType, ExportFormat, PROBLEM_TITLES, ProblemCode } from "@earmark/core/wire"
import * as HttpApi from "@effect/platform/HttpApi"
import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { examples } from "../src/openapi/examples.js"
import { isList, isObject, type Json, objectIn } from "../src/openapi/json.js"

const document = openApiDocument({ baseUrl: "https://api.example.com" })

const operations = Object.entries(objectIn(document.paths)).flatMap(([path, methods]) =>
  Object.entries(objectIn(methods)).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    operation: objectIn(operation),
  })),
)

const isGuarded = (operation: Json) => {
  const { security } = objectIn(operation)
  return isList(security) && security.length > 0
}

const references = (value: Json): Array<string> => {
  if (isList(value)) return value.flatMap(references)
  if (!isObject(value)) return []
  const inside = Object.values(value).flatMap(references)
  return typeof value.$ref === "string" ? [value.$ref, ...inside] : inside
}

const STRICT = { onExcessProperty: "error" } as const

/** Whether one schema, of the members of a union too, takes the value whole. */
const decodes = (schema: Schema.Schema.Any, value: unknown) =>
  Option.isSome(Schema.decodeUnknownOption(Schema.make(schema.ast), STRICT)(value))

describe("the OpenAPI document", () => {
  it("answers an export with the types that can be asked for, and no other", () => {
    const exporting = operations.find(({ route }) => route === "GET /api/v1/transcriptions/{id}/export")
    const types = Object.keys(
      objectIn(objectIn(objectIn(objectIn(exporting?.operation).responses)["200"]).content),
    )
    const askable = ExportFormat.literals.map((format) =>
      exportFormats[format].contentType.replace(/;.*/, ""),
    )
    assert.sameMembers(types, [...new Set(askable)])
  })

  it("has every route of the specification", () => {
    const routes = operations.map(({ route }) => route)
    for (const route of [
      "POST /api/v1/transcriptions",
      "GET /api/v1/transcriptions/{id}",
      "GET /api/v1/transcriptions",
      "GET /api/v1/podcasts/episodes",
      "POST /api/v1/podcasts/transcribe",
      "POST /api/v1/uploads",
      "POST /api/v1/webhooks",
    ]) {
      assert.include(routes, route)
    }
  })

  it("tells of every operation: an id of its own, a summary, a sentence", () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.strictEqual(new Set(ids).size, operations.length)
    for (const { route, operation } of operations) {
      assert.isString(operation.summary, route)
      assert.isString(operation.description, route)
    }
  })

  it("names every problem of an operation that needs a key", () => {
    for (const { route, operation } of operations.filter(({ operation }) => isGuarded(operation))) {
      const statuses = Object.keys(objectIn(operation.responses))
      for (const status of ["400", "401", "406", "429", "500", "503"]) assert.include(statuses, status, route)
      // Every key may ask whose it is.
      assert.strictEqual(statuses.includes("403"), operation.operationId !== "account.get", route)
    }
  })

  it("answers every error as a problem, and says of each what it is for", () => {
    for (const { route, operation } of operations) {
      for (const [status, response] of Object.entries(objectIn(operation.responses))) {
        if (Number(status) < 400) continue
        const { content, description } = objectIn(response)
        assert.deepStrictEqual(Object.keys(objectIn(content)), ["application/problem+json"], route)
        assert.match(String(description), /^`[a-z_]+`: /, `${route} ${status}`)
      }
    }
  })

  it("speaks only of schemas and headers that are there", () => {
    for (const reference of new Set(references(document))) {
      const [, , kind = "", name = ""] = reference.split("/")
      assert.isDefined(objectIn(objectIn(document.components)[kind])[name], reference)
    }
  })

  it("answers may get new fields, and requests have no others", () => {
    const schemas = objectIn(objectIn(document.components).schemas)
    const events = Object.values(objectIn(document.webhooks))
    const sent = [...operations.map(({ operation }) => operation.responses ?? {}), ...events]
    assert.notInclude(JSON.stringify(sent), '"additionalProperties":false')
    const open = references(sent)
    const reached = new Set<string>()
    for (let reference = open.pop(); reference !== undefined; reference = open.pop()) {
      const name = reference.split("/").at(-1) ?? ""
      if (reached.has(name)) continue
      reached.add(name)
      open.push(...references(schemas[name] ?? {}))
    }
    assert.isAbove(reached.size, 100)
    for (const name of reached)
      assert.notInclude(JSON.stringify(schemas[name] ?? {}), '"additionalProperties":false', name)
    for (const name of ["CreateTranscription", "UploadNamed", "UploadRequest", "RotateSecret"])
      assert.isFalse(objectIn(schemas[name]).additionalProperties, name)
  })

  it("says of the times in answers that they are times", () => {
    const schemas = objectIn(objectIn(document.components).schemas)
    const times = Object.entries(schemas).flatMap(([name, schema]) =>
      Object.entries(objectIn(objectIn(schema).properties))
        .filter(([field]) => field.endsWith("_at") && !/^(start|end)_at$/.test(field))
        .map(([field, inner]) => [`${name}.${field}`, objectIn(inner)] as const),
    )
    assert.isAbove(times.length, 20)
    for (const [field, { format, type }] of times)
      if (type !== "null" && !field.startsWith("Create")) assert.strictEqual(format, "date-time", field)
  })

  it("tells the states of a transcription apart by its status", () => {
    const { Transcription } = objectIn(objectIn(document.components).schemas)
    const { discriminator, anyOf } = objectIn(Transcription)
    assert.isTrue(isList(anyOf) && anyOf.length === 3)
    assert.strictEqual(objectIn(discriminator).propertyName, "status")
    assert.sameMembers(Object.values(objectIn(objectIn(discriminator).mapping)), [
      ...references(anyOf ?? null),
    ])
  })

  it("has the events that are sent, each with a body that is one", () => {
    const webhooks = objectIn(document.webhooks)
    assert.sameMembers(Object.keys(webhooks), [...EventType.literals])
    for (const [type, webhook] of Object.entries(webhooks)) {
      const body = objectIn(objectIn(objectIn(webhook).post).requestBody)
      const { example } = objectIn(objectIn(body.content)["application/json"])
      assert.isTrue(decodes(Event, example), type)
      assert.strictEqual(objectIn(example).type, type)
    }
  })

  it("shows an example of every body in JSON, and of every export that is text", () => {
    for (const { route, operation } of operations) {
      const answers = Object.entries(objectIn(operation.responses)).filter(([status]) => Number(status) < 300)
      const contents = [operation.requestBody, ...answers.map(([, answer]) => answer)].map(
        (body) => objectIn(body).content,
      )
      for (const [type, media] of contents.flatMap((content) => Object.entries(objectIn(content)))) {
        const { schema, example } = objectIn(media)
        if (objectIn(schema).format !== "binary") assert.isDefined(example, `${route} ${type}`)
      }
    }
  })

  it("has no word of the library it is made with", () => {
    assert.notMatch(JSON.stringify(document), /HttpApi|a DateTime|between\(|maxLength\(/)
  })

  it("has the schema of every problem code that an answer can have", () => {
    assert.deepStrictEqual(Object.keys(PROBLEM_STATUS).sort(), Object.keys(PROBLEM_TITLES).sort())
    const schemas = JSON.stringify(objectIn(document.components).schemas)
    // Answered only where there is no operation.
    const elsewhere = ["method_not_allowed"]
    for (const code of ProblemCode.literals.filter((each) => !elsewhere.includes(each)))
      assert.include(schemas, `"const":"${code}"`)
  })
})

describe("examples", () => {
  const seen: Array<string> = []

  HttpApi.reflect(EarmarkApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, payloads, successes }) => {
      const id = `${group.identifier}.${endpoint.name}`
      const example = examples[id]
      if (example === undefined) return
      seen.push(id)
      it(`of ${id} are what is sent and answered`, () => {
        const payload = payloads.get("application/json")
        if (example.request !== undefined || payload !== undefined) {
          assert.isDefined(payload)
          assert.isTrue(
            payload !== undefined && decodes(Schema.make(payload.ast), example.request),
            "request",
          )
        }
        for (const [status, answer] of Object.entries(example.answers ?? {})) {
          const ast = Option.getOrThrow(successes.get(Number(status))?.ast ?? Option.none())
          assert.isTrue(decodes(Schema.make(ast), answer), status)
        }
      })
    },
  })

  it("are of operations that there are", () => {
    assert.deepStrictEqual([...seen].sort(), Object.keys(examples).sort())
  })
})
