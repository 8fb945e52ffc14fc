import { type AccountId, KeyId, KeyNotFound, parseId } from "@earmark/core/jobs"
import type { CursorInvalid } from "@earmark/core/requests"
import { type ApiKeyMode, hashApiKey, makeApiKey, parseApiKey } from "@earmark/core/signing"
import {
  type ApiKey,
  type ApiKeyWithValue,
  type CreateKey,
  type PageQuery,
  type PatchKey,
  Scope,
} from "@earmark/core/wire"
import { Clock, Context, DateTime, Effect, Layer, Redacted } from "effect"
import { tracedFn } from "../observing/traces.js"
import { ApiKeys, type Bearer } from "../ports/Accounts.js"
import type { StorageError } from "../ports/StorageError.js"
import { type Listed, makeCursors } from "./Cursors.js"
import { newKeyId, randomOf } from "./Entropy.js"
import { RequestRefused, ScopeNotHeld, Unauthorized } from "./refusals.js"
import { Secrets } from "./Secrets.js"

// Nearly always enough; asked for again when it is not.
const RANDOM_BYTES = 64

type Wanted = Omit<CreateKey, "scopes"> & { readonly scopes?: ReadonlyArray<Scope> | undefined }

/** One id for the first key of an account: whoever else makes it finds it taken. */
const firstKeyOf = (account: AccountId): KeyId => KeyId.make(account.replace(/^acct_/, "key_"))

/** Who makes a key: with which scopes, and whether with a test key. */
interface Maker extends Pick<Bearer, "account" | "scopes"> {
  readonly isTest: boolean
}

/** What a key may do that names no scopes: with a limit it cannot make keys. */
const scopesOf = ({ scopes, monthlyCredits }: Wanted, all: ReadonlyArray<Scope>): ReadonlyArray<Scope> =>
  scopes ?? (monthlyCredits === undefined ? all : all.filter((scope) => scope !== "keys"))

/** A key that makes other keys would not be held by its own limit. */
const requireNoKeys = (monthlyCredits: number | null | undefined, scopes: ReadonlyArray<Scope>) =>
  typeof monthlyCredits === "number" && scopes.includes("keys")
    ? new RequestRefused({
        code: "invalid_request",
        detail:
          "A key with the scope keys cannot have a monthly limit, because it could make keys without one",
        pointer: "#/monthly_credits",
      })
    : Effect.void

/** API keys. A value is shown once, when it is made. */
export class Keys extends Context.Tag("@earmark/service/Keys")<
  Keys,
  {
    readonly create: (
      account: AccountId,
      request: CreateKey,
      mode?: ApiKeyMode,
    ) => Effect.Effect<ApiKeyWithValue, RequestRefused | StorageError>
    /** The key that a new store begins with, made once for each account, however many ask at once. Null to all but one of them. */
    readonly createFirst: (
      account: AccountId,
      request: CreateKey,
    ) => Effect.Effect<ApiKeyWithValue | null, StorageError>
    /** A key made with another one: of its kind, with no scope that it lacks, and good for a while. */
    readonly createWith: (
      maker: Maker,
      request: CreateKey,
    ) => Effect.Effect<ApiKeyWithValue, RequestRefused | ScopeNotHeld | StorageError>
    readonly list: (
      account: AccountId,
      query: PageQuery,
    ) => Effect.Effect<Listed<ApiKey>, CursorInvalid | StorageError>
    readonly get: (account: AccountId, id: string) => Effect.Effect<ApiKey, KeyNotFound | StorageError>
    /** Changes the name of a key, its monthly limit, or both. */
    readonly update: (
      account: AccountId,
      id: string,
      patch: PatchKey,
    ) => Effect.Effect<ApiKey, KeyNotFound | RequestRefused | StorageError>
    readonly revoke: (account: AccountId, id: string) => Effect.Effect<ApiKey, KeyNotFound | StorageError>
    /** Whose key it is, and whether it is for tests. Every key that is not good is refused in the same words. */
    readonly authenticate: (
      value: Redacted.Redacted<string>,
    ) => Effect.Effect<Bearer & { readonly isTest: boolean }, Unauthorized | StorageError>
    /** What finds a key again, without its value. */
    readonly hash: (value: Redacted.Redacted<string>) => Effect.Effect<string, Unauthorized>
    /** The same as `authenticate`, for a key that was hashed before. */
    readonly authenticateHash: (
      hash: string,
    ) => Effect.Effect<Bearer & { readonly isTest: boolean }, Unauthorized | StorageError>
  }
