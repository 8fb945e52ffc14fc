/** Keeps what this machine transcribes, beside the results: so that it can be listed, shown, exported and searched later. */
import { existsSync } from "node:fs"
import { hostname } from "node:os"
import { resolve } from "node:path"
import { FailureCode, failureOf, JobId, JobSummary, type OptionsSnapshot } from "@earmark/core/jobs"
import { onUse } from "@earmark/core/onUse"
import { type Content, type Finished, isHeard, type Known, type MediaKeys } from "@earmark/service"
import { Cause, Clock, DateTime, Effect, Exit, Option, Schema } from "effect"
import type { Asked, NewNames } from "../Asked.js"
import { type Explain, explainPlainly } from "../Problem.js"
import type { SourceFailed } from "../SourceFailed.js"
import type { Item } from "../sources/sources.js"
import { publisherOf, type Target } from "../state/made.js"
import { startOf } from "../state/processes.js"
import type { Found, Made } from "../work/Workplace.js"
import { editsPath } from "./editsFile.js"
import { headPath, idOf } from "./entries.js"
import { type Head, resultsIn } from "./Head.js"
import { type KnownBySize, type KnownKeys, makeKnown, type Wanted } from "./known.js"
import { pack } from "./packed.js"
import { readRevised } from "./revisedContent.js"
import { makeWriter } from "./writeEntries.js"

/** What is about to be transcribed. */
export interface Work {
  readonly item: Item
  readonly asked: Pick<Asked, "wordLevel">
  readonly options: OptionsSnapshot
  readonly found: Found
  readonly targets: ReadonlyArray<Target>
  /** When it began. */
  readonly began: number
}

/** What is kept of it. */
interface Kept {
  /** Told how the work ended. */
  readonly ended: (exit: Exit.Exit<Made, SourceFailed>) => Effect.Effect<void>
  /** Told once it has ended: these results could not be written. */
  readonly unwritten: (targets: ReadonlyArray<Target>) => Effect.Effect<void>
  /** What its speakers were called, the last time that it was heard. */
  readonly names: () => NewNames
  /** Its id in the library; null when it is not there. */
  readonly id: () => string | null
  /** Once it has ended: its text with the corrections that people have made; null without any. */
  readonly newest: () => Content | null
  /** A finished transcript that was made under one of these keys, to stand for the one that is wanted. */
  readonly known: (keys: MediaKeys) => Effect.Effect<Known | null>
}

/** Never fails, and never stops the work. */
export interface Keeper {
  /** Told of work that begins. */
  readonly begin: (work: Work) => Effect.Effect<Kept>
  /** Whether work on media of this size might need no hearing, and what tells. */
  readonly mayHave: KnownBySize
  /** Whether work with these keys would need no hearing. */
  readonly has: (keys: KnownKeys) => Effect.Effect<boolean>
}

const nothing: Kept = {
  ended: () => Effect.void,
  unwritten: () => Effect.void,
  names: () => ({}),
  id: () => null,
  newest: () => null,
  known: () => Effect.succeed(null),
}

export const keepNothing: Keeper = {
  begin: () => Effect.succeed(nothing),
  mayHave: () => "no",
  has: () => Effect.succeed(false),
}

export interface KeeperOptions {
  /** The folder of the library. */
  readonly folder: string
  /** The engine that was asked for by its name. */
  readonly engine: string | null
  /** Whether all is heard, also what is finished already. */
  readonly hearsAgain: boolean
  /** Something cannot be kept. */
  readonly onTrouble: (message: string) => Effect.Effect<void>
  readonly explain?: Explain
}

const encode = onUse(() => Schema.encodeSync(JobSummary))
const isFailureCode = Schema.is(FailureCode)
const moment = DateTime.unsafeMake<number>

const titleOf = ({ item, found }: Work): string | null =>
  found.title ?? (item.type === "input" ? item.name : null)

