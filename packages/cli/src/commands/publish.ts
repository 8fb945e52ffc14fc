import {
  type AskServer,
  feedTextOf,
  type Publication,
  publicPlaceOf,
  publishAll,
  publishIntoFeed,
  publishSite,
  type SiteRefused,
  type TaggedFeed,
  tagLinesOf,
  takeBackAll,
} from "@earmark/batch"
import { isLoopbackName, ONLY_HERE } from "@earmark/core/links"
import { Effect } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import { VERSION } from "../grammar/commands.js"
import type { Given } from "../grammar/Grammar.js"
import type { publishing } from "../grammar/transcripts.js"
import { isAddress, readAll, STANDARD_INPUT } from "../input.js"
import type { Library } from "../library/Library.js"
import { libraryOf } from "../library/libraryOf.js"
import { note, print, printable, printableJson, writeFile } from "../output.js"
import { askTarget } from "../remote/ask.js"
import { namedTarget, type Target } from "../remote/target.js"
import { counted } from "../transcribe/figures.js"
import { sayDone } from "./administration/administer.js"

type Options = Given<typeof publishing>

const MEGABYTE = 1_000_000

const ADDRESS_OF_SITE = /^https?:\/\/[^/?#][^?#]*$/i

/** Where a site will be, as pages link to it. */
const readBase = (given: string | undefined) => {
  if (given === undefined) return Effect.succeed(null)
  return ADDRESS_OF_SITE.test(given) && URL.canParse(given)
    ? Effect.succeed(given.endsWith("/") ? given : `${given}/`)
    : Effect.fail(
        usage(`"${given}" is no address of a site. Give it as --base-url https://example.org/transcripts/`),
      )
}

const MOST_FEED_BYTES = 256 * 1024 * 1024

// What fetches is large, and loaded for addresses alone.
const loadWeb = Effect.promise(() => import("../feed/fromWeb.js"))

/** A feed to be written anew, from a file or an address. */
const readFeedFile = Effect.fnUntraced(function* (source: string) {
  const bytes = isAddress(source)
    ? yield* (yield* loadWeb).downloadFeed(source)
    : yield* readAll(source, MOST_FEED_BYTES)
  return { source, ...feedTextOf(Buffer.from(bytes)) }
})

const writeFeed = (options: Options, bytes: Uint8Array) => {
  const path = options.output ?? STANDARD_INPUT
  return path === STANDARD_INPUT ? print(bytes) : writeFile(path, [bytes])
}

const tellTags = ({ tagged, items }: TaggedFeed) =>
  note(
    `${tagged} of ${counted(items, "episode")} of the feed ${tagged === 1 ? "has" : "have"} a transcript now.`,
  )

const asSite = (options: Options, out: string, library: Library) =>
  Effect.gen(function* () {
    const baseUrl = yield* readBase(options.baseUrl)
    if (options.feed !== undefined && baseUrl === null)
      return yield* usage("--feed with --out needs --base-url URL: the tags hold the address of the site.")
    const { site, feed } = yield* publishSite(library, {
      ids: options.ids,
      feed: options.feed !== undefined ? yield* readFeedFile(options.feed) : null,
      version: VERSION,
      folder: out,
      title: options.title ?? "Transcripts",
      baseUrl,
    })
    if (baseUrl === null)
      yield* note("Without --base-url URL the site has no feed and no site map: both hold its address.")
    if (feed !== null) {
      if (options.output !== undefined) yield* writeFeed(options, feed.bytes)
      yield* tellTags(feed)
    }
    const { episodes, written, removed, unchanged, bytes } = site
    yield* sayDone(
      { out, ...site },
      options.json,
      `${out} has ${counted(episodes, "transcript")} (${Math.ceil(bytes / MEGABYTE)} MB): ${counted(written, "file")} written, ${unchanged} unchanged, ${removed} removed.`,
    )
  })

/** Addresses that nobody else can open help nobody else. */
const tellWhereRead = (place: string | null) =>
  place !== null && isLoopbackName(new URL(place).hostname) ? note(ONLY_HERE) : Effect.void

const askOf =
  (target: Target): AskServer<CommandFailed> =>
  (work) =>
    askTarget(target, work)

const intoFeed = (options: Options, source: string, target: Target, library: Library) =>
  Effect.gen(function* () {
    const { ids } = options
    const { baseUrl } = target
    const { feed, place } = yield* publishIntoFeed(yield* readFeedFile(source), {
      ask: askOf(target),
      library,
      baseUrl,
      ids,
    })
    yield* writeFeed(options, feed.bytes)
    yield* tellTags(feed)
    yield* tellWhereRead(place)
  })

const shown = (publication: Publication): string =>
  [
    `${printable(publication.title ?? "untitled")} (${publication.transcription_id})`,
    ...publication.files.map(({ url }) => `  ${url}`),
    ...tagLinesOf(publication).map((line) => `  ${line}`),
    "",
  ].join("\n")

const atServer = (options: Options, target: Target) =>
  Effect.gen(function* () {
    if (options.takeBack) {
      const taken = yield* takeBackAll(askOf(target), options.ids)
      const others = options.ids.length - taken.length
      return yield* sayDone(
        { taken_back: taken },
        options.json,
        `${counted(taken.length, "transcript")} taken back${others === 0 ? "" : `, ${others} not public before`}.`,
      )
    }
    const publications = yield* publishAll(askOf(target), options.ids)
    for (const publication of publications)
      yield* print(options.json ? `${printableJson(publication)}\n` : shown(publication))
    yield* tellWhereRead(publicPlaceOf(publications))
  })

/** With the options and commands that help. */
const explained = ({ reason, subject, message }: SiteRefused): CommandFailed => {
  switch (reason) {
    case "foreign_file":
      return failed(
        `${subject} is there already and was not written by earmark publish. Move it, or name another folder with --out.`,
      )
    case "unwritable":
      return failed(`${message} Give it with --out.`)
    case "no_episodes":
      return failed(`${message} Give the RSS or Atom file of a podcast with --feed.`)
    case "not_found":
      return failed(`${message} List them with: earmark jobs list [not_found]`)
    case "no_transcripts_of_feed":
      return failed(
        `${message.replace(/\.$/, "")}: neither its GUID nor the address of its recording fits one. Nothing was written. Give the feed that was transcribed, or name transcripts by their ids.`,
      )
    case "changed_file":
    case "nothing_finished":
    case "unreadable":
      return failed(message)
  }
}

/** The option that needs another one which was not given: it would be ignored. */
const withoutItsOther = ({ out, baseUrl, title, feed, output, takeBack }: Options): string | null => {
  if (out === undefined && baseUrl !== undefined) return "--base-url is for a site: give --out DIR too."
  if (out === undefined && title !== undefined) return "--title is for a site: give --out DIR too."
  if (feed === undefined && output !== undefined)
    return "-o is for a feed: give --feed FEED too. A site goes to --out DIR."
  if (takeBack && feed !== undefined) return "--take-back needs ids, and --feed publishes: give one of them."
  return null
}

export const publish = (options: Options) =>
  Effect.gen(function* () {
    const wrong = withoutItsOther(options)
    if (wrong !== null) return yield* usage(wrong)
    const library = yield* libraryOf(options)
    if (options.out !== undefined) {
      if (options.takeBack)
        return yield* usage(
          "--take-back is for a server. Delete a transcription, or name the others, and write the site again.",
        )
      return yield* asSite(options, options.out, library)
    }
    const target = yield* namedTarget(options)
    if (target === null)
      return yield* usage(
        "The library of this machine has no addresses of its own. Write a site with --out DIR, or name a server with --server.",
      )
    if (options.feed !== undefined) return yield* intoFeed(options, options.feed, target, library)
    if (options.ids.length === 0)
      return yield* usage("earmark publish needs ids, --feed FILE or --out DIR. See earmark publish --help.")
    return yield* atServer(options, target)
  }).pipe(Effect.catchTag("SiteRefused", (refused) => Effect.fail(explained(refused))))
