import { PageQuery } from "../wire/index.js"
import { GrantPage } from "./answers.js"
import { operation } from "./Operation.js"

export const grants = {
  "grants.list": operation({
    method: "GET",
    path: "/api/v1/grants",
    scope: "keys",
    rate: "read",
    summary: "List the apps that may act for the account",
    description: "Those that a person let in, such as assistants, with what each may do.",
    query: PageQuery,
    answers: { 200: GrantPage },
  }),

  "grants.revoke": operation({
    method: "DELETE",
    path: "/api/v1/grants/:id",
    scope: "keys",
    rate: "read",
    needsFreshSignIn: true,
    summary: "Revoke what an app may do",
    description: "Its tokens open nothing from now on. It can ask to be let in again.",
    answers: { 204: null },
    problems: ["not_found"],
  }),
} as const
