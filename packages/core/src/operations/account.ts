import { WhoCalls } from "./answers.js"
import { operation } from "./Operation.js"

export const account = {
  "account.get": operation({
    method: "GET",
    path: "/api/v1/account",
    scope: null,
    rate: "read",
    summary: "Get the account",
    description: "Whom a key or a session acts for, what it may do, and what can be had on this server.",
    answers: { 200: WhoCalls },
  }),
} as const
