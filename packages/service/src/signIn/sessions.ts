/** Sessions of people who work in a browser. Only hashes of what opens them are kept. */
import { createHash } from "node:crypto"
import { type AccountId, KeyId } from "@earmark/core/jobs"
import { Scope } from "@earmark/core/wire"
import { Clock, DateTime, Effect, Either, Redacted, Schema } from "effect"
import { type OAuthRecord, OAuthRecords } from "../ports/OAuthRecords.js"
import type { SignedIn } from "../ports/SignIn.js"
import type { StorageError } from "../ports/StorageError.js"
import { randomOf } from "../useCases/Entropy.js"
import { Keys } from "../useCases/Keys.js"
import { Unauthorized } from "../useCases/refusals.js"
import { Operators } from "./Operators.js"
import { endAppSignIns, removeAll } from "./removeAll.js"

const MODEL = "ConsoleSession"
const IDLE_SECONDS = 12 * 3600
const LONGEST_SECONDS = 30 * 86_400
/** The end is moved at most this often. */
const MOVED_EVERY_SECONDS = 60
/** Sessions that an account is shown, and that are ended at once. */
const PAGE = 100

const LONGEST_NAME = 100

const VALUE = /^[\w-]{43}$/

const LINK = "ConsoleLink"
const LINK_SECONDS = 300

const Stored = Schema.Struct({
  key: Schema.String,
  scopes: Schema.Array(Scope),
  /** The key that was made for this session, and ends with it. */
  own: Schema.optional(KeyId),
  /** Whether a link of the operator opened it. */
  isOperator: Schema.optional(Schema.Boolean),
  /** Who signed in, where an identity provider told. */
  identity: Schema.optional(Schema.Struct({ issuer: Schema.String, subject: Schema.String })),
  /** What the browser called itself, unproven. */
  browser: Schema.optional(Schema.String),
})

type InBrowser = Pick<typeof Stored.Type, "browser">

const readStored = Schema.decodeUnknownEither(Stored)

/** A session as requests act with it. */
export interface Session {
  /** Names it in lists. It opens nothing. */
  readonly id: string
  readonly account: AccountId
  readonly key: KeyId
  readonly scopes: ReadonlyArray<Scope>
  readonly isTest: boolean
  /** Whether its person may do what the operator of the server may. No key opens such a session. */
  readonly isOperator: boolean
  /** What the browser called itself, unproven: so that a person can tell sessions apart. */
  readonly browser: string | null
  /** When its person signed in, in milliseconds. */
  readonly signedInAt: number
  readonly expiresAt: number
}

const hashOf = (model: string, value: string): string =>
  createHash("sha256").update(`${model} ${value}`).digest("base64url")

const newValue = Effect.map(randomOf(32), (bytes) => Buffer.from(bytes).toString("base64url"))

/**
 * Makes a sign-in link for an account: what opens one session, with every scope, within five minutes. Only its hash is kept.
 * `isOperator` is for who owns the data folder: the session is one of the operator.
 */
export const makeSignInLink = Effect.fn("sessions.makeSignInLink")(function* (
  account: AccountId,
  { isOperator = false }: { readonly isOperator?: boolean } = {},
) {
  const records = yield* OAuthRecords
  const value = yield* newValue
  const id = hashOf(LINK, value)
  yield* records.save({ model: LINK, id, payload: { isOperator }, account, seconds: LINK_SECONDS })
  return value
})