const commonOf = (id: string, work: Work) => {
  const { item, found, options, targets, began } = work
  const { qualityExplicit: _, ...shownOptions } = options
  return {
    id: JobId.make(id),
    title: titleOf(work),
    source: found.shown ?? { kind: "media" as const },
    options: shownOptions,
    language: options.language,
    durationSeconds: found.seconds === null ? null : Math.round(found.seconds),
    wordCount: null,
    billedMinutes: null,
    cached: false,
    origin: null,
    engine: null,
    wordTiming: null,
    metadata: {
      source: item.name,
      ...(found.show !== null && { show: found.show }),
      ...(targets.length > 0 && { results: targets.map(({ path }) => resolve(path)) }),
    },
    batchId: null,
    createdAt: moment(began),
    startedAt: moment(began),
    expiresAt: null,
    enrichment: {},
    integrity: null,
    warnings: [],
  }
}

/** The work while it is under way. */
const queued = (id: string, work: Work): JobSummary => ({
  ...commonOf(id, work),
  status: "queued",
  phase: "transcribing",
  progress: 0,
  completedAt: null,
  error: null,
  failure: null,
})

const failed = (id: string, work: Work, code: FailureCode, error: string, now: number): JobSummary => ({
  ...commonOf(id, work),
  status: "failed",
  phase: null,
  progress: 0,
  completedAt: moment(now),
  error,
  failure: failureOf(code, { attempts: 1 }),
})

const done = (id: string, work: Work, finished: Finished, now: number): JobSummary => {
  const { content, origin, engine, wordTiming, detectedLanguage, durationSeconds, wordCount } = finished
  const { enrichment, integrity, warnings } = finished
  return {
    ...commonOf(id, work),
    status: "done",
    phase: null,
    progress: 1,
    completedAt: moment(now),
    error: null,
    failure: null,
    language: content.language,
    ...(detectedLanguage !== null && { detectedLanguage }),
    durationSeconds: Math.round(durationSeconds),
    wordCount,
    billedMinutes: 0,
    cached: origin === "cache",
    origin,
    engine,
    wordTiming,
    enrichment,
    integrity,
    warnings,
  }
}

const sourceOf = (item: Item): string | null => {
  if (item.type === "file") return resolve(item.path)
  if (item.type === "episode") return item.show.address
  return item.type === "link" ? item.name : null
}

const episodeOf = ({ item, found }: Work): string | null => {
  if (item.type === "episode") return item.episode.guid
  return item.type === "link" ? found.guid : null
}

/** With the results of earlier runs, which are another format, or somewhere else: as far as they are still there. */
const withResults = (job: JobSummary, before: Head | null): JobSummary => {
  const own = resultsIn(job.metadata)
  const others = resultsIn(before?.job.metadata).filter((path) => !own.includes(path) && existsSync(path))
  return others.length === 0 ? job : { ...job, metadata: { ...job.metadata, results: [...others, ...own] } }
}

const withoutResults = (head: Head, targets: ReadonlyArray<Target>): Head => {
  const { results: _, ...metadata } = head.job.metadata ?? {}
  const paths = targets.map(({ path }) => resolve(path))
  const results = resultsIn(head.job.metadata).filter((path) => !paths.includes(path))
  return {
    ...head,
    job: { ...head.job, metadata: results.length === 0 ? metadata : { ...metadata, results } },
  }
}

/** What was heard stands where revisions cannot be read. */
const newestOf = (folder: string, id: string): Content | null => {
  try {
    const { content, revision } = readRevised(folder, id)
    return revision === 0 ? null : content
  } catch {
    return null
  }
}

const own = { pid: process.pid, started: startOf(process.pid), host: hostname() }

