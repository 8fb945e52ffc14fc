import { type FeedText, finishedJobs, isInFeed, type SiteRefused, tagsInto, writeSite } from "@earmark/batch"
import { isLoopbackName, ONLY_HERE } from "@earmark/core/links"
import { siteFeed, siteTags } from "@earmark/core/publishing"
import { Effect, Option } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import { VERSION } from "../grammar/commands.js"
import type { Given } from "../grammar/Grammar.js"
import type { publishing } from "../grammar/transcripts.js"
import { STANDARD_INPUT } from "../input.js"
import type { Library } from "../library/Library.js"
import { libraryOf } from "../library/libraryOf.js"
import { note, print, printable, printableJson, writeFile } from "../output.js"
import { linesOf, type Publication, placeOf, publishAll, takeBackAll } from "../publish/atServer.js"
import { readFeedFile } from "../publish/feedFile.js"
import type { Target } from "../remote/keys.js"
import { namedTarget } from "../remote/target.js"
import { counted } from "../transcribe/figures.js"
import { sayDone } from "./administration/administer.js"

type Options = Given<typeof publishing>

const MEGABYTE = 1_000_000

const ADDRESS_OF_SITE = /^https?:\/\/[^/?#][^?#]*$/i

/** Where a site will be, as pages link to it. */
const readBase = (given: Option.Option<string>) => {
  if (Option.isNone(given)) return Effect.succeed(null)
  const { value } = given
  return ADDRESS_OF_SITE.test(value) && URL.canParse(value)
    ? Effect.succeed(value.endsWith("/") ? value : `${value}/`)
    : Effect.fail(
        usage(`"${value}" is no address of a site. Give it as --base-url https://example.org/transcripts/`),
      )
}

const writeFeed = (options: Options, bytes: Uint8Array) => {
  const path = Option.getOrElse(options.output, () => STANDARD_INPUT)
  return path === STANDARD_INPUT ? print(bytes) : writeFile(path, [bytes])
}

const toldTags = (tagged: number, items: number): string =>
  `${tagged} of ${counted(items, "episode")} of the feed ${tagged === 1 ? "has" : "have"} a transcript now.`

type Finished = Effect.Effect.Success<ReturnType<typeof finishedJobs>>[number]

const episodeOf = ({ id, source }: Finished) => ({
  id,
  guid: source.episode_guid ?? null,
  mediaUrl: source.url ?? null,
})

/** Whether a transcript is of an episode of this feed. */
const isOf = (feed: FeedText) => {
  const has = isInFeed(feed)
  return (job: Finished): boolean => has(episodeOf(job))
}

const asSite = (options: Options, out: string, library: Library) =>
  Effect.gen(function* () {
    const baseUrl = yield* readBase(options.baseUrl)
    if (Option.isSome(options.feed) && baseUrl === null)
      return yield* usage("--feed with --out needs --base-url URL: the tags hold the address of the site.")
    const feed = Option.isSome(options.feed) ? yield* readFeedFile(options.feed.value) : null
    const finished = yield* finishedJobs(library, options.ids)
    // With a feed, nothing else of the library gets into the web, unless it is named.
    const jobs = feed === null || options.ids.length > 0 ? finished : finished.filter(isOf(feed))
    if (feed !== null && Option.isSome(options.feed)) {
      // A feed that cannot be tagged is refused before anything is written.
      yield* tagsInto(options.feed.value, feed, [], baseUrl ?? "")
      // A wrong feed would take every page away.
      if (jobs.length === 0)
        return yield* failed(
          `No episode of ${options.feed.value} has a transcript here: neither its GUID nor the address of its recording fits one. Nothing was written. Give the feed that was transcribed, or name transcripts by their ids.`,
        )
    }
    if (baseUrl === null)
      yield* note("Without --base-url URL the site has no feed and no site map: both hold its address.")
    const made = yield* writeSite(library, jobs, {
      version: VERSION,
      folder: out,
      title: Option.getOrElse(options.title, () => "Transcripts"),
      baseUrl,
      feedOf: (site) =>
        Effect.gen(function* () {
          if (Option.isNone(options.feed) || feed === null) return [siteFeed(site.baseUrl, site)]
          const episodes = site.episodes.map((episode) => ({
            ...episode,
            tags: siteTags(site.baseUrl, episode),
          }))
          const { bytes, items, tagged } = yield* tagsInto(options.feed.value, feed, episodes, site.baseUrl)
          yield* note(toldTags(tagged, items))
          if (Option.isSome(options.output)) yield* writeFeed(options, bytes)
          return [bytes]
        }),
    })
    const { episodes, written, removed, unchanged, bytes } = made
    yield* sayDone(
      { out, ...made },
      options.json,
      `${out} has ${counted(episodes, "transcript")} (${Math.ceil(bytes / MEGABYTE)} MB): ${counted(written, "file")} written, ${unchanged} unchanged, ${removed} removed.`,
    )
  })

/** Addresses that nobody else can open help nobody else. */
const tellWhereRead = (place: string | null) =>
  place !== null && isLoopbackName(new URL(place).hostname) ? note(ONLY_HERE) : Effect.void

const intoFeed = (options: Options, source: string, target: Target, library: Library) =>
  Effect.gen(function* () {
    const feed = yield* readFeedFile(source)
    const chosen = (yield* finishedJobs(library, options.ids)).filter(isOf(feed)).map(episodeOf)
    const publications = yield* publishAll(
      target,
      chosen.map(({ id }) => id),
    )
    const places = new Map(publications.map((each) => [each.transcription_id, linesOf(each)]))
    const episodes = chosen.map((each) => ({ ...each, tags: places.get(each.id) ?? [] }))
    const own = placeOf(publications) ?? `${target.baseUrl}/p/`
    const { bytes, items, tagged } = yield* tagsInto(source, feed, episodes, own)
    yield* writeFeed(options, bytes)
    yield* note(toldTags(tagged, items))
    yield* tellWhereRead(placeOf(publications))
  })

const shown = (publication: Publication): string =>
  [
    `${printable(publication.title ?? "untitled")} (${publication.transcription_id})`,
    ...publication.files.map(({ url }) => `  ${url}`),
    ...linesOf(publication).map((line) => `  ${line}`),
    "",
  ].join("\n")

const atServer = (options: Options, target: Target) =>
  Effect.gen(function* () {
    if (options.takeBack) {
      const taken = yield* takeBackAll(target, options.ids)
      const others = options.ids.length - taken.length
      return yield* sayDone(
        { taken_back: taken },
        options.json,
        `${counted(taken.length, "transcript")} taken back${others === 0 ? "" : `, ${others} not public before`}.`,
      )
    }
    const publications = yield* publishAll(target, options.ids)
    for (const publication of publications)
      yield* print(options.json ? `${printableJson(publication)}\n` : shown(publication))
    yield* tellWhereRead(placeOf(publications))
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
    case "changed_file":
    case "nothing_finished":
    case "unreadable":
      return failed(message)
  }
}

/** The option that needs another one which was not given: it would be ignored. */
const withoutItsOther = ({ out, baseUrl, title, feed, output, takeBack }: Options): string | null => {
  if (Option.isNone(out) && Option.isSome(baseUrl)) return "--base-url is for a site: give --out DIR too."
  if (Option.isNone(out) && Option.isSome(title)) return "--title is for a site: give --out DIR too."
  if (Option.isNone(feed) && Option.isSome(output))
    return "-o is for a feed: give --feed FEED too. A site goes to --out DIR."
  if (takeBack && Option.isSome(feed)) return "--take-back needs ids, and --feed publishes: give one of them."
  return null
}

export const publish = (options: Options) =>
  Effect.gen(function* () {
    const wrong = withoutItsOther(options)
    if (wrong !== null) return yield* usage(wrong)
    const library = yield* libraryOf(options)
    if (Option.isSome(options.out)) {
      if (options.takeBack)
        return yield* usage(
          "--take-back is for a server. Delete a transcription, or name the others, and write the site again.",
        )
      return yield* asSite(options, options.out.value, library)
    }
    const target = yield* namedTarget(options)
    if (target === null)
      return yield* usage(
        "The library of this machine has no addresses of its own. Write a site with --out DIR, or name a server with --server.",
      )
    if (Option.isSome(options.feed)) return yield* intoFeed(options, options.feed.value, target, library)
    if (options.ids.length === 0)
      return yield* usage("earmark publish needs ids, --feed FILE or --out DIR. See earmark publish --help.")
    return yield* atServer(options, target)
  }).pipe(Effect.catchTag("SiteRefused", (refused) => Effect.fail(explained(refused))))
