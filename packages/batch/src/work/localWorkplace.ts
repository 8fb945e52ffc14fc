/** The work, done by this machine. */
import { readFile, realpath, stat } from "node:fs/promises"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { OptionsSnapshot } from "@earmark/core/jobs"
import { fileTitle } from "@earmark/core/links"
import type {
  AloneSource,
  MediaDecoder,
  ResolvedFeed,
  ResolvedSource,
  SourceRefused,
  WorkFailed,
} from "@earmark/service"
import { Effect } from "effect"
import type { KnownBySize } from "../library/known.js"
import type { Explain, Problem } from "../Problem.js"
import { SourceFailed } from "../SourceFailed.js"
import { isAddress, isStandardInput } from "../sources/named.js"
import { stateOf } from "../state/fileStates.js"
import { keepInput } from "./keepInput.js"
import { explainRefusal } from "./permission.js"
import type { Transcribers } from "./Transcribers.js"
import {
  type Changed,
  type Found,
  NOTHING_SAID,
  type Show,
  type Source,
  type Tags,
  type Workplace,
} from "./Workplace.js"

/** The address of the media, without a login; null where it is a file. */
const addressOf = (source: AloneSource): string | null =>
  source.type === "file" ? null : (source.resolved.shown.url ?? null)

export interface LocalWorkplaceOptions {
  /** Where what is unfinished is kept. */
  readonly folder: string
  /** Made when a source first needs them: a plan of files does not. */
  readonly transcribers: Effect.Effect<Transcribers>
  /** Tells the length of a file without them, as that of a decoder. */
  readonly measure: MediaDecoder["Type"]["measure"]
  /** That of most sources: what reads links is made for it. */
  readonly language: string | null
  readonly explain: Explain
}

