import { openApiDocument } from "@earmark/api"
import { assert, describe, it } from "@effect/vitest"
import { breakingChanges } from "../../../.tools/breakingChanges.mjs"

const base = openApiDocument({ baseUrl: "https://api.example.com" })

/** The document after one thing was changed in it. */
const changed = (path: string, change: (inside: Record<string, unknown>) => void): unknown => {
  const next: unknown = JSON.parse(JSON.stringify(base))
  const inside = path.split(" ").reduce<unknown>((value, step) => {
    assert.isObject(value, path)
    return Object.entries(value ?? {}).find(([name]) => name === step)?.[1]
  }, next)
  assert.isObject(inside, path)
  if (typeof inside === "object" && inside !== null) change(Object.assign(inside))
  return next
}

const CREATE = "paths /api/v1/transcriptions post"
const REQUEST = "components schemas CreateTranscription properties"
const ANSWER = "components schemas DoneTranscription"

describe("a change of the wire", () => {
  it("of nothing breaks nothing", () => {
    assert.deepStrictEqual(breakingChanges(base, base), [])
  })

  const without = (name: string) => (inside: Record<string, unknown>) => {
    delete inside[name]
  }
  const withField = (name: string, value: unknown) => (inside: Record<string, unknown>) => {
    inside[name] = value
  }

  const breaking: ReadonlyArray<
    readonly [string, string, (inside: Record<string, unknown>) => void, RegExp]
  > = [
    ["an operation that is gone", "paths /api/v1/transcriptions", without("post"), /POST .*: it is gone/],
    ["another name of an operation", CREATE, withField("operationId", "x"), /called x, and was/],
    ["a key where none was needed", "paths /healthz get", withField("security", [{ apiKey: [] }]), /key now/],
    [
      "a parameter that is gone",
      "paths /api/v1/transcriptions get",
      withField("parameters", []),
      /query limit: it is gone/,
    ],
    [
      "a parameter that has to be given",
      "paths /healthz get",
      withField("parameters", [{ name: "x", in: "query", required: true, schema: {} }]),
      /query x: it has to be given now/,
    ],
    ["a field of a request that is gone", REQUEST, without("diarize"), /diarize: it is gone/],
    [
      "a field that has to be given",
      "components schemas CreateTranscription",
      withField("required", ["title"]),
      /title: it has to/,
    ],
    [
      "a smaller limit",
      `${REQUEST} title`,
      withField("maxLength", 20),
      /title: maxLength is 20, and was 300/,
    ],
    ["a new pattern", `${REQUEST} title`, withField("pattern", "^x"), /title: the pattern/],
    [
      "another type",
      `${REQUEST} title`,
      withField("type", "integer"),
      /title: it is integer, and was string/,
    ],
    [
      "null refused where it was taken",
      `${REQUEST} title`,
      withField("type", "string"),
      /title: it is string, and was null/,
    ],
    ["a success that is gone", `${CREATE} responses`, without("202"), /no longer answers 202/],
    [
      "a header that is gone",
      `${CREATE} responses 202 headers`,
      without("Idempotent-Replayed"),
      /header Idempotent-Replayed/,
    ],
    ["a field of an answer that is gone", `${ANSWER} properties`, without("text"), /text: it is gone/],
    [
      "a field of an answer that may be missing",
      ANSWER,
      withField("required", []),
      /text: it may be missing/,
    ],
    [
      "an answer that may be null",
      `${ANSWER} properties text`,
      withField("type", ["string", "null"]),
      /text: it may be null/,
    ],
    [
      "another status of a problem",
      "components schemas NotFoundProblem properties status",
      withField("const", 410),
      /NotFoundProblem\/status: the value 404 is gone/,
    ],
    ["a problem that is gone", "components schemas", without("NotFoundProblem"), /NotFoundProblem is gone/],
  ]
  for (const [name, path, change, sentence] of breaking) {
    it(`breaks: ${name}`, () => {
      const sentences = breakingChanges(base, changed(path, change))
      assert.isTrue(
        sentences.some((each) => sentence.test(each)),
        sentences.join("\n") || "nothing broke",
      )
    })
  }

  const additive: ReadonlyArray<readonly [string, string, (inside: Record<string, unknown>) => void]> = [
    ["an operation", "paths", withField("/api/v1/new", { get: { operationId: "x.y", responses: {} } })],
    ["an optional field of a request", REQUEST, withField("shelf", { type: "string" })],
    ["a field of an answer", `${ANSWER} properties`, withField("shelf", { type: "string" })],
    [
      "a field that need not be given any more",
      "components schemas UploadRequest",
      withField("required", []),
    ],
    ["a greater limit", `${REQUEST} title`, withField("maxLength", 900)],
    ["no limit", `${REQUEST} title`, without("maxLength")],
    [
      "one more value that is taken",
      `${REQUEST} quality`,
      withField("anyOf", [{ type: "string", enum: ["fast", "accurate", "best"] }, { type: "null" }]),
    ],
    [
      "one more value that is answered",
      `${ANSWER} properties origin`,
      withField("enum", ["engine", "captions", "cache", "human"]),
    ],
    ["one more status", `${CREATE} responses`, withField("418", { description: "Tea." })],
    ["other words", CREATE, withField("description", "Other words.")],
  ]
  for (const [name, path, change] of additive) {
    it(`breaks nothing: ${name}`, () => {
      assert.deepStrictEqual(breakingChanges(base, changed(path, change)), [])
    })
  }
})
