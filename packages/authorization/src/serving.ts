import type { RatePolicy } from "@earmark/core/requests"
import { counted } from "@earmark/core/text"
import {
  Accounts,
  FailedAttempts,
  Fetcher,
  Keys,
  OAuthRecords,
  RateLimiter,
  SignIn,
  type StorageError,
} from "@earmark/service"
import { Clock, DateTime, Effect, Runtime } from "effect"
import { type AuthorizationKeysLost, makeAuthorizationKeys } from "./AuthorizationKeys.js"
import { addressesOf } from "./addresses.js"
import { fetchThrough } from "./fetchThrough.js"
import { parseSubject, subjectText } from "./Subject.js"
import { appScopesOf } from "./scopes.js"
import type { AuthorizationServer } from "./server/authorizationServer.js"
import type { Records } from "./server/Records.js"
import type { NotSignedIn, ServerFacts } from "./server/ServerFacts.js"

/** Keys that another process has made are read after so long. */
const KEYS_EVERY_MILLISECONDS = 3_600_000

type RunPromise = <A, E>(effect: Effect.Effect<A, E>) => Promise<A>

const recordsOf = (records: OAuthRecords["Type"], run: RunPromise): Records => ({
  save: ({ subject, ...record }) =>
    run(
      records.save({
        ...record,
        account: subject === null ? null : (parseSubject(subject)?.account ?? null),
      }),
    ),
  find: (model, id) => run(records.find(model, id)),
  findByUid: (model, uid) => run(records.findByUid(model, uid)),
  consume: (model, id) => run(records.consume(model, id)),
  renew: (model, id, seconds) => run(records.renew(model, id, seconds)),
  remove: (model, id) => run(records.remove(model, id)),
  revokeGrant: (grant) => run(Effect.asVoid(records.revokeGrant(grant))),
})

const refused = (message: string, retryAfterSeconds: number | null = null): NotSignedIn => ({
  type: "refused",
  message,
  retryAfterSeconds,
})

const load = Effect.promise(() => import("./server/authorizationServer.js"))

interface Loaded {
  readonly version: string
  readonly readAt: number
  readonly server: AuthorizationServer
}

/** What the authorization server needs to know of the service. */
export interface AuthorizationFacts {
  readonly baseUrl: string
  /** How many apps may register from one address; null: as many as come. */
  readonly registrations: RatePolicy | null
}

/** The authorization server: made with the first request, and again when its keys have changed. */
export const makeServing = (facts: AuthorizationFacts) =>
  Effect.gen(function* () {
    const records = yield* OAuthRecords
    const accounts = yield* Accounts
    const apiKeys = yield* Keys
    const limiter = yield* RateLimiter
    const attempts = yield* FailedAttempts
    const door = yield* Fetcher
    const signIn = yield* SignIn
    const keys = yield* makeAuthorizationKeys
    const clock = yield* Effect.clock
    const runtime = yield* Effect.runtime<never>()
    const run: RunPromise = Runtime.runPromise(runtime)
    const turn = yield* Effect.makeSemaphore(1)
    let loaded: Loaded | undefined

    const begin: ServerFacts["signIn"]["begin"] = (attempt) =>
      run(
        signIn
          .begin(attempt)
          .pipe(Effect.catchTag("SignInRefused", ({ message }) => Effect.succeed(refused(message)))),
      )

    const finish: ServerFacts["signIn"]["finish"] = (attempt, answers, address) =>
      run(
        Effect.gen(function* () {
          const { account, scopes, isTest, key = null } = yield* signIn.finish(attempt, answers)
          const possible = appScopesOf(scopes)
          if (possible.length === 0)
            return refused("This sign-in is allowed nothing that an app can be given.")
          const subject = subjectText({ account, isTest, scopes: possible, key })
          return { type: "signed_in", subject } as const
        }).pipe(
          Effect.catchTag("SignInRefused", ({ message }) =>
            Effect.map(attempts.count(address), (seconds) =>
              seconds === null
                ? refused(message)
                : refused(`Too many tries. Try again in ${counted(seconds, "second")}.`, seconds),
            ),
          ),
        ),
      )

    const accountName: ServerFacts["accountName"] = (text) => {
      const subject = parseSubject(text)
      if (subject === null) return Promise.resolve(null)
      return run(
        accounts.get(subject.account).pipe(
          Effect.map(({ name }): string | null => name),
          Effect.catchTag("AccountNotFound", () => Effect.succeed(null)),
        ),
      )
    }

    const isSignedIn: ServerFacts["isSignedIn"] = (text) => {
      const { account, key } = parseSubject(text) ?? { key: null }
      if (account === undefined) return Promise.resolve(false)
      if (key === null) return Promise.resolve(true)
      return run(
        Effect.gen(function* () {
          const { revokedAt, expiresAt } = yield* apiKeys.get(account, key)
          const isOver = expiresAt !== null && DateTime.lessThanOrEqualTo(expiresAt, yield* DateTime.now)
          return revokedAt === null && !isOver
        }).pipe(Effect.catchTag("KeyNotFound", () => Effect.succeed(false))),
      )
    }

    const { registrations } = facts
    const registerAfter: ServerFacts["registerAfter"] = (address) =>
      registrations === null
        ? Promise.resolve(null)
        : run(
            Effect.map(limiter.take(`register app ${address}`, registrations), (taken) =>
              taken.allowed ? null : taken.retryAfterSeconds,
            ),
          )

    const make = (pair: Effect.Effect.Success<typeof keys>) =>
      Effect.map(load, ({ makeAuthorizationServer }) =>
        makeAuthorizationServer({
          addresses: addressesOf(facts.baseUrl),
          records: recordsOf(records, run),
          now: () => clock.unsafeCurrentTimeMillis(),
          keys: pair,
          fetch: fetchThrough(door, { trusted: false }),
          signIn: { answeredBy: signIn.answeredBy, begin, finish },
          accountName,
          isSignedIn,
          registerAfter,
          countFailed: (address) => run(attempts.count(address)),
          onError: (what, cause) => void run(Effect.logError(what, cause)),
        }),
      )

    const refresh: Effect.Effect<AuthorizationServer, StorageError | AuthorizationKeysLost> = Effect.gen(
      function* () {
        const now = yield* Clock.currentTimeMillis
        if (loaded !== undefined && now - loaded.readAt < KEYS_EVERY_MILLISECONDS) return loaded.server
        const pair = yield* keys
        const isSame = loaded?.version === pair.version
        const server = loaded !== undefined && isSame ? loaded.server : yield* make(pair)
        loaded = { version: pair.version, readAt: now, server }
        return server
      },
    )

    return turn.withPermits(1)(refresh)
  })
