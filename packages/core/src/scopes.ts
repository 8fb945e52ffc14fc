import type { Scope } from "./wire/accounts.js"

/** What each scope allows, in the words of every page that asks a person to grant it. */
export const SCOPE_SENTENCES: Readonly<Record<Scope, string>> = {
  "transcriptions:read":
    "Read, search and export transcripts, play their recordings, and make links to both that expire",
  "transcriptions:write":
    "Start and cancel transcriptions and upload media, which costs credits; correct, rename and delete transcripts; publish them at addresses that anyone can open",
  webhooks: "Add, change and delete webhook endpoints, and see what was sent to them",
  "billing:read": "See credits, usage and purchases",
  "billing:write": "Buy credits and change auto-reload",
  keys: "Create and revoke API keys, and revoke the access of apps",
}
