// @effect-diagnostics strictEffectProvide:off -- one operation opens the store for itself
// @effect-diagnostics globalFetch:off -- a server of this machine is looked at, with what Node brings
/** A link that signs the operator in to the console of the server that has the store of some settings. */
import { isNewStore, reachAdministration, requireStore, type Settings } from "@earmark/runtime"
import { Administration, operations, TimeLimit } from "@earmark/service"
import { Data, Effect, Option } from "effect"
import { signInAddress } from "../console/Console.js"

export interface OperatorLink {
  readonly account: string
  readonly url: string
  /** Whether the server answers at its address. */
  readonly answers: boolean
}

/** Why there is no link: the server has another store, no console, one that is not built, or an address that is not encrypted. */
export class LinkRefused extends Data.TaggedError("LinkRefused")<{
  readonly reason: "other_store" | "console_off" | "console_missing" | "not_encrypted"
}> {}

const NOT_FOUND = 404

/** What a server answers to a request; null where none answers. */
const answerOf = <Answer>(request: (signal: AbortSignal) => Promise<Answer>): Effect.Effect<Answer | null> =>
  Effect.tryPromise(request).pipe(
    TimeLimit.option("3 seconds"),
    Effect.match({ onFailure: () => null, onSuccess: Option.getOrNull }),
  )

/** Whether the server that answers there is one of ours. */
const isEarmark = (baseUrl: string) =>
  answerOf(async (signal) => {
    const answer = await fetch(`${baseUrl}/healthz`, { redirect: "manual", signal })
    const { status }: { readonly status?: unknown } = Object(await answer.json())
    return status === "ok"
  })

/** Makes a link for an account, or for the first one. It works once. */
export const operatorLink = Effect.fnUntraced(function* (settings: Settings, account: string | null) {
  const { baseUrl, console } = settings
  const refused = (reason: LinkRefused["reason"]) => new LinkRefused({ reason })
  if ((yield* isNewStore(settings)) && (yield* isEarmark(baseUrl))) return yield* refused("other_store")
  yield* requireStore(settings)
  if (!console) return yield* refused("console_off")
  if (signInAddress(baseUrl, "") === null) return yield* refused("not_encrypted")
  const found = yield* answerOf((signal) =>
    fetch(`${baseUrl}/console/`, { method: "HEAD", redirect: "manual", signal }),
  )
  if (found?.status === NOT_FOUND) return yield* refused("console_missing")
  const made = yield* Effect.provide(
    Administration.ask(operations.makeSignInLink, { account }),
    reachAdministration(settings),
  )
  const url = signInAddress(baseUrl, made.link) ?? baseUrl
  const link: OperatorLink = { account: made.account, url, answers: found !== null }
  return link
})
