import type { ServerTrouble } from "./readCompletion.js"

/** What a request says beside the messages. Servers differ in what they know of it. */
export interface RequestShape {
  readonly format: "json_schema" | "json_object" | "text"
  readonly limit: "max_tokens" | "max_completion_tokens" | "none"
  readonly hasTemperature: boolean
}

/** The richest; less is asked for once a server refuses it. */
export const firstShape: RequestShape = { format: "json_schema", limit: "max_tokens", hasTemperature: true }

const lessFormat = { json_schema: "json_object", json_object: "text", text: null } as const
const lessLimit = { max_tokens: "max_completion_tokens", max_completion_tokens: "none", none: null } as const

/** What to ask for after a refusal: without what the server names, or else with the next plainer format; null when nothing is left. */
export const concede = (shape: RequestShape, { message, param }: ServerTrouble): RequestShape | null => {
  const named = `${param} ${message}`
  const limit = /max_(?:completion_)?tokens/.test(named) ? lessLimit[shape.limit] : null
  if (limit !== null) return { ...shape, limit }
  if (/temperature/.test(named) && shape.hasTemperature) return { ...shape, hasTemperature: false }
  const format = lessFormat[shape.format]
  return format === null ? null : { ...shape, format }
}

interface Asked {
  readonly model: string | undefined
  readonly name: string
  readonly system: string
  readonly user: string
  readonly schema: object
  readonly answerTokens: number
}

const formatOf = ({ format }: RequestShape, { name, schema }: Asked) => {
  if (format === "text") return {}
  if (format === "json_object") return { response_format: { type: "json_object" } }
  return { response_format: { type: "json_schema", json_schema: { name, strict: true, schema } } }
}

/** A request in the protocol of chat completions: instructions and data in roles of their own, no tools. */
export const bodyOf = (asked: Asked, shape: RequestShape): object => ({
  ...(asked.model === undefined ? {} : { model: asked.model }),
  messages: [
    { role: "system", content: asked.system },
    { role: "user", content: asked.user },
  ],
  stream: false,
  ...(shape.hasTemperature ? { temperature: 0 } : {}),
  ...(shape.limit === "none" ? {} : { [shape.limit]: asked.answerTokens }),
  ...formatOf(shape, asked),
})