export const makeLocalWorkplace = Effect.fnUntraced(function* (given: LocalWorkplaceOptions) {
  const { folder, measure, explain } = given
  // A source that is stopped does not stop what others wait for.
  const transcribers = yield* Effect.cached(Effect.uninterruptible(given.transcribers))

  const problem = (code: string, found: Problem) => new SourceFailed({ code, message: explain(found) })

  const sourceFailed = (failure: WorkFailed | SourceFailed, address: string | null): SourceFailed =>
    failure._tag === "SourceFailed"
      ? failure
      : (explainRefusal(failure.cause) ?? problem(failure.code, { reason: "work_failed", failure, address }))

  const refusedSource = (refused: SourceRefused): SourceFailed =>
    problem(refused.failure, { reason: "source_refused", refused })

  const transcriberFor = (language: string | null) =>
    Effect.flatMap(transcribers, ({ forLanguage }) => forLanguage(language))

  const reading = transcriberFor(given.language).pipe(
    Effect.map(({ resolver }) => resolver),
    Effect.mapError((failure) => sourceFailed(failure, null)),
  )

  const lookInto = Effect.fnUntraced(function* (path: string, options: OptionsSnapshot, known: KnownBySize) {
    const measured = measure === undefined ? null : yield* measure(path)
    const hope = measured === null ? "opened" : known(measured.bytes)
    // Where nothing is known of media of its size, its container alone tells the length.
    if (measured !== null && hope === "no") return { seconds: measured.durationSeconds, keys: null }
    const { alone } = yield* transcriberFor(options.language)
    if (measured !== null && hope === "unopened") {
      const unopened = alone.unopenedKey(yield* measured.fingerprint, options)
      return { seconds: measured.durationSeconds, keys: { unopened } }
    }
    const { durationSeconds: seconds, keys } = yield* alone.look(path, options)
    return { seconds, keys }
  })

  const look =
    (source: AloneSource, seconds: number | null): Found["look"] =>
    (options, known) =>
      // Only a file is worth the look: a link would be downloaded for it.
      source.type === "found"
        ? Effect.succeed({ seconds, keys: null })
        : Effect.mapError(lookInto(source.path, options, known), (failure) => sourceFailed(failure, null))

  const transcribe =
    (source: AloneSource, title: string | null): Found["transcribe"] =>
    (options, following) =>
      Effect.gen(function* () {
        const { transcribeHere } = yield* Effect.promise(() => import("./transcribeHere.js"))
        const address = addressOf(source)
        const begin = transcribeHere({
          ...{ folder, explain, transcribers: yield* transcribers },
          sourceFailed: (failure) => sourceFailed(failure, address),
        })
        return yield* begin(source, title, options, following)
      })

  const found = (source: AloneSource, facts: Omit<Found, "look" | "transcribe">): Found => ({
    ...facts,
    look: look(source, facts.seconds),
    transcribe: transcribe(source, facts.title),
  })

  const nothing = { ...NOTHING_SAID, shown: { kind: "media" } as const }

  const fromWeb = (resolved: ResolvedSource, show: string | null, more: Partial<Found> = {}): Found =>
    found(
      { type: "found", resolved },
      {
        ...nothing,
        title: resolved.title,
        show,
        guid: resolved.shown.episodeGuid ?? null,
        mediaUrl: resolved.shown.url ?? null,
        seconds: resolved.durationSeconds,
        shown: resolved.shown,
        hasText: resolved.captions.some(({ madeBy }) => madeBy === "people"),
        identity: resolved.identity,
        state: "",
        ...more,
      },
    )

  const find = Effect.fnUntraced(function* (source: Source) {
    switch (source.type) {
      case "link": {
        const { link, episode } = source
        return fromWeb(yield* (yield* reading).resolve({ type: "link", link, episode }), null)
      }
      case "input": {
        const { path, digest } = yield* keepInput(source.path, explain)
        return found({ type: "file", path }, { ...nothing, identity: `input ${digest}`, state: "" })
      }
      case "file": {
        const { path } = source
        const real = yield* Effect.tryPromise(() => realpath(path)).pipe(Effect.orElseSucceed(() => path))
        const publishedAt = yield* Effect.tryPromise(() => stat(path)).pipe(
          Effect.map(({ mtimeMs }) => Math.floor(mtimeMs)),
          Effect.orElseSucceed(() => null),
        )
        const state = (yield* stateOf(path)) ?? ""
        const shown = { kind: "media", url: pathToFileURL(real).href } as const
        const title = fileTitle(path)
        return found({ type: "file", path }, { ...nothing, title, shown, publishedAt, identity: real, state })
      }
    }
  })

  const episodeOf = ({ title }: ResolvedFeed, episode: ResolvedFeed["episodes"][number]) => {
    const { guid, index, publishedAt, link } = episode
    return { ...fromWeb(episode, title, { publishedAt, link }), guid, index }
  }

  const feedIn = Effect.fnUntraced(function* (given: string) {
    const path = isStandardInput(given) ? (yield* keepInput(null, explain)).path : given
    const document = yield* Effect.tryPromise({
      try: () => readFile(path),
      catch: () =>
        new SourceFailed({
          code: "source_not_found",
          message: `The feed ${given} cannot be read; check the path.`,
        }),
    })
    const resolver = yield* reading
    return yield* resolver.readFeed(document, Number.MAX_SAFE_INTEGER)
  }, Effect.scoped)

  const feedAt = (address: string) =>
    Effect.flatMap(reading, (resolver) => resolver.feed(address, Number.MAX_SAFE_INTEGER))

  const placeOf = (link: string, { feedUrl }: ResolvedFeed): string | null => {
    if (isAddress(link)) return feedUrl
    return isStandardInput(link) ? null : resolve(link)
  }

  const changed = Effect.fnUntraced(function* (address: string, { etag, lastModified }: Tags) {
    const { fetcher } = yield* transcribers
    const answer = yield* fetcher.fetch({
      url: address,
      headers: {
        accept: "application/rss+xml, application/atom+xml, */*;q=0.5",
        ...(etag !== null && { "if-none-match": etag }),
        ...(lastModified !== null && { "if-modified-since": lastModified }),
      },
      deadline: 20_000,
      maxBytes: 32 * 1024 * 1024,
      redirects: 8,
    })
    if (answer.status === 304) return { hasChanged: false, tags: { etag, lastModified } }
    const { etag: newTag = null, "last-modified": newTime = null } = answer.headers
    return { hasChanged: true, tags: { etag: newTag, lastModified: newTime } }
  }, Effect.scoped)

  const unknown: Changed = { hasChanged: true, tags: { etag: null, lastModified: null } }

  const workplace: Workplace = {
    server: null,
    takesCredits: Effect.succeed(false),
    changed: (address, tags) => Effect.orElseSucceed(changed(address, tags), () => unknown),
    find: (source) =>
      find(source).pipe(
        Effect.mapError((error) => (error._tag === "SourceRefused" ? refusedSource(error) : error)),
      ),
    show: (link) =>
      (isAddress(link) ? feedAt(link) : feedIn(link)).pipe(
        Effect.mapError((error) => (error._tag === "SourceRefused" ? refusedSource(error) : error)),
        Effect.map((feed): Show => {
          const episodes = feed.episodes.map((episode) => episodeOf(feed, episode))
          return { address: placeOf(link, feed), title: feed.title, episodes }
        }),
      ),
  }
  return workplace
})