/** Opens, finds and ends sessions. A session ends with the key that opened it. */
export const makeSessions = Effect.gen(function* () {
  const records = yield* OAuthRecords
  const keys = yield* Keys
  const operators = yield* Operators

  /** Checked with every request, so that a subject that is removed from the setting loses the role. */
  const isOperatorOf = ({ isOperator = false, identity }: typeof Stored.Type): boolean =>
    isOperator ||
    operators.some(({ issuer, subject }) => issuer === identity?.issuer && subject === identity.subject)

  /** The session of a record; null when its key has been revoked or is past its end. */
  const sessionOf = Effect.fnUntraced(function* ({ id, payload, createdAt, expiresAt }: OAuthRecord) {
    const stored = readStored(payload)
    if (Either.isLeft(stored) || expiresAt === null) return null
    const bearer = yield* keys
      .authenticateHash(stored.right.key)
      .pipe(Effect.catchTag("Unauthorized", () => Effect.succeed(null)))
    if (bearer === null) return null
    const scopes = bearer.scopes.filter((scope) => stored.right.scopes.includes(scope))
    const isOperator = isOperatorOf(stored.right)
    const { browser = null } = stored.right
    const session: Session = { ...bearer, id, scopes, isOperator, browser, signedInAt: createdAt, expiresAt }
    return session
  })

  /** Opens a session with a key. Its value is told once, and kept nowhere. */
  const open = Effect.fn("sessions.open")(function* (
    key: Redacted.Redacted<string>,
    more: Pick<typeof Stored.Type, "own" | "isOperator" | "identity" | "browser"> = {},
  ) {
    const { account, scopes } = yield* keys.authenticate(key)
    const value = yield* newValue
    const payload = { key: yield* keys.hash(key), scopes, ...more }
    yield* records.save({ model: MODEL, id: hashOf(MODEL, value), payload, account, seconds: IDLE_SECONDS })
    return { value, seconds: LONGEST_SECONDS }
  })

  /** Opens a session with a key of its own, whose value nobody is told. */
  const openFor = Effect.fnUntraced(function* (
    signed: SignedIn,
    name: string,
    { isOperator = false, ...more }: Pick<typeof Stored.Type, "isOperator" | "browser"> = {},
  ) {
    const { account, scopes, isTest, identity } = signed
    const [first, ...rest] = scopes
    if (first === undefined) return yield* new Unauthorized()
    const expiresAt = DateTime.add(yield* DateTime.now, { seconds: LONGEST_SECONDS })
    const request = { name, scopes: [first, ...rest] as const, expiresAt }
    const made = yield* keys
      .create(account, request, isTest ? "test" : "live")
      .pipe(Effect.catchTag("RequestRefused", Effect.die))
    return yield* open(Redacted.make(made.key), {
      ...more,
      own: made.id,
      isOperator,
      ...(identity !== undefined && { identity }),
    })
  })

  /** Opens a session with a sign-in link, once. */
  const openWithLink = Effect.fn("sessions.openWithLink")(function* (link: string, more: InBrowser = {}) {
    const id = hashOf(LINK, link)
    const record = VALUE.test(link) ? yield* records.find(LINK, id) : null
    const account = record?.account ?? null
    if (account === null || !(yield* records.consume(LINK, id))) return yield* new Unauthorized()
    const signed = { account, scopes: Scope.literals, isTest: false }
    const isOperator = record?.payload.isOperator === true
    return yield* openFor(signed, "sign-in link", { ...more, isOperator })
  })

  /** Opens a session for somebody who signed in at another site. */
  const openFrom = Effect.fn("sessions.openFrom")((signed: SignedIn, site: string, more: InBrowser = {}) =>
    openFor(signed, `sign-in at ${site}`.slice(0, LONGEST_NAME), more),
  )

  /** Removes a session, with the key that was made for it. */
  const remove = Effect.fnUntraced(function* ({ id, account, payload }: OAuthRecord) {
    yield* records.remove(MODEL, id)
    const own = Either.getOrNull(readStored(payload))?.own
    if (own === undefined || account === null) return
    yield* keys.revoke(account, own).pipe(Effect.catchTag("KeyNotFound", () => Effect.void))
  })

  /** Moves the end of a session that is in use. */
  const renew = Effect.fnUntraced(function* ({ id, signedInAt, expiresAt }: Session) {
    const now = yield* Clock.currentTimeMillis
    const end = Math.min(now + IDLE_SECONDS * 1000, signedInAt + LONGEST_SECONDS * 1000)
    if (end - expiresAt < MOVED_EVERY_SECONDS * 1000) return
    yield* records.renew(MODEL, id, Math.floor((end - now) / 1000))
  })

  /** The session that a value opens. */
  const find = Effect.fn("sessions.find")(function* (value: string) {
    const record = VALUE.test(value) ? yield* records.find(MODEL, hashOf(MODEL, value)) : null
    const session = record === null ? null : yield* sessionOf(record)
    if (session === null) return yield* new Unauthorized()
    yield* renew(session)
    return session
  })

  /** What the key of a session is called: the one it was opened with, or the one made for it, which says how somebody signed in. */
  const named = Effect.fnUntraced(function* (session: Session) {
    const key = yield* keys
      .get(session.account, session.key)
      .pipe(Effect.catchTag("KeyNotFound", () => Effect.succeed(null)))
    return { ...session, keyName: key?.name ?? null }
  })

  /** The sessions of an account that are open, with what tells a person which is which. */
  const list = Effect.fn("sessions.list")(function* (account: AccountId) {
    const page = yield* records.list(MODEL, { account, limit: PAGE, after: null })
    const found = yield* Effect.forEach(page.items, sessionOf)
    return yield* Effect.forEach(
      found.filter((session) => session !== null),
      named,
    )
  })

  /** Ends a session of the account; whether there was one. */
  const end = Effect.fn("sessions.end")(function* (account: AccountId, id: string) {
    const record = yield* records.find(MODEL, id)
    if (record?.account !== account) return false
    yield* remove(record)
    return true
  })

  /** Ends every session of an account, and every sign-in that lets apps in. */
  const endAll: (account: AccountId) => Effect.Effect<void, StorageError> = Effect.fn("sessions.endAll")(
    function* (account: AccountId) {
      yield* removeAll(MODEL, account, remove)
      yield* endAppSignIns(account)
    },
    Effect.provideService(OAuthRecords, records),
  )

  return { open, openWithLink, openFrom, find, list, end, endAll }
})