>() {
  static readonly layer = Layer.effect(
    Keys,
    Effect.gen(function* () {
      const store = yield* ApiKeys
      const secrets = yield* Secrets
      const cursors = yield* makeCursors

      const hashOf = (value: string) => hashApiKey(Redacted.value(secrets.keys).pepper, value)

      const newValue = (mode: ApiKeyMode) =>
        Effect.flatMap(randomOf(RANDOM_BYTES), (random) => makeApiKey(mode, random)).pipe(
          Effect.retry({ times: 5 }),
          Effect.orDie,
        )

      const make = Effect.fnUntraced(function* (
        id: KeyId,
        account: AccountId,
        request: Wanted,
        mode: ApiKeyMode,
      ) {
        const { value, prefix, last4 } = yield* newValue(mode)
        const key = yield* store.create({
          id,
          account,
          name: request.name ?? null,
          hash: hashOf(value),
          prefix,
          last4,
          scopes: request.scopes ?? Scope.literals,
          expiresAt: request.expiresAt === undefined ? null : DateTime.toEpochMillis(request.expiresAt),
          monthlyCredits: request.monthlyCredits ?? null,
          createdAt: yield* Clock.currentTimeMillis,
        })
        const shown: ApiKeyWithValue | null = key === null ? null : { ...key, key: value }
        return shown
      })

      const create = Effect.fn("Keys.create")(function* (
        account: AccountId,
        request: Wanted,
        mode: ApiKeyMode = "live",
      ) {
        const scopes = scopesOf(request, Scope.literals)
        yield* requireNoKeys(request.monthlyCredits, scopes)
        const made = yield* make(yield* newKeyId, account, { ...request, scopes }, mode)
        return made ?? (yield* Effect.dieMessage("a new id is nobody's yet"))
      })

      const createFirst = Effect.fn("Keys.createFirst")((account: AccountId, request: CreateKey) =>
        make(firstKeyOf(account), account, request, "live"),
      )

      const createWith = Effect.fn("Keys.createWith")(function* (maker: Maker, request: CreateKey) {
        const scopes = scopesOf(request, maker.scopes)
        const lacking = scopes.filter((scope) => !maker.scopes.includes(scope))
        if (lacking.length > 0) return yield* new ScopeNotHeld({ scopes: lacking })
        const { expiresAt } = request
        if (expiresAt !== undefined && DateTime.lessThanOrEqualTo(expiresAt, yield* DateTime.now)) {
          return yield* new RequestRefused({
            code: "invalid_request",
            detail: "expires_at has passed already",
          })
        }
        return yield* create(maker.account, { ...request, scopes }, maker.isTest ? "test" : "live")
      })

      const list = Effect.fn("Keys.list")(function* (account: AccountId, query: PageQuery) {
        const pages = cursors(account, "keys", {}, query.order)
        const page = yield* pages.page(query)
        return pages.listed(yield* store.list(account, page), (key) => key)
      })

      const idOf = (text: string) =>
        Effect.mapError(parseId(KeyId)(text), () => new KeyNotFound({ id: text.slice(0, 64) }))

      const get = Effect.fn("Keys.get")(function* (account: AccountId, text: string) {
        return yield* store.get(account, yield* idOf(text))
      })

      const update = Effect.fn("Keys.update")(function* (account: AccountId, text: string, patch: PatchKey) {
        if (patch.name === undefined && patch.monthlyCredits === undefined) {
          return yield* new RequestRefused({
            code: "invalid_request",
            detail: "Give name, monthly_credits or both: there is nothing to change",
          })
        }
        const id = yield* idOf(text)
        const { scopes } = yield* store.get(account, id)
        yield* requireNoKeys(patch.monthlyCredits, scopes)
        return yield* store.update(account, id, patch)
      })

      const revoke = Effect.fn("Keys.revoke")(function* (account: AccountId, text: string) {
        return yield* store.revoke(account, yield* idOf(text))
      })

      const find = Effect.fnUntraced(function* (hash: Uint8Array, mode: ApiKeyMode) {
        const bearer = yield* store.find(hash)
        return bearer === null ? yield* new Unauthorized() : { ...bearer, isTest: mode === "test" }
      })

      const parse = (value: Redacted.Redacted<string>) =>
        Effect.mapError(parseApiKey(Redacted.value(value)), () => new Unauthorized())

      const hash = Effect.fn("Keys.hash")(function* (given: Redacted.Redacted<string>) {
        const { value, mode } = yield* parse(given)
        return `${mode}.${Buffer.from(hashOf(value)).toString("base64url")}`
      })

      const authenticateHash = Effect.fn("Keys.authenticateHash")(function* (text: string) {
        const [mode = "", digest = ""] = text.split(".")
        return yield* find(Buffer.from(digest, "base64url"), mode === "test" ? "test" : "live")
      })

      const authenticate = tracedFn("Keys.authenticate")(
        Effect.fnUntraced(function* (value: Redacted.Redacted<string>) {
          const { value: text, mode } = yield* parse(value)
          return yield* find(hashOf(text), mode)
        }),
      )

      return Keys.of({
        create,
        createFirst,
        createWith,
        list,
        get,
        update,
        revoke,
        authenticate,
        hash,
        authenticateHash,
      })
    }),
  )
}
