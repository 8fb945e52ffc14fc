import type { AccountId } from "@earmark/core/jobs"
import type { PageQuery } from "@earmark/core/wire"
import { DateTime, Effect, Either, Schema } from "effect"
import { GRANT, type OAuthRecord, OAuthRecords } from "../ports/OAuthRecords.js"
import { makeCursors } from "../useCases/Cursors.js"

/** An app that an account has let in. */
export const GrantedApp = Schema.Struct({
  /** The id of the grant. */
  id: Schema.String,
  client: Schema.String,
  /** What it calls itself: anything. */
  name: Schema.NullOr(Schema.String),
  scopes: Schema.Array(Schema.String),
  grantedAt: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("granted_at")),
  expiresAt: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("expires_at")),
})
type GrantedApp = typeof GrantedApp.Type

const Kept = Schema.Struct({
  clientId: Schema.String,
  resources: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
})

const readKept = Schema.decodeUnknownEither(Kept)

const time = (milliseconds: number): string => DateTime.formatIso(DateTime.unsafeMake(milliseconds))

/** The apps that accounts have let in, and how they are put out again. */
export const makeGrantedApps = Effect.gen(function* () {
  const records = yield* OAuthRecords
  const cursors = yield* makeCursors

  const show = Effect.fnUntraced(function* ({ id, payload, createdAt, expiresAt }: OAuthRecord) {
    const kept = Either.getOrElse(readKept(payload), (): typeof Kept.Type => ({ clientId: "unknown" }))
    const client = yield* records.find("Client", kept.clientId)
    const name = client?.payload.client_name
    const app: GrantedApp = {
      id,
      client: kept.clientId,
      name: typeof name === "string" ? name : null,
      scopes: [...new Set(Object.values(kept.resources ?? {}).flatMap((scopes) => scopes.split(" ")))],
      grantedAt: time(createdAt),
      expiresAt: expiresAt === null ? null : time(expiresAt),
    }
    return app
  })

  const list = Effect.fn("grantedApps.list")(function* (
    account: AccountId,
    query: Pick<PageQuery, "limit" | "cursor">,
  ) {
    const pages = cursors(account, "grants")
    const page = yield* records.list(GRANT, { ...(yield* pages.page(query)), account })
    const shown = yield* Effect.forEach(page.items, show)
    const { hasMore, nextCursor } = pages.listed(page, ({ id }) => id)
    return { data: shown, hasMore, nextCursor }
  })

  /** Whether the account had let that app in. Its tokens open nothing from now on. */
  const revoke = Effect.fn("grantedApps.revoke")(function* (account: AccountId, id: string) {
    const grant = yield* records.find(GRANT, id)
    return grant?.account === account && (yield* records.revokeGrant(id))
  })

  return { list, revoke }
})
