import { readFileSync } from "node:fs"
import { operations } from "@earmark/core/operations"
import { SCOPE_SENTENCES } from "@earmark/core/scopes"
import { assert, describe, it } from "@effect/vitest"
import { consentPage } from "../src/pages/consentPage.js"
import { APP_SCOPES } from "../src/scopes.js"

const guide = readFileSync(new URL("../../../docs/guides/sign-in-for-agents.md", import.meta.url), "utf8")

/** What a person would want to know of before: each verb is an operation of that scope. */
const GRANTED = [
  ["Publish a transcript", "publish"],
  ["Correct a transcript", "correct"],
  ["Delete a transcription", "delete"],
  ["Cancel a transcription", "cancel"],
  ["Begin an upload", "upload"],
  ["Make a link to the recording", "links"],
  ["List purchases", "purchases"],
  ["Get usage", "usage"],
] as const

describe("the consent page", () => {
  it("says everything that is granted, in the words of the guide", () => {
    const { html } = consentPage({
      client: { name: "App", redirectUri: "https://app.example/callback", document: null },
      isLocal: false,
      account: "Ann",
      isTest: false,
      asked: APP_SCOPES,
      given: [],
      csrf: "x",
    })
    for (const scope of APP_SCOPES) {
      assert.include(html, `<li>${SCOPE_SENTENCES[scope]}</li>`)
      assert.include(guide, `| \`${scope}\` | ${SCOPE_SENTENCES[scope]} |`)
    }
    const all = Object.values(operations)
    for (const [summary, verb] of GRANTED) {
      const scope = APP_SCOPES.find((each) =>
        all.some((operation) => operation.summary === summary && operation.scope === each),
      )
      assert.isDefined(scope, summary)
      if (scope !== undefined) assert.include(SCOPE_SENTENCES[scope], verb)
    }
  })
})
