import { type AccountId, GrantNotFound } from "@earmark/core/jobs"
import type { CursorInvalid } from "@earmark/core/requests"
import type { GrantedApp, PageQuery } from "@earmark/core/wire"
import { Context, DateTime, Effect, Either, Layer, Schema } from "effect"
import { GRANT, type OAuthRecord, OAuthRecords } from "../ports/OAuthRecords.js"
import type { StorageError } from "../ports/StorageError.js"
import { type Listed, makeCursors } from "../useCases/Cursors.js"

const Kept = Schema.Struct({
  clientId: Schema.String,
  resources: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
})

const readKept = Schema.decodeUnknownEither(Kept)

/** The apps that accounts have let in, and how they are put out again. */
export class GrantedApps extends Context.Tag("@earmark/service/GrantedApps")<
  GrantedApps,
  {
    readonly list: (
      account: AccountId,
      query: PageQuery,
    ) => Effect.Effect<Listed<GrantedApp>, CursorInvalid | StorageError>
    /** Puts an app out that the account has let in. Its tokens open nothing from now on. */
    readonly revoke: (account: AccountId, id: string) => Effect.Effect<void, GrantNotFound | StorageError>
  }
>() {
  static readonly layer = Layer.effect(
    GrantedApps,
    Effect.gen(function* () {
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
          grantedAt: DateTime.unsafeMake(createdAt),
          expiresAt: expiresAt === null ? null : DateTime.unsafeMake(expiresAt),
        }
        return app
      })

      const list = Effect.fn("GrantedApps.list")(function* (account: AccountId, query: PageQuery) {
        const pages = cursors(account, "grants", {}, query.order)
        const page = yield* records.list(GRANT, { ...(yield* pages.page(query)), account })
        const shown = yield* Effect.forEach(page.items, show)
        return pages.listed({ ...page, items: shown }, (app) => app)
      })

      const revoke = Effect.fn("GrantedApps.revoke")(function* (account: AccountId, id: string) {
        const grant = yield* records.find(GRANT, id)
        const isGone = grant?.account === account && (yield* records.revokeGrant(id))
        if (!isGone) return yield* new GrantNotFound({ id: id.slice(0, 64) })
      })

      return GrantedApps.of({ list, revoke })
    }),
  )
}
