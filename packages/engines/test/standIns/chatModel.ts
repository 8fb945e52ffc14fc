/** A model without a mind behind the protocol of chat completions: it does what it is told, by rule. */
import type { ServerResponse } from "node:http"
import { Schema } from "effect"
import { type Asked, bodyAs, type Reply } from "./jsonServer.js"
import { sendJson } from "./transcriptionServer.js"

const Format = Schema.Struct({
  type: Schema.String,
  json_schema: Schema.optional(
    Schema.Struct({
      name: Schema.String,
      strict: Schema.Boolean,
      schema: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
    }),
  ),
})

/** Every member that a request may have: what else comes, comes in no test. */
const ChatRequest = Schema.Struct({
  model: Schema.optional(Schema.String),
  messages: Schema.Array(Schema.Struct({ role: Schema.String, content: Schema.String })),
  stream: Schema.Boolean,
  temperature: Schema.optional(Schema.Number),
  max_tokens: Schema.optional(Schema.Number),
  max_completion_tokens: Schema.optional(Schema.Number),
  response_format: Schema.optional(Format),
}).annotations({ parseOptions: { onExcessProperty: "error" } })

export const chatOf = (asked: Pick<Asked, "text">) => bodyAs(ChatRequest)(asked)

const Row = Schema.parseJson(Schema.Array(Schema.Unknown))

/** The rows of the data, as the user message brings them. */
export const rowsOf = (asked: Pick<Asked, "text">): ReadonlyArray<ReadonlyArray<unknown>> => {
  const content = chatOf(asked).messages[1]?.content ?? ""
  return content
    .split("\n")
    .slice(1, -1)
    .map((row) => Schema.decodeSync(Row)(row))
}

/** The numbers at the head of each row. */
export const numbersOf = (asked: Pick<Asked, "text">): ReadonlyArray<number> =>
  rowsOf(asked).map(([head]) => Number(Array.isArray(head) ? head[0] : head))

const taskOf = (system: string): "summary" | "chapters" | "translation" => {
  if (system.startsWith("You summarize")) return "summary"
  return system.startsWith("You divide") ? "chapters" : "translation"
}

/** What a willing model answers. */
export const answerTo = (asked: Asked): object => {
  const rows = rowsOf(asked)
  const numbers = numbersOf(asked)
  const task = taskOf(chatOf(asked).messages[0]?.content ?? "")
  if (task === "translation")
    return { translations: rows.map(([line, text]) => ({ line, text: `«${String(text)}»` })) }
  const ends = [numbers[0], numbers.at(-1)].filter((id, at, all) => at === 0 || id !== all[0])
  if (task === "summary")
    return { sentences: ends.map((id) => ({ text: `Line ${id} was said.`, lines: [id] })) }
  return {
    chapters: ends.map((id) => ({ first_line: id, title: `From ${id}`, summary: `It goes on with ${id}.` })),
  }
}

/** As the protocol has it. */
export const sendContent = (
  response: ServerResponse,
  content: unknown,
  {
    reason = "stop",
    ...message
  }: { readonly reason?: string; readonly refusal?: string; readonly tool_calls?: unknown } = {},
) =>
  sendJson(response, 200, {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "stand-in",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content:
            typeof content === "string" || content === null || Array.isArray(content)
              ? content
              : JSON.stringify(content),
          ...message,
        },
        finish_reason: reason,
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  })

export const willing: Reply = (asked, response) => sendContent(response, answerTo(asked))
