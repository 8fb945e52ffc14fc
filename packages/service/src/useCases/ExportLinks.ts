import { AccountId, JobNotFound, parseId } from "@earmark/core/jobs"
import { type SignedAddressInvalid, signExportLink, verifyExportLink } from "@earmark/core/signing"
import { type ExportLink, ExportQuery, type ExportRequest } from "@earmark/core/wire"
import { Clock, Context, DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { StoreSettings } from "../ports/StoreSettings.js"

import { Secrets } from "./Secrets.js"
import { Transcriptions } from "./Transcriptions.js"

type Exported = ReturnType<Transcriptions["Type"]["export"]>
type Unreadable = Effect.Effect.Error<Exported>

const encodeQuery = Schema.encode(ExportQuery)
const decodeQuery = Schema.decodeUnknown(ExportQuery)

/** Addresses that give an export to whoever has them, for a while. */
export class ExportLinks extends Context.Tag("@earmark/service/ExportLinks")<
  ExportLinks,
  {
    /** Refused when the export itself would be. */
    readonly create: (
      account: AccountId,
      id: string,
      request: ExportRequest,
    ) => Effect.Effect<ExportLink, Unreadable>
    /** The export at an address (path and query, exactly as given out). */
    readonly open: (
      address: string,
    ) => Effect.Effect<Effect.Effect.Success<Exported>, SignedAddressInvalid | Unreadable>
  }
>() {
  static readonly layer = Layer.effect(
    ExportLinks,
    Effect.gen(function* () {
      const transcriptions = yield* Transcriptions
      const secrets = yield* Secrets
      const { baseUrl } = yield* StoreSettings
      const key = () => Redacted.value(secrets.keys).exportLinks
      const seconds = Effect.map(Clock.currentTimeMillis, (now) => now / 1000)

      const create = Effect.fn("ExportLinks.create")(function* (
        account: AccountId,
        id: string,
        request: ExportRequest,
      ) {
        yield* transcriptions.export(account, id, request)
        const query = new URLSearchParams()
        for (const [name, value] of Object.entries(yield* Effect.orDie(encodeQuery(request)))) {
          if (value !== undefined) query.set(name, value)
        }
        const unsigned = `/exports/${account}/${id}?${query}`
        const { address, expiresAt } = signExportLink({ key: key(), address: unsigned, now: yield* seconds })
        const link: ExportLink = {
          url: `${baseUrl.replace(/\/$/, "")}${address}`,
          expiresAt: DateTime.unsafeMake(expiresAt * 1000),
        }
        return link
      })

      const open = Effect.fn("ExportLinks.open")(function* (address: string) {
        yield* verifyExportLink({ key: key(), address, now: yield* seconds })
        // What is signed is what `create` wrote.
        const { pathname, searchParams } = new URL(address, "http://signed.invalid")
        const [, , account = "", id = ""] = pathname.split("/")
        for (const name of ["expires", "signature"]) searchParams.delete(name)
        const query = yield* Effect.orDie(decodeQuery(Object.fromEntries(searchParams)))
        const owner = yield* Effect.mapError(parseId(AccountId)(account), () => new JobNotFound({ id }))
        return yield* transcriptions.export(owner, id, query)
      })

      return ExportLinks.of({ create, open })
    }),
  )
}
