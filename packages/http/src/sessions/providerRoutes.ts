/** Signing in to the console at a provider of OpenID Connect: to the provider, and back. */
import { createHash, randomBytes } from "node:crypto"
import { addressesOf, SIGN_IN_PATH } from "@earmark/authorization"
import { SIGN_INS } from "@earmark/core/requests"
import { counted } from "@earmark/core/text"
import { decodeRequest } from "@earmark/core/wire"
import { escapeMarkup } from "@earmark/core/xml"
import {
  FailedAttempts,
  type makeSessions,
  RateLimiter,
  type Session,
  SignIn,
  type SignInRefused,
  type StorageError,
  tooManyFailures,
  Unauthorized,
} from "@earmark/service"
import { Effect, Option, Schema } from "effect"
import { invalid, notFound, Refusal } from "../answers/Refusal.js"
import { jsonReply, type Reply } from "../answers/Reply.js"
import { htmlPage } from "../pages/page.js"
import type { Arrived } from "../requests/Arrived.js"
import { addressThrough } from "../requests/addressThrough.js"
import { readBody } from "../requests/readBody.js"
import { open, page } from "../routes/page.js"
import { browserOf } from "./browserOf.js"
import { cookieOf, setCookie } from "./cookie.js"
import { ATTEMPT_PREFIX } from "./isForConsole.js"
import { isFromConsole } from "./isFromConsole.js"

const PATH = "/api/v1/sign-in"

/** How long somebody may be at the provider. */
const SECONDS = 900

const START = "/console"

const readBegin = decodeRequest(
  Schema.Struct({
    returnTo: Schema.optional(Schema.String.pipe(Schema.maxLength(500))).pipe(Schema.fromKey("return_to")),
  }),
)

/** A place of the console, as a path with its query. Null for every other address: nobody is led elsewhere. */
const placeIn = (given: string, baseUrl: string): string | null => {
  if (!URL.canParse(given, baseUrl)) return null
  const { origin, pathname, search } = new URL(given, baseUrl)
  const isHere = pathname === START || pathname.startsWith(`${START}/`)
  return isHere && origin === new URL(baseUrl).origin ? pathname + search : null
}

/** The name of an attempt goes to the provider and back. Only the browser that began it has what the name is made of. */
const idOf = (value: string): string =>
  ATTEMPT_PREFIX + createHash("sha256").update(`sign-in ${value}`).digest("base64url")

const notSignedIn = (status: number, message: string, headers: Reply["headers"] = {}): Reply => {
  const found = htmlPage(
    "You are not signed in",
    `<main class="plain"><h1>You are not signed in</h1><p>${escapeMarkup(message)}</p><p><a href="${START}">Back to the console</a></p></main>`,
  )
  return { ...found, status, headers: { ...found.headers, ...headers } }
}

const NOT_BEGUN_HERE = "This sign-in was begun in another browser, or took longer than 15 minutes. Try again."

const notInConsole = invalid("#/return_to", "Give a path below /console.")

const tooMany = (seconds: number) =>
  new Refusal({
    code: "rate_limited",
    detail: `Too many sign-ins were begun from this address. Try again in ${counted(seconds, "second")}.`,
    headers: { "Retry-After": String(seconds) },
  })

const unavailable = ({ message }: SignInRefused) => new Refusal({ code: "unavailable", detail: message })

/** The place in a cookie, which a browser may have changed. */
const decodedPlace = (text: string): string => new URLSearchParams(`place=${text}`).get("place") ?? ""

interface BrowserSessions {
  readonly sessions: Effect.Effect.Success<typeof makeSessions>
  /** The name of their cookie; null where it would cross a network in the open. */
  readonly name: string | null
  /** The session that a browser is signed in with. */
  readonly currentOf: (arrived: Arrived) => Effect.Effect<Session | null, StorageError>
  /** Ends what the browser has been signed in with: each sign-in has a new id. */
  readonly endCurrent: (arrived: Arrived) => Effect.Effect<void, StorageError>
}

