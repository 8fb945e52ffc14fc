import { fits } from "@earmark/batch"
import type { ListedFeed, ListingWanted } from "@earmark/media"
import { Effect } from "effect"
import { usage } from "../CommandFailed.js"
import { fromService } from "../feed/fromService.js"
import { asPages, asTable, opmlAsTable } from "../feed/shown.js"
import type { Given } from "../grammar/Grammar.js"
import type { feed as feedSpec } from "../grammar/transcribing.js"
import { isAddress, isOpml, readAll, STANDARD_INPUT } from "../input.js"
import { note } from "../output.js"
import { namedTarget, type Where } from "../remote/target.js"
import { readSince } from "../transcribe/since.js"
import { show } from "./administration/administer.js"

/** A list of subscriptions is far smaller. */
const MOST_BYTES = 8_000_000

/** What reads feeds. Loaded for feeds alone. */
const loadFile = Effect.promise(() => import("../feed/fromFile.js"))

/** What goes through the guarded door. Loaded for addresses alone. */
const loadWeb = Effect.promise(() => import("../feed/fromWeb.js"))

/** Reads it where it is: an address on the web, or as a service sees it where one is in use. */
const read = Effect.fnUntraced(function* (
  source: string,
  wanted: ListingWanted,
  given: Where & { readonly local: boolean },
) {
  const isNamed = given.server !== undefined || given.profile !== undefined
  if (given.local && isNamed) return yield* usage("Give --local, or name a server: not both.")
  if (!isAddress(source)) {
    if (isNamed)
      return yield* usage(
        "A server reads feeds at addresses, and this is a file. Leave out --server and --profile.",
      )
    const { fromFile } = yield* loadFile
    return yield* fromFile(source, wanted)
  }
  const target = yield* namedTarget(given)
  if (target !== null) return yield* fromService(target, source, wanted)
  const { fromWeb } = yield* loadWeb
  return yield* fromWeb(source, wanted)
})

/** What reads lists of feeds. Loaded for lists alone. */
const loadLists = Effect.promise(() => import("../transcribe/readAsked.js"))

/** The episodes that are asked for: to choose, all of them are read. */
const readChosen = Effect.fnUntraced(function* (
  source: string,
  { limit, details }: ListingWanted,
  given: Parameters<typeof read>[2],
  chosen: Parameters<typeof fits>[0],
) {
  if (chosen.since === null && chosen.match === null) return yield* read(source, { limit, details }, given)
  const all = yield* read(source, { limit: Number.MAX_SAFE_INTEGER, details }, given)
  const fit = fits(chosen)
  const data = all.list.data
    .filter(({ published_at, ...episode }) =>
      fit({ ...episode, publishedAt: published_at === null ? null : Date.parse(published_at) }),
    )
    .slice(0, limit)
  const chosenOnes: ListedFeed = { ...all, list: { ...all.list, returned: data.length, data } }
  return chosenOnes
})

/** The feeds of a list of subscriptions. */
const listFeeds = Effect.fnUntraced(function* (
  source: string,
  { json, isChoosing }: { readonly json: boolean; readonly isChoosing: boolean },
) {
  if (isChoosing)
    return yield* usage(
      `--since, --match and --details are about episodes, and ${source} lists feeds. Name one of the feeds instead.`,
    )
  const bytes = yield* readAll(source, MOST_BYTES)
  const { readFeeds } = yield* loadLists
  const list = yield* readFeeds(bytes.toString("utf8"), source)
  const { title, feeds } = list
  yield* show({ total: feeds.length, title, data: feeds }, json, () => opmlAsTable(list))
})

export const feed = (options: Given<typeof feedSpec>) =>
  Effect.gen(function* () {
    if (options.limit < 1) {
      return yield* usage(
        `--limit must be 1 or more: it says how many episodes to list, and got ${options.limit}.`,
      )
    }
    const chosen = {
      since: yield* readSince(options.since),
      match: options.match ?? null,
    }
    if (isOpml(options.source)) {
      const isChoosing = options.details || chosen.since !== null || chosen.match !== null
      return yield* listFeeds(options.source, { json: options.json, isChoosing })
    }
    const { list, isCutOff } = yield* readChosen(options.source, options, options, chosen)
    yield* show(list, options.json, options.details ? asPages : asTable)
    if (!isCutOff) return
    yield* note(
      options.source === STANDARD_INPUT || !isAddress(options.source)
        ? `${options.source}: the feed is cut off before its end; the episodes before the cut are listed`
        : `${options.source}: a part of the feed could not be had; the episodes of the rest are listed`,
    )
  })
