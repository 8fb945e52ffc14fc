/** What the conformance suite calls: tools, resources and prompts that do nothing else. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { type Change, nothingServed, type Served, type ServedTool } from "@earmark/mcp"
import {
  type CallToolResult,
  inputRequired,
  inputResponse,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server"

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="

const text = (value: string): CallToolResult => ({ content: [{ type: "text", text: value }] })

type Call = ServedTool["call"]

const tool = (
  name: string,
  call: Call,
  properties: object = {},
  required: Array<string> = [],
): ServedTool => ({
  definition: {
    name,
    description: `Fixture ${name}.`,
    inputSchema: { type: "object", properties: { ...properties }, required },
  },
  scopes: [],
  call,
})

const TEXT = { type: "string", description: "Text." }

const log = ({ mcpReq }: ServerContext, message: string) => mcpReq.log("info", message)

const progress = ({ mcpReq }: ServerContext, value: number) => {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return Promise.resolve()
  return mcpReq.notify({
    method: "notifications/progress",
    params: { progressToken, progress: value, total: 100 },
  })
}

const form = (message: string, properties: object, required: Array<string> = Object.keys(properties)) => ({
  message,
  requestedSchema: { type: "object" as const, properties: { ...properties }, required },
})

const ask = async ({ mcpReq }: ServerContext, asked: ReturnType<typeof form>, says: string) => {
  const { action, content } = await mcpReq.elicitInput(asked)
  return text(`${says} action=${action}, content=${JSON.stringify(content ?? {})}`)
}

const options = [1, 2, 3].map((number) => `option${number}`)
const titled = ["First", "Second", "Third"].map((name, index) => ({
  const: `value${index + 1}`,
  title: `${name} Option`,
}))

const ENUMS = {
  untitledSingle: { type: "string", enum: options },
  titledSingle: { type: "string", oneOf: titled },
  legacyEnum: {
    type: "string",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: { type: "array", items: { type: "string", enum: options } },
  titledMulti: { type: "array", items: { anyOf: titled } },
}

const DEFAULTS = {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
}

const sign = (state: string) =>
  `${state}.${createHmac("sha256", "fixture").update(state).digest("base64url")}`

/** The state that came back; refused when somebody has changed it. */
const stateOf = ({ mcpReq }: ServerContext): string | undefined => {
  const given = mcpReq.requestState<string>()
  if (given === undefined) return undefined
  const state = given.slice(0, given.lastIndexOf("."))
  const [right, mine] = [Buffer.from(sign(state)), Buffer.from(given)]
  if (right.length === mine.length && timingSafeEqual(right, mine)) return state
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The state is not ours")
}

const name = { name: { type: "string" as const } }
const elicitName = inputRequired.elicit(form("What is your name?", name))
const sample = (question: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: question } }],
    maxTokens,
  })

const answerTo = ({ mcpReq }: ServerContext, key: string) => inputResponse(mcpReq.inputResponses, key)

const declared = ({ mcpReq }: ServerContext, capability: string): boolean => {
  const [, capabilities] =
    Object.entries(mcpReq.envelope ?? {}).find(([key]) => key.endsWith("/clientCapabilities")) ?? []
  return typeof capabilities === "object" && capabilities !== null && capability in capabilities
}

const askName: Call = async (_args, context) => {
  const answer = answerTo(context, "user_name")
  return answer.kind === "elicit" && typeof answer.content?.name === "string"
    ? text(`Hello, ${answer.content.name}!`)
    : inputRequired({ inputRequests: { user_name: elicitName } })
}

const confirm = inputRequired.elicit(form("Please confirm", { ok: { type: "boolean" } }))

const withState: Call = async (_args, context) => {
  const state = stateOf(context)
  return state === "one" && answerTo(context, "confirm").kind === "elicit"
    ? text("state-ok")
    : inputRequired({ inputRequests: { confirm }, requestState: sign("one") })
}

const inRounds: Call = async (_args, context) => {
  const state = stateOf(context)
  if (state === "two" && answerTo(context, "step2").kind === "elicit") return text("Both steps are done")
  if (state === "one" && answerTo(context, "step1").kind === "elicit") {
    const step2 = inputRequired.elicit(
      form("Step 2: What is your favorite color?", { color: { type: "string" } }),
    )
    return inputRequired({ inputRequests: { step2 }, requestState: sign("two") })
  }
  const step1 = inputRequired.elicit(form("Step 1: What is your name?", name))
  return inputRequired({ inputRequests: { step1 }, requestState: sign("one") })
}

