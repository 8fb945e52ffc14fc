import { SCOPE_SENTENCES } from "@earmark/core/scopes"
import { escapeMarkup } from "@earmark/core/xml"
import type { AppScope } from "../scopes.js"
import { clientFacts, isLoopback, leadsTo, type ShownClient } from "./client.js"
import { type Page, pageOf } from "./frame.js"

export interface ConsentPage {
  readonly client: ShownClient
  /** Whether every address of the client leads back to the computer that asks: any program there can be it. */
  readonly isLocal: boolean
  readonly account: string
  readonly isTest: boolean
  /** What it asks for and has not yet. */
  readonly asked: ReadonlyArray<AppScope>
  /** What it has been given before. */
  readonly given: ReadonlyArray<AppScope>
  readonly csrf: string
}

const list = (scopes: ReadonlyArray<AppScope>): string =>
  `<ul>${scopes.map((scope) => `<li>${escapeMarkup(SCOPE_SENTENCES[scope])}</li>`).join("")}</ul>`

const question = ({ client, asked, given }: ConsentPage): string => {
  const name = escapeMarkup(client.name)
  if (asked.length === 0) return `<h1>${name} asks to go on using your account</h1>`
  return given.length === 0
    ? `<h1>${name} asks for access to your account</h1>`
    : `<h1>${name} asks for more access to your account</h1>`
}

const warnings = ({ client, isLocal, isTest }: ConsentPage): string =>
  [
    ...(isLocal && isLoopback(new URL(client.redirectUri))
      ? [
          "Anybody can use this name. Allow it only if you have just asked a program on this computer to connect.",
        ]
      : []),
    ...(isTest
      ? ["You signed in with a test key: transcriptions of this app are scripted and cost nothing."]
      : []),
  ]
    .map((sentence) => `<p class="warn">${sentence}</p>`)
    .join("")

/** Asks whether an app may do something with an account. */
export const consentPage = (page: ConsentPage): Page => {
  const { client, account, asked, given, csrf } = page
  const token = `<input type="hidden" name="csrf" value="${escapeMarkup(csrf)}">`
  const asks = asked.length === 0 ? "" : `<p>It would be able to:</p>${list(asked)}`
  const has = given.length === 0 ? "" : `<p class="soft">It already can:</p>${list(given)}`
  return pageOf({
    title: "Allow access",
    leadsTo: leadsTo(client.redirectUri),
    body: `${question(page)}${warnings(page)}${asks}${has}<dl>${clientFacts(client)}<dt>Your account</dt><dd>${escapeMarkup(account)}</dd></dl><form method="post">${token}<div class="two"><button name="action" value="allow">Allow</button><button class="second" name="action" value="deny">Deny</button></div></form><form method="post">${token}<p class="soft">Not your account? <button class="link" name="action" value="switch">Sign in as somebody else</button></p></form>`,
  })
}