interface Facts {
  readonly baseUrl: string
  readonly proxies: number
  /** Whether people have keys here; the library of a machine has links alone. */
  readonly hasKeys: boolean
}

/** What a browser signs in with at a provider, where the server has one. */
export const providerRoutes = ({ baseUrl, proxies, hasKeys }: Facts, browser: BrowserSessions) =>
  Effect.gen(function* () {
    const attempts = yield* FailedAttempts
    const limiter = yield* RateLimiter
    const found = Option.getOrNull(yield* Effect.serviceOption(SignIn))
    const provider = found?.answeredBy === "address" && browser.name !== null ? found : null
    const cookie = `${browser.name}-sign-in`
    const returnTo = addressesOf(baseUrl).signIn

    const begin = Effect.fnUntraced(function* (arrived: Arrived) {
      if (!isFromConsole(arrived.request, baseUrl)) return yield* new Unauthorized()
      if (provider === null) return yield* notFound
      const bucket = `sign-in ${addressThrough(arrived.request, proxies)}`
      const { allowed, retryAfterSeconds } = yield* limiter.take(bucket, SIGN_INS)
      if (!allowed) return yield* tooMany(retryAfterSeconds)
      const { returnTo: wanted = START } = yield* readBegin(yield* readBody(arrived.request, true))
      const place = placeIn(wanted, baseUrl)
      if (place === null) return yield* notInConsole
      const value = randomBytes(32).toString("base64url")
      const isAgain = (yield* browser.currentOf(arrived)) !== null
      const step = yield* provider
        .begin({ id: idOf(value), purpose: "console", isAgain, returnTo })
        .pipe(Effect.catchTag("SignInRefused", unavailable))
      if (step.type !== "redirect") return yield* notFound
      const kept = { value: `${value}.${encodeURIComponent(place)}`, seconds: SECONDS }
      return jsonReply(200, { url: step.url }, { "Set-Cookie": setCookie(cookie, kept) })
    })

    const finish = Effect.fnUntraced(function* ({ request, query }: Arrived, { finish }: SignIn["Type"]) {
      const [value = "", place = ""] = (cookieOf(request, cookie) ?? "").split(".", 2)
      const answers = Object.fromEntries(new URLSearchParams(query))
      const id = idOf(value)
      if (answers.state !== id) return null
      const signed = yield* finish({ id, purpose: "console", returnTo }, answers)
      return { signed, place: placeIn(decodedPlace(place), baseUrl) ?? START }
    })

    const refuse = (message: string, { request }: Arrived) =>
      Effect.map(attempts.count(addressThrough(request, proxies)), (seconds) =>
        seconds === null
          ? notSignedIn(400, message)
          : notSignedIn(429, tooManyFailures(seconds), { "Retry-After": String(seconds) }),
      )

    const comeBack = (arrived: Arrived) =>
      Effect.gen(function* () {
        if (provider === null || browser.name === null) return yield* notFound
        const finished = yield* finish(arrived, provider)
        if (finished === null) return yield* refuse(NOT_BEGUN_HERE, arrived)
        const session = yield* browser.sessions.openFrom(
          finished.signed,
          provider.site ?? "a provider",
          browserOf(arrived.request),
        )
        yield* browser.endCurrent(arrived)
        const headers = { Location: finished.place, "Set-Cookie": setCookie(browser.name, session) }
        return { status: 303, headers, body: null }
      }).pipe(Effect.catchTag("SignInRefused", ({ message }) => refuse(message, arrived)))

    const site = provider === null ? null : { name: provider.site ?? null }
    return [
      open({ method: "GET", path: PATH }, () =>
        Effect.succeed(jsonReply(200, { provider: site, keys: hasKeys })),
      ),
      open({ method: "POST", path: PATH }, begin),
      page(SIGN_IN_PATH, comeBack),
    ]
  })
