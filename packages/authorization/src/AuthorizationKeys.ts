import { createHash, generateKeyPairSync, randomBytes } from "node:crypto"
import { OAuthRecords, SERVER_KEYS, Secrets } from "@earmark/service"
import { Clock, Data, Effect, Either, Schema } from "effect"

const DAY = 86_400
const ROTATED_AFTER = 90 * DAY
/** By then every process has read what another one made. */
const KNOWN_AFTER = 2 * 3600

const SigningKey = Schema.Struct({
  kty: Schema.Literal("EC"),
  crv: Schema.Literal("P-256"),
  x: Schema.String,
  y: Schema.String,
  d: Schema.String,
  use: Schema.Literal("sig"),
  alg: Schema.Literal("ES256"),
  kid: Schema.String,
})

const KeyPair = Schema.parseJson(Schema.Struct({ signing: SigningKey, cookie: Schema.String }))

const Sealed = Schema.Struct({ sealed: Schema.String })

/** The keys of the authorization server in the store cannot be read: the secrets key is another one. */
export class AuthorizationKeysLost extends Data.TaggedError("AuthorizationKeysLost") {
  override get message() {
    return "The keys of the authorization server are sealed with another secrets key than that of the store: run earmark migrate --new-secrets-key, and start again."
  }
}

/** The keys of the moment: the first ones sign, all are good. */
interface AuthorizationKeys {
  /** Changes with the keys. */
  readonly version: string
  readonly signing: ReadonlyArray<typeof SigningKey.Type>
  readonly cookies: ReadonlyArray<string>
  readonly forms: Uint8Array
}

const newPair = (generation: number): typeof KeyPair.Type => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const exported = privateKey.export({ format: "jwk" })
  const kid = `${generation}-${randomBytes(6).toString("base64url")}`
  return Schema.decodeUnknownSync(KeyPair)(
    JSON.stringify({
      signing: { ...exported, use: "sig", alg: "ES256", kid },
      cookie: randomBytes(32).toString("base64url"),
    }),
  )
}

/**
 * The keys of the authorization server: made once by whichever process is first, sealed in the store, and followed by new ones after
 * 90 days. The old ones stay good for 90 more.
 */
export const makeAuthorizationKeys = Effect.gen(function* () {
  const records = yield* OAuthRecords
  const secrets = yield* Secrets
  const place = (id: string) => `authorization keys ${id}`

  const add = Effect.fnUntraced(function* (generation: number) {
    const id = String(generation)
    const sealed = yield* secrets.seal(Schema.encodeSync(KeyPair)(newPair(generation)), place(id))
    yield* records.add({ model: SERVER_KEYS, id, payload: { sealed }, seconds: 2 * ROTATED_AFTER })
  })

  const list = Effect.map(
    records.list(SERVER_KEYS, { account: null, limit: 2, after: null }),
    ({ items }) => items,
  )

  const open = (id: string, payload: unknown) =>
    Schema.decodeUnknownEither(Sealed)(payload).pipe(
      Either.flatMap(({ sealed }) => secrets.open(sealed, place(id))),
      Either.flatMap(Schema.decodeUnknownEither(KeyPair)),
      Either.mapLeft(() => new AuthorizationKeysLost()),
    )

  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [newest] = yield* list
    const age = newest === undefined ? null : (now - newest.createdAt) / 1000
    if (age === null || age > ROTATED_AFTER) yield* add(Number(newest?.id ?? 0) + 1)
    const [first, second] = yield* list
    if (first === undefined) return yield* Effect.dieMessage("Keys that were stored are not there")
    // The others may not know the newest one yet.
    const isYoung = (now - first.createdAt) / 1000 < KNOWN_AFTER
    const inOrder = second === undefined ? [first] : isYoung ? [second, first] : [first, second]
    const pairs = yield* Effect.forEach(inOrder, ({ id, payload }) => open(id, payload))
    const cookies = pairs.map(({ cookie }) => cookie)
    const keys: AuthorizationKeys = {
      version: inOrder.map(({ id }) => id).join(" "),
      signing: pairs.map(({ signing }) => signing),
      cookies,
      forms: createHash("sha256").update(`forms ${cookies[0]}`).digest(),
    }
    return keys
  })
})
