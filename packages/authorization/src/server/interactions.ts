import { createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type Provider from "oidc-provider"
import type { ShownClient } from "../pages/client.js"
import { isLoopback } from "../pages/client.js"
import { consentPage } from "../pages/consentPage.js"
import { errorPage } from "../pages/errorPage.js"
import { type Page, withWait } from "../pages/frame.js"
import { elsewherePage, signInPage } from "../pages/signInPage.js"
import { parseSubject } from "../Subject.js"
import { appScopesIn, OPENID } from "../scopes.js"
import { readText } from "./requests.js"
import type { NotSignedIn, ServerFacts } from "./ServerFacts.js"

type Interaction = Awaited<ReturnType<Provider["interactionDetails"]>>
type Client = NonNullable<Awaited<ReturnType<Provider["Client"]["find"]>>>
type Grant = InstanceType<Provider["Grant"]>

/** A browser that is asked something, and what it is asked about. */
interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly details: Interaction
  readonly client: Client
  readonly address: string
}

const send = (response: ServerResponse, { status, headers, html }: Page): void => {
  response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(html) })
  response.end(html)
}

const redirect = (response: ServerResponse, location: string): void => {
  response.writeHead(303, { Location: location, "Cache-Control": "no-store", "Content-Length": "0" })
  response.end()
}

const expired = errorPage(
  400,
  "This request to connect has expired, or was begun in another browser.",
  "session_not_found",
)

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const shownClient = ({ client, details }: Visit): ShownClient => ({
  name: text(client.clientName).trim() || "An app without a name",
  redirectUri: text(details.params.redirect_uri),
  document: client.clientId.startsWith("https://") ? client.clientId : null,
})

/** The texts of a list that may hold anything. */
const texts = (list: unknown): ReadonlyArray<string> =>
  Array.isArray(list) ? list.filter((each) => typeof each === "string") : []

const isFrom = (request: IncomingMessage, origin: string): boolean => {
  const site = request.headers["sec-fetch-site"]
  const from = request.headers.origin
  // Our pages send no referrer, so browsers say "null" for their forms.
  return (
    (site === undefined || site === "same-origin" || site === "none") &&
    (from === undefined || from === "null" || from === origin)
  )
}