const manyInputs: Call = async (_args, context) => {
  const asked = {
    user_name: elicitName,
    greeting: sample("Generate a greeting", 50),
    client_roots: inputRequired.listRoots(),
  }
  const isAnswered = Object.keys(asked).every((key) => answerTo(context, key).kind !== "missing")
  return stateOf(context) === "many" && isAnswered
    ? text("All answers are there")
    : inputRequired({ inputRequests: asked, requestState: sign("many") })
}

const asFarAsDeclared: Call = async (_args, context) => {
  if (Object.keys(context.mcpReq.inputResponses ?? {}).length > 0) return text("Thanks")
  const inputRequests = {
    ...(declared(context, "elicitation") && { user_name: elicitName }),
    ...(declared(context, "sampling") && { capital_question: sample("What is the capital of France?", 100) }),
  }
  return Object.keys(inputRequests).length === 0
    ? text("Nothing can be asked")
    : inputRequired({ inputRequests })
}

const modernTools = [
  tool("test_input_required_result_elicitation", askName),
  tool("test_input_required_result_sampling", async (_args, context) =>
    answerTo(context, "capital_question").kind === "sampling"
      ? text(`The answer: ${JSON.stringify(answerTo(context, "capital_question"))}`)
      : inputRequired({ inputRequests: { capital_question: sample("What is the capital of France?", 100) } }),
  ),
  tool("test_input_required_result_list_roots", async (_args, context) => {
    const answer = answerTo(context, "client_roots")
    return answer.kind === "roots"
      ? text(`Roots: ${answer.roots.map(({ uri }) => uri).join(", ")}`)
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  }),
  tool("test_input_required_result_request_state", withState),
  tool("test_input_required_result_tampered_state", withState),
  tool("test_input_required_result_multi_round", inRounds),
  tool("test_input_required_result_multiple_inputs", manyInputs),
  tool("test_input_required_result_capabilities", asFarAsDeclared),
  tool("test_streaming_elicitation", askName),
  tool("test_missing_capability", async (_args, context) => {
    if (!declared(context, "sampling")) {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    }
    return text("Sampling is declared")
  }),
  tool("test_logging_tool", async (_args, context) => {
    await log(context, "A message of the tool")
    return text("Logged")
  }),
]

