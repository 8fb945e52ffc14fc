import { ApiKeyWithValue, CreateKey, PageQuery, PatchKey } from "../wire/index.js"
import { Key, KeyPage } from "./answers.js"
import { operation } from "./Operation.js"
import { BODY_PROBLEMS } from "./refusals.js"

export const keys = {
  "keys.list": operation({
    method: "GET",
    path: "/api/v1/keys",
    scope: "keys",
    rate: "read",
    summary: "List API keys",
    description: "Without their values.",
    query: PageQuery,
    answers: { 200: KeyPage },
  }),

  "keys.create": operation({
    method: "POST",
    path: "/api/v1/keys",
    scope: "keys",
    rate: "create",
    needsFreshSignIn: true,
    summary: "Make an API key",
    description:
      "`key` is shown once. A key has at most the scopes of the key that made it. With `monthly_credits` its jobs use at most so many credits in a calendar month (UTC); such a key cannot have the scope `keys`.",
    location: "/api/v1/keys/{id}",
    body: CreateKey,
    answers: { 201: ApiKeyWithValue },
    problems: [...BODY_PROBLEMS],
  }),

  "keys.update": operation({
    method: "PATCH",
    path: "/api/v1/keys/:id",
    scope: "keys",
    rate: "read",
    summary: "Change the name or the monthly limit of an API key",
    needsFreshSignIn: true,
    description:
      "What is left out stays as it is; so does what the key may do. A key with the scope `keys` has no limit, since it could make others.",
    body: PatchKey,
    answers: { 200: Key },
    problems: ["not_found", ...BODY_PROBLEMS],
  }),

  "keys.revoke": operation({
    method: "DELETE",
    path: "/api/v1/keys/:id",
    scope: "keys",
    rate: "read",
    needsFreshSignIn: true,
    summary: "Revoke an API key",
    description: "It stays listed. Revoking twice changes nothing.",
    answers: { 204: null },
    problems: ["not_found"],
  }),
} as const
