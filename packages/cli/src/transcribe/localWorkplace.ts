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
  type ResolvedFeed,
  type ResolvedSource,
  type SourceRefused,
  type WorkFailed,
} from "@earmark/service"
import { Data, Effect, Either } from "effect"
import { isAddress, isStandardInput } from "../input.js"
import { explainFailure } from "./explain.js"
import { clockOf } from "./figures.js"
import { stateOf } from "./fileStates.js"
import type { GetModels } from "./getModels.js"
import { keepInput } from "./keepInput.js"
import { explainRefusal } from "./permission.js"
import { SourceFailed } from "./SourceFailed.js"
import { sentenceOf } from "./sentences.js"
import type { StaffRoom } from "./staff.js"
import { keepUnfinished, type Unfinished } from "./unfinished.js"
import type { Changed, Facts, Following, Found, Made, Show, Source, Tags, Workplace } from "./Workplace.js"

/** The address of the media, without a login; null where it is a file. */
const addressOf = (source: AloneSource): string | null =>
  source.type === "file" ? null : (source.resolved.shown.url ?? null)

/** A failure of the work, as the one who runs the command is told of it. */
const sourceFailed = (failure: WorkFailed | SourceFailed, address: string | null): SourceFailed =>
  failure._tag === "SourceFailed"
    ? failure
    : (explainRefusal(failure.cause) ??
      new SourceFailed({ code: failure.code, message: explainFailure(failure, address) }))

const refusedSource = (refused: SourceRefused): SourceFailed =>
  new SourceFailed({ code: refused.failure, message: sentenceOf(refused) })

const speakersOf = ({ content }: Finished): number =>
  new Set(content.segments.flatMap(({ speaker }) => (speaker === null ? [] : [speaker]))).size

const noSuchSpeakers = (labels: ReadonlyArray<string>): string =>
  `  --speakers: this transcript has no ${labels.join(" and no ")}.`

interface Options {
  /** Where what is unfinished is kept. */
  readonly folder: string
  /** Who hears; the language that most sources are in is made ready first. */
  readonly staff: StaffRoom
  readonly language: string | null
  /** Gets the models that are missing for a recording; whether any came. */
  readonly getModels: GetModels
  /** Fails where no engine is here, or none that knows the language. */
  readonly listening: (language: string | null) => Effect.Effect<void, WorkFailed>
}

/** Models have come while a source was looked at: it begins again, with the engine that they make. */
class ModelsCame extends Data.TaggedError("ModelsCame") {}

const tellKept = ({ line }: Following, { kept }: Unfinished) =>
  Effect.suspend(() => {
    const { spans, seconds, folder } = kept()
    if (folder === null)
      return line.note(`${line.name}: stopped, and nothing could be kept; the same command begins it again.`)
    return line.note(
      spans === 0
        ? `${line.name}: stopped before anything was heard; the same command begins it again.`
        : `${line.name}: stopped at ${clockOf(seconds)} (kept in ${folder}); the same command goes on there.`,
    )
  })

/** Whoever begins behind the end has the wrong file or the wrong time; to hear nothing would tell neither. */
const beginsInside = ({ startAt }: OptionsSnapshot, seconds: number | null) =>
  startAt === null || seconds === null || startAt < seconds * 1000
    ? Effect.void
    : new SourceFailed({
        code: "no_speech",
        message: `--start ${clockOf(startAt / 1000)} is behind its end: it is ${clockOf(seconds)} long.`,
      })

const inSeconds = <Place extends { readonly start: number; readonly end: number }>(place: Place): Place => ({
  ...place,
  start: place.start / 1000,
  end: place.end / 1000,
})

export const makeLocalWorkplace = Effect.fnUntraced(function* (given: Options) {
  const { folder, staff, getModels, listening } = given
  const fetcher = yield* Fetcher
  const { resolver } = yield* staff.staffFor(given.language)

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
    const named: Made["named"] = (names, note) => {
      const labels = new Set(content.segments.map(({ speaker }) => speaker))
      const missing = Object.keys(names).filter((label) => !labels.has(label))
      const speakerNames = Object.fromEntries(
        Object.entries({ ...finished.speakerNames, ...names }).flatMap(([label, name]) =>
          name === null || missing.includes(label) ? [] : [[label, name]],
        ),
      )
      return Effect.as(
        missing.length === 0 ? Effect.void : note(noSuchSpeakers(missing)),
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
        onResume: line.note(`${line.name}: going on with what an earlier run has heard.`),
        onTrouble: (message) =>
          line.note(`${line.name}: what is heard cannot be kept for another run (${message}).`),
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
        const { alone, isCurrent } = yield* staff.staffFor(language)
        const models = Effect.gen(function* () {
          const came = yield* Effect.provideService(getModels(options, line), Fetcher, fetcher)
          if (came) yield* staff.renew
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
      return staff.staffFor(options.language).pipe(
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
        const { path, digest } = yield* keepInput(source.path)
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
    const path = isStandardInput(given) ? (yield* keepInput(null)).path : given
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