/** A fixture that `tell`s of changes, for an account. */
export const fixtures = (tell: (change: Change) => void, account: string): Served => ({
  ...nothingServed,
  tools: [
    tool("test_simple_text", async () => text("This is a simple text response for testing.")),
    tool("test_image_content", async () => ({
      content: [{ type: "image", data: PNG, mimeType: "image/png" }],
    })),
    tool("test_audio_content", async () => ({
      content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }],
    })),
    tool("test_embedded_resource", async () => ({
      content: [
        {
          type: "resource",
          resource: {
            uri: "test://embedded-resource",
            mimeType: "text/plain",
            text: "This is an embedded resource content.",
          },
        },
      ],
    })),
    tool("test_multiple_content_types", async () => ({
      content: [
        { type: "text", text: "Multiple content types test:" },
        { type: "image", data: PNG, mimeType: "image/png" },
        {
          type: "resource",
          resource: {
            uri: "test://mixed-content-resource",
            mimeType: "application/json",
            text: JSON.stringify({ test: "data", value: 123 }),
          },
        },
      ],
    })),
    tool("test_error_handling", async () => ({
      ...text("This tool intentionally returns an error for testing"),
      isError: true,
    })),
    tool("test_tool_with_logging", async (_args, context) => {
      await log(context, "Tool execution started")
      await pause(50)
      await log(context, "Tool processing data")
      await pause(50)
      await log(context, "Tool execution completed")
      return text("Done")
    }),
    tool("test_tool_with_progress", async (_args, context) => {
      for (const value of [0, 50, 100]) {
        await progress(context, value)
        await pause(50)
      }
      return text("Done")
    }),
    tool(
      "test_sampling",
      async ({ prompt }, { mcpReq }) => {
        const { content } = await mcpReq.requestSampling({
          messages: [{ role: "user", content: { type: "text", text: String(prompt) } }],
          maxTokens: 100,
        })
        return text(`LLM response: ${JSON.stringify(content)}`)
      },
      { prompt: TEXT },
      ["prompt"],
    ),
    tool(
      "test_elicitation",
      ({ message }, context) =>
        ask(context, form(String(message), { username: TEXT, email: TEXT }), "User response:"),
      { message: TEXT },
      ["message"],
    ),
    tool("test_elicitation_sep1034_defaults", (_args, context) =>
      ask(context, form("Please review", DEFAULTS, []), "Elicitation completed:"),
    ),
    tool("test_elicitation_sep1330_enums", (_args, context) =>
      ask(context, form("Please choose", ENUMS, []), "Elicitation completed:"),
    ),
    tool("test_reconnection", async (_args, { http }) => {
      http?.closeSSE?.()
      await pause(100)
      return text("Reconnected")
    }),
    tool("test_trigger_tool_change", async () => {
      tell({ account, kind: "tools" })
      return text("Told")
    }),
    tool("test_trigger_prompt_change", async () => {
      tell({ account, kind: "prompts" })
      return text("Told")
    }),
    {
      ...tool("json_schema_2020_12_tool", async () => text("Done")),
      definition: {
        name: "json_schema_2020_12_tool",
        description: "Tool with JSON Schema 2020-12 features",
        inputSchema: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          $defs: {
            address: {
              $anchor: "addressDef",
              type: "object",
              properties: { street: { type: "string" }, city: { type: "string" } },
            },
          },
          properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
          allOf: [{ anyOf: [{ required: ["name"] }, { required: ["address"] }] }],
          if: { properties: { name: { const: "x" } }, required: ["name"] },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: { required: ["address"] },
          else: {},
          additionalProperties: false,
        },
      },
    },
    ...modernTools,
  ],
  resources: [
    {
      definition: {
        uri: "test://static-text",
        name: "static-text",
        description: "Static text.",
        mimeType: "text/plain",
      },
      read: async (uri) => ({
        contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }],
      }),
    },
    {
      definition: {
        uri: "test://static-binary",
        name: "static-binary",
        description: "Static picture.",
        mimeType: "image/png",
      },
      read: async (uri) => ({ contents: [{ uri, mimeType: "image/png", blob: PNG }] }),
    },
    {
      definition: {
        uri: "test://watched-resource",
        name: "watched",
        description: "Watched.",
        mimeType: "text/plain",
      },
      read: async (uri) => ({ contents: [{ uri, mimeType: "text/plain", text: "Watched." }] }),
    },
  ],
  families: [
    {
      templates: [
        {
          uriTemplate: "test://template/{id}/data",
          name: "template",
          description: "A template.",
          mimeType: "application/json",
        },
      ],
      list: async () => ({ resources: [] }),
      read: (uri) => {
        const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
        if (id === undefined) return null
        const value = { id, templateTest: true, data: `Data for ID: ${id}` }
        return Promise.resolve({
          contents: [{ uri, mimeType: "application/json", text: JSON.stringify(value) }],
        })
      },
    },
  ],
  prompts: [
    {
      definition: { name: "test_simple_prompt", description: "A simple prompt." },
      get: async () => ({
        messages: [{ role: "user", content: { type: "text", text: "This is a simple prompt for testing." } }],
      }),
    },
    {
      definition: {
        name: "test_prompt_with_arguments",
        description: "A prompt with arguments.",
        arguments: [
          { name: "arg1", description: "First test argument", required: true },
          { name: "arg2", description: "Second test argument", required: true },
        ],
      },
      get: async ({ arg1, arg2 }) => ({
        messages: [
          {
            role: "user",
            content: { type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` },
          },
        ],
      }),
    },
    {
      definition: {
        name: "test_prompt_with_embedded_resource",
        description: "A prompt with a resource.",
        arguments: [{ name: "resourceUri", description: "URI of the resource to embed", required: true }],
      },
      get: async ({ resourceUri = "" }) => ({
        messages: [
          {
            role: "user",
            content: {
              type: "resource",
              resource: {
                uri: resourceUri,
                mimeType: "text/plain",
                text: "Embedded resource content for testing.",
              },
            },
          },
          { role: "user", content: { type: "text", text: "Please process the embedded resource above." } },
        ],
      }),
    },
    {
      definition: { name: "test_prompt_with_image", description: "A prompt with a picture." },
      get: async () => ({
        messages: [
          { role: "user", content: { type: "image", data: PNG, mimeType: "image/png" } },
          { role: "user", content: { type: "text", text: "Please analyze the image above." } },
        ],
      }),
    },
    {
      definition: { name: "test_input_required_result_prompt", description: "A prompt that asks first." },
      get: async (_args, context) => {
        const answer = answerTo(context, "user_context")
        return answer.kind === "elicit"
          ? {
              messages: [
                {
                  role: "user",
                  content: { type: "text", text: `Context: ${JSON.stringify(answer.content)}` },
                },
              ],
            }
          : inputRequired({
              inputRequests: {
                user_context: inputRequired.elicit(
                  form("What context should the prompt use?", { context: { type: "string" } }),
                ),
              },
            })
      },
    },
  ],
})