/** What people see between an app's question and its answer: who they are, and whether they allow it. */
export const makeInteractions = (provider: Provider, facts: ServerFacts) => {
  const { issuer, resource } = facts.addresses
  const origin = new URL(issuer).origin

  const csrfOf = ({ uid, prompt }: Interaction): string =>
    createHmac("sha256", facts.keys.forms).update(`${uid} ${prompt.name}`).digest("base64url")

  const isOwnForm = (details: Interaction, given: string): boolean => {
    const expected = Buffer.from(csrfOf(details))
    const actual = Buffer.from(given)
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  }

  /** The app, or whoever wants to be somebody else, asks for a new sign-in: the site where people sign in asks them, too. */
  const attemptOf = ({ details }: Visit) =>
    ({
      id: details.uid,
      purpose: "app",
      returnTo: facts.addresses.signIn,
      isAgain: text(details.params.prompt).split(" ").includes("login"),
    }) as const

  const finish = (visit: Visit, result: Parameters<Provider["interactionFinished"]>[2], merge: boolean) =>
    provider.interactionFinished(visit.request, visit.response, result, { mergeWithLastSubmission: merge })

  const deny = (visit: Visit) =>
    finish(
      visit,
      { error: "access_denied", error_description: "The account did not allow the access." },
      false,
    )

  /** Whoever was signed in is not any more, and the question of the app is asked again; `prompt`: with that word added. */
  const startOver = async ({ details, response }: Visit, prompt: string | null = null) => {
    const uid = details.session?.uid
    const session = uid === undefined ? undefined : await provider.Session.findByUid(uid)
    await session?.destroy()
    await details.destroy()
    const again = new URLSearchParams()
    for (const [name, value] of Object.entries(details.params)) {
      if (name === "request_uri" || value === undefined || value === null) continue
      for (const each of Array.isArray(value) ? value : [value]) again.append(name, String(each))
    }
    if (prompt !== null) again.set("prompt", `${prompt} ${again.get("prompt") ?? ""}`.trim())
    redirect(response, `${issuer}/oauth/authorize?${again}`)
  }

  const showSignIn = async (visit: Visit, refusal: NotSignedIn | null) => {
    const problem = refusal?.message ?? null
    const wait = refusal?.retryAfterSeconds ?? null
    const step = await facts.signIn.begin(attemptOf(visit))
    const client = shownClient(visit)
    const csrf = csrfOf(visit.details)
    if (step.type === "form") {
      const { explanation, fields } = step
      send(visit.response, withWait(signInPage({ client, csrf, explanation, fields, problem }), wait))
    } else if (step.type === "refused") send(visit.response, elsewherePage(client, csrf, step.message))
    else if (problem !== null) send(visit.response, withWait(elsewherePage(client, csrf, problem), wait))
    else redirect(visit.response, step.url)
  }

  const signIn = async (visit: Visit, answers: Readonly<Record<string, string>>) => {
    const signed = await facts.signIn.finish(attemptOf(visit), answers, visit.address)
    if (signed.type === "refused") return showSignIn(visit, signed)
    return finish(visit, { login: { accountId: signed.subject, remember: true } }, false)
  }

  const grantOf = async ({ details, client }: Visit): Promise<Grant> => {
    const known = details.grantId === undefined ? undefined : await provider.Grant.find(details.grantId)
    const accountId = details.session?.accountId ?? ""
    return known ?? new provider.Grant({ accountId, clientId: client.clientId })
  }

  /** What is asked beyond what was given, and how much of it this account can give. */
  const askedOf = ({ details }: Visit) => {
    const missing: unknown = details.prompt.details.missingResourceScopes
    const ofResources = typeof missing === "object" && missing !== null ? Object.entries(missing) : []
    const subject = parseSubject(details.session?.accountId ?? "")
    const can = subject?.scopes ?? []
    const asked = appScopesIn(texts(ofResources.flatMap(([, list]) => list)).join(" "))
    return {
      // As the app writes it: with a slash behind it, it is the same.
      resources: ofResources.map(([name]) => name),
      isTest: subject?.isTest ?? false,
      possible: asked.filter((scope) => can.includes(scope)),
      impossible: asked.filter((scope) => !can.includes(scope)),
    }
  }

  const showConsent = async (visit: Visit) => {
    const subject = visit.details.session?.accountId ?? ""
    const account = await facts.accountName(subject)
    if (account === null) return startOver(visit)
    const { isTest, possible } = askedOf(visit)
    const grant = await grantOf(visit)
    const page = consentPage({
      client: shownClient(visit),
      isLocal: (visit.client.redirectUris ?? []).every((address) => isLoopback(new URL(address))),
      account,
      isTest,
      asked: possible,
      given: appScopesIn(grant.getResourceScope(resource)),
      csrf: csrfOf(visit.details),
    })
    send(visit.response, page)
  }

  const allow = async (visit: Visit) => {
    const grant = await grantOf(visit)
    const { resources, possible, impossible } = askedOf(visit)
    // The library asks for scopes that it knows by name twice: for itself, and for the resource.
    if (possible.length > 0) {
      grant.addOIDCScope(possible.join(" "))
      for (const each of resources) grant.addResourceScope(each, possible.join(" "))
    }
    // Or the library would ask for it again and again.
    grant.rejectOIDCScope([OPENID, ...impossible].join(" "))
    if (impossible.length > 0)
      for (const each of resources) grant.rejectResourceScope(each, impossible.join(" "))
    return finish(visit, { consent: { grantId: await grant.save() } }, true)
  }

  const answerForm = async (visit: Visit) => {
    const { request, details } = visit
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? "")
    const body = isForm ? await readText(request) : null
    const fields = Object.fromEntries(new URLSearchParams(body ?? ""))
    const { csrf = "", action = "", ...answers } = fields
    if (body === null || !isFrom(request, origin) || !isOwnForm(details, csrf)) {
      return send(visit.response, expired)
    }
    if (action === "deny") return deny(visit)
    if (details.prompt.name === "login") {
      return action === "sign_in" && facts.signIn.answeredBy === "form"
        ? signIn(visit, answers)
        : showSignIn(visit, null)
    }
    if (action === "switch") return startOver(visit, "login")
    return action === "allow" ? allow(visit) : showConsent(visit)
  }

  const show = (visit: Visit, isAnswer: boolean, query: string) => {
    const { details } = visit
    if (details.prompt.name !== "login") return showConsent(visit)
    // The app wants them to sign in again: as if nobody were signed in.
    if (details.session?.accountId !== undefined) return startOver(visit)
    return isAnswer && facts.signIn.answeredBy === "address"
      ? signIn(visit, Object.fromEntries(new URLSearchParams(query)))
      : showSignIn(visit, null)
  }

  /** Answers a browser at `/oauth/interaction/{uid}`, and at `.../answer` when another site sent it back. */
  return async (
    request: IncomingMessage,
    response: ServerResponse,
    { uid, isAnswer, query, address }: Place,
  ): Promise<void> => {
    const details = await provider.interactionDetails(request, response).catch(() => undefined)
    if (details === undefined || details.uid !== uid) return send(response, expired)
    const client = await provider.Client.find(text(details.params.client_id))
    if (client === undefined) return send(response, expired)
    const visit: Visit = { request, response, details, client, address }
    if (request.method === "POST" && !isAnswer) return answerForm(visit)
    return show(visit, isAnswer, query)
  }
}

interface Place {
  readonly uid: string
  readonly isAnswer: boolean
  readonly query: string
  readonly address: string
}