export const makeKeeper = ({
  folder,
  engine,
  hearsAgain,
  onTrouble,
  explain = explainPlainly,
}: KeeperOptions): Keeper => {
  const headOf = (
    job: JobSummary,
    work: Work,
    keys: MediaKeys | null,
    speakers: Finished["speakerNames"] = {},
  ): Head => ({
    version: 1,
    job: encode()(job),
    again: {
      source: sourceOf(work.item),
      episode: episodeOf(work),
      engine,
      quality_explicit: work.options.qualityExplicit,
      word_level: work.asked.wordLevel,
      ...(work.options.channels === true && { channels: true }),
      places: work.targets.map(({ format, path }) => ({ format, path: resolve(path) })),
    },
    ...(keys !== null && { key: keys.whole }),
    ...(keys !== null && keys.heard !== keys.whole && { heard: keys.heard }),
    ...(keys?.bytes !== undefined && { bytes: keys.bytes }),
    ...(keys !== null && { unopened: keys.unopened }),
    ...(Object.keys(speakers).length > 0 && { speakers }),
    run: job.status === "queued" ? own : null,
  })

  const writer = makeWriter(folder)
  const known = makeKnown(folder)
  const find = (keys: KnownKeys, wanted: Wanted | null = null) =>
    hearsAgain
      ? Effect.succeed(null)
      : Effect.orElseSucceed(
          Effect.try(() => known.find(keys, wanted)),
          () => null,
        )

  let hasTold = false
  /** Answers whether it could. Whatever goes wrong in here is told once, and nothing else comes of it. */
  const attempt = (keep: (now: number) => Promise<unknown>): Effect.Effect<boolean> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.tryPromise({
        try: () => keep(now),
        catch: (cause) => (cause instanceof Error ? cause.message : String(cause)),
      }).pipe(
        Effect.as(true),
        Effect.catchAll((message) => {
          const telling = hasTold ? Effect.void : onTrouble(message)
          hasTold = true
          return Effect.as(telling, false)
        }),
      ),
    )

  const begin: Keeper["begin"] = (work) =>
    Effect.gen(function* () {
      const { found, options } = work
      let keys: MediaKeys | null = null
      const asked = JSON.stringify([options, engine])
      // What publishers write is kept apart, though they name the same media.
      const identity = found.hasText ? JSON.stringify([found.identity, publisherOf(found)]) : found.identity
      const id = idOf({ identity, state: found.state, asked })
      /** Only what was heard as it was asked for stands for anything else. */
      const put = (make: (now: number) => JobSummary, finished?: Finished) =>
        attempt(async (now) => {
          const before = finished === undefined ? null : await writer.doneBefore(id, now)
          const job = withResults(make(now), before)
          const stands = finished !== undefined && isHeard(finished)
          const head = headOf(job, work, stands ? keys : null, finished?.speakerNames)
          await writer.put(head, finished === undefined ? null : await pack(finished.content), now)
          known.add(head, { id, path: headPath(folder, head.job) })
        })
      const keepEnd = (exit: Exit.Exit<Made, SourceFailed>): Effect.Effect<boolean> => {
        if (Exit.isSuccess(exit)) {
          const { finished } = exit.value
          if (finished === null) return Effect.succeed(false)
          return put((now) => done(id, work, finished, now), finished)
        }
        const failure = Option.getOrNull(Cause.failureOption(exit.cause))
        if (failure === null && Cause.isInterrupted(exit.cause))
          return put((now) => failed(id, work, "canceled", explain({ reason: "stopped" }), now))
        const { code, message } = failure ?? { code: "internal_error", message: "" }
        // What says nothing of the source is no end of it: a cap, or a folder of this machine.
        return isFailureCode(code)
          ? put((now) => failed(id, work, code, message, now))
          : attempt((now) => writer.takeBack(id, now))
      }
      let names: NewNames = {}
      yield* attempt(async (now) => {
        names = (await writer.doneBefore(id, now))?.speakers ?? {}
      })
      let isKept = yield* put(() => queued(id, work))
      const ended: Kept["ended"] = (exit) =>
        Effect.map(keepEnd(exit), (could) => {
          isKept = could
        })
      const unwritten: Kept["unwritten"] = (targets) =>
        attempt(async (now) => {
          const head = isKept ? await writer.doneBefore(id, now) : null
          if (head !== null) await writer.put(withoutResults(head, targets), null, now)
        })
      return {
        ended,
        unwritten,
        names: () => names,
        id: () => (isKept ? id : null),
        newest: () => (isKept && existsSync(editsPath(folder, id)) ? newestOf(folder, id) : null),
        known: (asked) =>
          Effect.suspend(() => {
            keys = asked
            return find(asked, { id, source: sourceOf(work.item), episode: episodeOf(work) })
          }),
      }
    })

  const mayHave: KnownBySize = (bytes) => {
    if (hearsAgain) return "no"
    try {
      return known.bySize(bytes)
    } catch {
      return "no"
    }
  }

  return { begin, mayHave, has: (keys) => Effect.map(find(keys), (found) => found !== null) }
}
