import { Option, Schema } from "effect"

const Part = Schema.Struct({ text: Schema.optional(Schema.NullOr(Schema.String)) })

const Completion = Schema.Struct({
  choices: Schema.NonEmptyArray(
    Schema.Struct({
      finish_reason: Schema.optional(Schema.NullOr(Schema.String)),
      message: Schema.Struct({
        content: Schema.optional(Schema.NullOr(Schema.Union(Schema.String, Schema.Array(Part)))),
        refusal: Schema.optional(Schema.NullOr(Schema.String)),
      }),
    }),
  ),
})

const decode = Schema.decodeUnknownOption(Schema.parseJson(Completion))
const parse = Schema.decodeUnknownOption(Schema.parseJson())

/** How the model ended, and what it wrote. */
export interface Completed {
  readonly end: "whole" | "cut" | "declined"
  readonly content: string
}

/** The first choice of an answer to a chat; null when it is none. */
export const readCompletion = (body: string): Completed | null => {
  const completion = Option.getOrNull(decode(body))
  if (completion === null) return null
  const [{ finish_reason: reason, message }] = completion.choices
  const { content = "", refusal = "" } = message
  const text = typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("")
  const isDeclined = (refusal ?? "") !== "" || reason === "content_filter"
  return { end: isDeclined ? "declined" : reason === "length" ? "cut" : "whole", content: text }
}

const THOUGHTS = "</think>"

/** What a model thought aloud before its answer is no part of it. */
const withoutThoughts = (text: string): string => {
  const end = text.lastIndexOf(THOUGHTS)
  return end < 0 ? text : text.slice(end + THOUGHTS.length)
}

/** The JSON that an answer is, or has in a fence, or between other words. */
export const jsonIn = (content: string): Option.Option<unknown> => {
  const text = withoutThoughts(content).trim()
  const whole = parse(text)
  if (Option.isSome(whole)) return whole
  const from = text.indexOf("{")
  const to = text.lastIndexOf("}")
  return from < 0 || to < from ? Option.none() : parse(text.slice(from, to + 1))
}

const Trouble = Schema.Struct({
  message: Schema.optional(Schema.NullOr(Schema.String)),
  code: Schema.optional(Schema.NullOr(Schema.Union(Schema.String, Schema.Number))),
  type: Schema.optional(Schema.NullOr(Schema.String)),
  param: Schema.optional(Schema.NullOr(Schema.String)),
})

const decodeTrouble = Schema.decodeUnknownOption(
  Schema.parseJson(
    Schema.Union(Schema.Struct({ error: Trouble }), Schema.Struct({ error: Schema.String }), Trouble),
  ),
)

/** What a server says about a request that it refuses. */
export interface ServerTrouble {
  /** Short words without blanks: safe to tell, where the message may repeat what it was asked. */
  readonly code: string
  readonly message: string
  readonly param: string
}

const WORD = /^[\w.-]{1,60}$/

export const readTrouble = (body: string): ServerTrouble => {
  const told = Option.getOrElse(decodeTrouble(body), (): typeof Trouble.Type => ({
    message: body.slice(0, 2_000),
  }))
  const trouble =
    "error" in told ? (typeof told.error === "string" ? { message: told.error } : told.error) : told
  const { message, code, type, param } = { code: null, type: null, param: null, ...trouble }
  const words = [code, type].map((word) => `${word ?? ""}`).filter((word) => WORD.test(word))
  return { code: [...new Set(words)].join(", "), message: message ?? "", param: param ?? "" }
}
