import { escapeMarkup } from "@earmark/core/xml"
import type { SignInField } from "@earmark/service"
import { clientFacts, leadsTo, type ShownClient } from "./client.js"
import { type Page, pageOf } from "./frame.js"

export interface SignInPage {
  readonly client: ShownClient
  readonly csrf: string
  readonly explanation: string
  readonly fields: ReadonlyArray<SignInField>
  /** Why it did not work the last time. */
  readonly problem: string | null
}

const field =
  (hasProblem: boolean) =>
  ({ name, label, kind }: SignInField) => {
    const problem = hasProblem ? ' aria-invalid="true" aria-describedby="problem"' : ""
    return `<label for="${escapeMarkup(name)}">${escapeMarkup(label)}</label><input id="${escapeMarkup(name)}" name="${escapeMarkup(name)}" type="${kind === "secret" ? "password" : "text"}" required autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="512"${problem}>`
  }

/** Asks who somebody is. Nothing of what was sent before is in it. */
export const signInPage = ({ client, csrf, explanation, fields, problem }: SignInPage): Page =>
  pageOf({
    title: "Sign in",
    status: problem === null ? 200 : 400,
    leadsTo: leadsTo(client.redirectUri),
    body: `<h1>Sign in to continue to ${escapeMarkup(client.name)}</h1>${
      problem === null ? "" : `<p class="warn" id="problem" role="alert">${escapeMarkup(problem)}</p>`
    }<p class="soft">${escapeMarkup(explanation)}</p><form method="post"><input type="hidden" name="csrf" value="${escapeMarkup(csrf)}">${fields
      .map(field(problem !== null))
      .join(
        "",
      )}<button name="action" value="sign_in">Sign in</button><button class="second" name="action" value="deny" formnovalidate>Cancel</button></form><dl>${clientFacts(client)}</dl>`,
  })

/** Offers to go on at the site where people sign in. */
export const elsewherePage = (client: ShownClient, csrf: string, problem: string): Page =>
  pageOf({
    title: "Sign in",
    status: 400,
    leadsTo: leadsTo(client.redirectUri),
    body: `<h1>You are not signed in</h1><p class="warn" role="alert">${escapeMarkup(problem)}</p><form method="post"><input type="hidden" name="csrf" value="${escapeMarkup(csrf)}"><button name="action" value="again">Try again</button><button class="second" name="action" value="deny">Cancel</button></form><dl>${clientFacts(client)}</dl>`,
  })
