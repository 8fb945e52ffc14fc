/** Addresses with a login in them. A store keeps them sealed: a copy of it opens nobody's feed. */
import { stripCredentials } from "@earmark/core/links"
import { Effect, Either } from "effect"
import type { JobSource } from "../ports/records.js"
import type { SourceRequest } from "../ports/SourceResolver.js"
import type { Secrets } from "./Secrets.js"

const MARK = "sealed:"

/** What may hold a login, each text changed alike. */
const mapAddresses = Effect.fnUntraced(function* <E>(
  source: JobSource,
  change: (address: string) => Effect.Effect<string, E>,
) {
  const changeOrNull = (address: string | null) => (address === null ? Effect.succeed(null) : change(address))
  const changeAsked = (asked: SourceRequest): Effect.Effect<SourceRequest, E> =>
    asked.type === "blob"
      ? Effect.map(change(asked.url), (url) => ({ ...asked, url }))
      : Effect.map(change(asked.link), (link) => ({ ...asked, link }))
  const { facts } = source
  const changed: JobSource = {
    ...source,
    mediaUrl: yield* changeOrNull(source.mediaUrl),
    link: yield* changeOrNull(source.link),
    ...(facts !== undefined && {
      facts: {
        ...facts,
        asked: facts.asked === null ? null : yield* changeAsked(facts.asked),
        captions: yield* Effect.forEach(facts.captions, (offer) =>
          Effect.map(change(offer.url), (url) => ({ ...offer, url })),
        ),
      },
    }),
  }
  return changed
})

const placeOf = (account: string): string => `sources of ${account}`

/** A source as stores keep it. */
export const sealSource = (source: JobSource, account: string, { seal }: Secrets["Type"]) =>
  mapAddresses(source, (address) =>
    stripCredentials(address).authorization === null
      ? Effect.succeed(address)
      : Effect.map(seal(address, placeOf(account)), (sealed) => MARK + sealed),
  )

/** The source again. Fails when it was sealed with another secrets key. */
export const openSource = (source: JobSource, account: string, { open }: Secrets["Type"]) =>
  mapAddresses(source, (address) =>
    address.startsWith(MARK)
      ? Either.mapLeft(open(address.slice(MARK.length), placeOf(account)), () => "sealed" as const)
      : Effect.succeed(address),
  )
