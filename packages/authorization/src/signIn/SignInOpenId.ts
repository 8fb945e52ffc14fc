/** People sign in where they always do: at a provider of OpenID Connect. */
import { createHash } from "node:crypto"
import { Scope } from "@earmark/core/wire"
import {
  Entropy,
  Fetcher,
  FoundOnce,
  Identities,
  OAuthRecords,
  Secrets,
  SignIn,
  type SignInAttempt,
  SignInRefused,
  TimeLimit,
} from "@earmark/service"
import { Effect, Either, Layer, Redacted, Schema } from "effect"
import { fetchThrough } from "../fetchThrough.js"
import { APP_SCOPES } from "../scopes.js"

export interface OpenIdSettings {
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: Redacted.Redacted<string> | null
}

const MODEL = "SignInAttempt"
const SECONDS = 900
/** Over everything that the provider is asked, one after the other. */
const WAIT = "10 seconds"

const Kept = Schema.parseJson(Schema.Struct({ nonce: Schema.String, verifier: Schema.String }))

const Sealed = Schema.Struct({ sealed: Schema.String })

const refused = (message: string) => new SignInRefused({ message })

const over = refused("This sign-in has taken too long, or was used already. Try again.")

const unreachable = refused("The site where you sign in cannot be reached. Try again in a moment.")

const load = Effect.promise(() => import("./openId.js"))

/** The redirect address to register at the provider is `{base address}/oauth/sign-in`. */
export const layer = ({ issuer, clientId, clientSecret }: OpenIdSettings) =>
  Layer.effect(
    SignIn,
    Effect.gen(function* () {
      const records = yield* OAuthRecords
      const secrets = yield* Secrets
      const identities = yield* Identities
      const entropy = yield* Entropy
      const fetch = fetchThrough(yield* Fetcher, { trusted: true })
      const secret = clientSecret === null ? null : Redacted.value(clientSecret)

      const reach = Effect.flatMap(load, ({ makeOpenId }) =>
        Effect.tryPromise(() => makeOpenId({ issuer, clientId, clientSecret: secret, fetch })),
      ).pipe(
        Effect.tapError((error) => Effect.logWarning("The provider of sign-ins cannot be reached", error)),
        Effect.orElseFail(() => unreachable),
      )
      const provider = yield* FoundOnce.one(reach, { timeToLive: "10 minutes" })

      const random = () => Buffer.from(entropy.bytes(32)).toString("base64url")
      /** What was begun for one purpose opens for no other. */
      const place = ({ purpose }: SignInAttempt, id: string) => `sign-in ${purpose} ${id}`
      const idOf = (attempt: SignInAttempt) => createHash("sha256").update(attempt.id).digest("base64url")

      const begin = Effect.fn("SignInOpenId.begin")(function* (attempt: SignInAttempt) {
        const { addressOf } = yield* provider
        const kept = { nonce: random(), verifier: random() }
        const id = idOf(attempt)
        const sealed = yield* secrets.seal(Schema.encodeSync(Kept)(kept), place(attempt, id))
        yield* records.remove(MODEL, id)
        yield* records.save({ model: MODEL, id, payload: { sealed }, seconds: SECONDS })
        const url = addressOf({ ...kept, state: attempt.id, returnTo: attempt.returnTo }, attempt.isAgain)
        return { type: "redirect", url } as const
      })

      const take = Effect.fnUntraced(function* (attempt: SignInAttempt) {
        const id = idOf(attempt)
        const record = yield* records.find(MODEL, id)
        if (record === null || !(yield* records.consume(MODEL, id))) return yield* over
        return yield* Schema.decodeUnknownEither(Sealed)(record.payload).pipe(
          Either.flatMap(({ sealed }) => secrets.open(sealed, place(attempt, id))),
          Either.flatMap(Schema.decodeUnknownEither(Kept)),
          Either.mapLeft(() => over),
        )
      })

      const finish = Effect.fn("SignInOpenId.finish")(function* (
        attempt: SignInAttempt,
        answers: Readonly<Record<string, string>>,
      ) {
        const kept = yield* take(attempt)
        if (answers.error !== undefined) return yield* refused("You were not signed in there.")
        const both = { ...kept, state: attempt.id, returnTo: attempt.returnTo }
        const person = yield* provider.pipe(
          Effect.flatMap(({ identify }) =>
            Effect.tryPromise(() => identify(answers, both)).pipe(
              Effect.tapError((error) => Effect.logWarning("Somebody could not be identified", error)),
              Effect.orElseFail(() => refused("The site where you sign in did not tell who you are.")),
            ),
          ),
          Effect.disconnect,
          TimeLimit.fail({ duration: WAIT, onTimeout: () => unreachable }),
        )
        const identity = { issuer, subject: person.subject }
        const account = yield* identities
          .accountOf(identity, person)
          .pipe(Effect.catchTag("IdentityUnknown", ({ message }) => refused(message)))
        const scopes = attempt.purpose === "console" ? Scope.literals : APP_SCOPES
        return { account, scopes, isTest: false, identity }
      })

      return SignIn.of({ answeredBy: "address", site: new URL(issuer).host, begin, finish })
    }),
  )
