import { Effect } from "effect"
import { problemReply } from "../answers/Reply.js"
import type { Route } from "./Route.js"

/** What lets players and pages of any site load an answer. It is for what needs no key and no cookie. */
const FOR_ANY_ORIGIN = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag, Request-Id",
  "Cross-Origin-Resource-Policy": "cross-origin",
} as const

/** An open route whose answers and refusals any site may read. */
export const forAnyOrigin = (route: Route): Route => {
  const { answer } = route
  if (answer.type !== "open") return route
  return {
    ...route,
    answer: {
      type: "open",
      reply: (arrived) =>
        Effect.map(answer.reply(arrived), (reply) => ({
          ...reply,
          headers: { ...reply.headers, ...FOR_ANY_ORIGIN },
        })),
    },
    refusalReply: (refusal, facts) => {
      const reply = problemReply(refusal, facts)
      return { ...reply, headers: { ...reply.headers, ...FOR_ANY_ORIGIN } }
    },
  }
}
