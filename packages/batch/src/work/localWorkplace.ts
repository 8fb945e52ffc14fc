/** The work, done by this machine. */
import { readFile, realpath, stat } from "node:fs/promises"
import { basename, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { OptionsSnapshot } from "@earmark/core/jobs"
import {
  type AloneSource,
  exportOf,
  Fetcher,
  type Finished,
  type makeTranscribeAlone,
  type ResolvedFeed,
  type ResolvedSource,
  type SourceRefused,
  type SourceResolver,
  type WorkFailed,
} from "@earmark/service"
import { Data, Effect, Either } from "effect"
import type { Explain, Problem } from "../Problem.js"
import { SourceFailed } from "../SourceFailed.js"
import { isAddress, isStandardInput } from "../sources/named.js"
import { stateOf } from "../state/fileStates.js"
import { keepUnfinished, type Unfinished } from "../state/unfinished.js"
import { keepInput } from "./keepInput.js"
import { knownNames } from "./knownNames.js"
import { explainRefusal } from "./permission.js"
import type { SourceObserver } from "./SourceObserver.js"
import type { Changed, Facts, Following, Found, Made, Show, Source, Tags, Workplace } from "./Workplace.js"

/** The address of the media, without a login; null where it is a file. */
const addressOf = (source: AloneSource): string | null =>
  source.type === "file" ? null : (source.resolved.shown.url ?? null)

const speakersOf = ({ content }: Finished): number =>
  new Set(content.segments.flatMap(({ speaker }) => (speaker === null ? [] : [speaker]))).size

/** What transcribes, for one language. */
export interface Transcriber {
  readonly alone: Effect.Effect.Success<typeof makeTranscribeAlone>
  readonly resolver: SourceResolver["Type"]
  /** False once there are better models for it. */
  readonly isCurrent: () => boolean
}

export interface Transcribers {
  readonly forLanguage: (language: string | null) => Effect.Effect<Transcriber, WorkFailed>
  /** Models have come: what is made from now on uses them. */
  readonly renew: Effect.Effect<void>
}

export interface LocalWorkplaceOptions {
  /** Where what is unfinished is kept. */
  readonly folder: string
  readonly transcribers: Transcribers
  /** The language that most sources are in is made ready first. */
  readonly language: string | null
  /** Gets the models that are missing for a recording; whether any came. */
  readonly getModels: (options: OptionsSnapshot, observer: SourceObserver) => Effect.Effect<boolean>
  /** Fails where no engine is here, or none that knows the language. */
  readonly listening: (language: string | null) => Effect.Effect<void, WorkFailed>
  readonly explain: Explain
}

/** Models have come while a source was looked at: it begins again, with the engine that they make. */
class ModelsCame extends Data.TaggedError("ModelsCame") {}

const tellKept = ({ line }: Following, { kept }: Unfinished) =>
  Effect.suspend(() => {
    const { spans, seconds, folder } = kept()
    return line.notice({ type: "source_stopped", source: line.name, spans, seconds, folder })
  })

const inSeconds = <Place extends { readonly start: number; readonly end: number }>(place: Place): Place => ({
  ...place,
  start: place.start / 1000,
  end: place.end / 1000,
})

export const makeLocalWorkplace = Effect.fnUntraced(function* (given: LocalWorkplaceOptions) {
  const { folder, transcribers, getModels, listening, explain } = given
  const fetcher = yield* Fetcher
  const { resolver } = yield* transcribers.forLanguage(given.language)

  const problem = (code: string, found: Problem) => new SourceFailed({ code, message: explain(found) })

  const sourceFailed = (failure: WorkFailed | SourceFailed, address: string | null): SourceFailed =>
    failure._tag === "SourceFailed"
      ? failure
      : (explainRefusal(failure.cause) ?? problem(failure.code, { reason: "work_failed", failure, address }))

  const refusedSource = (refused: SourceRefused): SourceFailed =>
    problem(refused.failure, { reason: "source_refused", refused })

  /** Whoever begins behind the end has the wrong file or the wrong time; to hear nothing would tell neither. */
  const beginsInside = ({ startAt }: OptionsSnapshot, length: number | null) =>
    startAt === null || length === null || startAt < length * 1000
      ? Effect.void
      : problem("no_speech", { reason: "starts_after_end", start: startAt / 1000, length })

  const made = (title: string | null, finished: Finished, unfinished: Unfinished, heard: number): Made => {
    const { content, origin, engine, durationSeconds, wordCount, warnings, enrichment } = finished
    const facts: Facts = {
      id: null,
      origin,
      engine,
      language: content.language,
      durationSeconds,
      words: wordCount,
      speakers: speakersOf(finished),
      heardSeconds: origin === "engine" ? heard * unfinished.kept().freshShare : 0,
      summary: content.summary,
      warnings,
      gaps: (finished.integrity?.gaps ?? []).map(inSeconds),
      doubts: (finished.integrity?.doubts ?? []).map(inSeconds),
      wordTiming: finished.wordTiming,
      enrichment,
    }
    const exporting: Made["export"] = (format, { wordLevel, layout }) => {
      const { speakerNames = {}, wordTiming, integrity } = finished
      const job = { id: null, title, durationSeconds, speakerNames, wordTiming, integrity }
      const { translation } = content
      const translated = translation !== null && { language: translation.language }
      const query = { format, wordLevel, ...layout, ...translated }
      return Either.match(exportOf(job, content, query), {
        onLeft: ({ code, message }) =>
          Effect.fail(new SourceFailed({ code, message: `${format}: ${message}` })),
        onRight: ({ chunks }) => Effect.succeed(chunks),
      })
    }
    const named: Made["named"] = (asked, notice) => {
      const { names, missing } = knownNames(asked, content.segments, finished.speakerNames)
      const speakerNames = Object.fromEntries(
        Object.entries({ ...finished.speakerNames, ...names }).flatMap(([label, name]) =>
          name === null ? [] : [[label, name]],
        ),
      )
      return Effect.as(
        missing.length === 0 ? Effect.void : notice({ type: "speakers_missing", labels: missing }),
        made(title, { ...finished, speakerNames }, unfinished, heard),
      )
    }
    return { facts, finished, export: exporting, named, settled: unfinished.discard }
  }

  const transcribe =
    (source: AloneSource, title: string | null): Found["transcribe"] =>
    (options, following) => {
      const { line, allow, known } = following
      const unfinished = keepUnfinished({
        folder,
        report: line.progress,
        onResume: line.notice({ type: "resumed", source: line.name }),
        onTrouble: (detail) => line.notice({ type: "not_resumable", source: line.name, detail }),
      })
      const watching = {
        checkpoints: unfinished.checkpoints,
        follow: ({
          start,
          words,
        }: {
          readonly start: number
          readonly words: ReadonlyArray<{ readonly text: string; readonly speaker: string | null }>
        }) => {
          // Of a channel that is one speaker all words have its label.
          const speaker = words[0]?.speaker ?? null
          const text = words.map((word) => word.text).join(" ")
          return line.heard(start, speaker === null ? text : `${speaker}: ${text}`)
        },
        phase: line.phase,
        known,
      }
      const { startAt, endAt, language } = options
      const attempt = Effect.gen(function* () {
        const { alone, isCurrent } = yield* transcribers.forLanguage(language)
        const models = Effect.gen(function* () {
          const came = yield* getModels(options, line)
          if (came) yield* transcribers.renew
          if (!isCurrent()) return yield* new ModelsCame()
        })
        return yield* alone.transcribe<SourceFailed | ModelsCame>(source, options, {
          ...watching,
          listening: (seconds, isOpen) =>
            beginsInside(options, isOpen ? seconds : null).pipe(
              Effect.zipRight(models),
              Effect.zipRight(listening(language)),
              Effect.zipRight(allow(seconds, isOpen)),
            ),
        })
      })
      const again = Effect.retry(attempt, { while: ({ _tag }) => _tag === "ModelsCame" })
      return again.pipe(
        Effect.catchTag("ModelsCame", Effect.die),
        Effect.mapError((failure) => sourceFailed(failure, addressOf(source))),
        Effect.map((finished) => {
          const end = Math.min(finished.durationSeconds, (endAt ?? Number.POSITIVE_INFINITY) / 1000)
          return made(title, finished, unfinished, Math.max(0, end - (startAt ?? 0) / 1000))
        }),
        Effect.onInterrupt(() => Effect.zipRight(line.end, tellKept(following, unfinished))),
      )
    }

  const look =
    (source: AloneSource, seconds: number | null): Found["look"] =>
    (options, mayBeKnown) => {
      // Only a file is worth the look: a link would be downloaded for it.
      if (source.type === "found") return Effect.succeed({ seconds, keys: null })
      return transcribers.forLanguage(options.language).pipe(
        Effect.flatMap(({ alone }) => alone.look(source.path, options, mayBeKnown)),
        Effect.map(({ durationSeconds, keys }) => ({ seconds: durationSeconds, keys })),
        Effect.mapError((failure) => sourceFailed(failure, addressOf(source))),
      )
    }

  const found = (source: AloneSource, facts: Omit<Found, "look" | "transcribe">): Found => ({
    ...facts,
    look: look(source, facts.seconds),
    transcribe: transcribe(source, facts.title),
  })

  const nothing = {
    title: null,
    show: null,
    publishedAt: null,
    guid: null,
    link: null,
    mediaUrl: null,
    seconds: null,
    hasText: false,
    shown: { kind: "media" } as const,
  }

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
        return fromWeb(yield* resolver.resolve({ type: "link", link, episode }), null)
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
        const title = basename(path)
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
    return yield* resolver.readFeed(document, Number.MAX_SAFE_INTEGER)
  }, Effect.scoped)

  const placeOf = (link: string, { feedUrl }: ResolvedFeed): string | null => {
    if (isAddress(link)) return feedUrl
    return isStandardInput(link) ? null : resolve(link)
  }

  const changed = Effect.fnUntraced(function* (address: string, { etag, lastModified }: Tags) {
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
      (isAddress(link) ? resolver.feed(link, Number.MAX_SAFE_INTEGER) : feedIn(link)).pipe(
        Effect.mapError((error) => (error._tag === "SourceRefused" ? refusedSource(error) : error)),
        Effect.map((feed): Show => {
          const episodes = feed.episodes.map((episode) => episodeOf(feed, episode))
          return { address: placeOf(link, feed), title: feed.title, episodes }
        }),
      ),
  }
  return workplace
})
