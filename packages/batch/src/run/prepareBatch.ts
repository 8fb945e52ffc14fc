/** A run over sources that were named: everything that it is made of, but who does the work. */
import { appendFile, open, stat, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import type { FileSystem, Path } from "@effect/platform"
import { Effect } from "effect"
import type { Asked, EpisodesWanted } from "../Asked.js"
import { BatchRefused } from "../BatchRefused.js"
import { type Keeper, keepNothing, makeKeeper } from "../library/Keeper.js"
import type { Explain } from "../Problem.js"
import type { Destination } from "../results/destination.js"
import { makeFolders } from "../results/makeFolders.js"
import { isManifestStart, jsonOf, type Result } from "../results/results.js"
import { makeShowIndex } from "../results/showIndex.js"
import { makeClaims } from "../state/claims.js"
import { rememberFailures } from "../state/failures.js"
import { rememberMade } from "../state/made.js"
import type { Workplace } from "../work/Workplace.js"
import type { BatchObserver } from "./BatchObserver.js"
import { makeBudget } from "./budget.js"
import type { Run, RunSettings } from "./Run.js"
import { requireDoable } from "./requirements.js"
import { type OnResult, runAll } from "./runAll.js"
import { type AskedSource, tasksOf } from "./tasks.js"
import { makeTurns } from "./turns.js"
import { type FeedWatch, watchFeeds } from "./watchFeeds.js"
import { watchFolder } from "./watchFolder.js"

export interface BatchRequest extends RunSettings {
  readonly sources: ReadonlyArray<AskedSource>
  /** Whole feeds instead of one episode. */
  readonly episodes: EpisodesWanted | null
  /** The sources are feeds, which are looked at again and again. */
  readonly feedWatch: (FeedWatch & { readonly asked: Asked }) | null
  /** A folder whose new files are transcribed too, until the run is stopped; with what is asked of them. */
  readonly watch: { readonly folder: string; readonly asked: Asked } | null
  readonly destination: Destination
  /** Caps of the whole run. */
  readonly maxMinutes: number | null
  readonly maxCredits: number | null
  /** A file that gets a line of JSON for each result. */
  readonly manifest: string | null
  /** Whether the library keeps what is made. */
  readonly keep: boolean
}

export interface BatchParts<E> {
  readonly workplace: Workplace
  /** A folder that all runs of a user know: what is made, claimed, begun and kept. */
  readonly state: string
  readonly observer: BatchObserver
  readonly explain: Explain
  /** Where results go that have no file. */
  readonly write: Run["write"]
  readonly onResult: OnResult<E>
}

const cannotWrite = (path: string) => () =>
  new BatchRefused({
    reason: "manifest_unwritable",
    subject: path,
    message: `The manifest ${path} cannot be written. Name a file in a folder that exists and that you may write to.`,
  })

/** Bytes of a manifest that hold its first source, however long its name is. */
const LONGEST_START = 65_536

/** Whether there is nothing in the way of a manifest: what is there is empty, no regular file, or begins as a manifest does. */
const mayBeManifest = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch(() => null)
  if (found === null || !found.isFile() || found.size === 0) return true
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_START), { position: 0 })
    return isManifestStart(buffer.toString("utf8", 0, bytesRead))
  } finally {
    await file.close()
  }
}

/** A new manifest; each result is one line of it, whole or not there. The folder of the results is made for it, as it would be for them. */
const beginManifest = Effect.fnUntraced(function* ({
  manifest: path,
  destination,
}: Pick<BatchRequest, "manifest" | "destination">) {
  if (path === null) return
  const folder = destination.type === "folder" ? destination.path : null
  if (folder !== null && !relative(folder, dirname(path)).startsWith(".."))
    yield* Effect.tryPromise({ try: () => makeFolders(dirname(path)), catch: cannotWrite(path) })
  const isFree = yield* Effect.tryPromise({ try: () => mayBeManifest(path), catch: cannotWrite(path) })
  if (!isFree)
    return yield* new BatchRefused({
      reason: "manifest_unwritable",
      subject: path,
      message: `${path} is there already and is no manifest, so nothing is written over it. Name another file for the manifest.`,
    })
  yield* Effect.tryPromise({ try: () => writeFile(path, ""), catch: cannotWrite(path) })
})

const keepIn =
  <E>(path: string | null, onResult: OnResult<E>): OnResult<E | BatchRefused> =>
  (result, place) =>
    path === null
      ? onResult(result, place)
      : Effect.zipRight(
          Effect.tryPromise({
            try: () => appendFile(path, `${jsonOf(result)}\n`),
            catch: cannotWrite(path),
          }),
          onResult(result, place),
        )

/** What a server makes or refuses is kept there, and never here. */
const keeperFor = <E>(
  request: BatchRequest,
  { workplace, state, observer, explain }: BatchParts<E>,
): Keeper =>
  request.keep && workplace.server === null
    ? makeKeeper({
        folder: join(state, "library"),
        engine: request.engine,
        hearsAgain: request.force,
        onTrouble: (detail) => observer.notice({ type: "library_unwritable", detail }),
        explain,
      })
    : keepNothing

type Files = FileSystem.FileSystem | Path.Path

/** A run that is ready to begin. */
export interface PreparedBatch<E> {
  /** How many sources there are to work on; feeds that are watched have no number. */
  readonly count: number
  readonly isOnly: boolean
  /** Whether the same request finds the same sources again: what a pipe has brought cannot be asked for twice. */
  readonly isRepeatable: boolean
  /** Does all of it, in the order of the sources. */
  readonly run: Effect.Effect<ReadonlyArray<Result>, E | BatchRefused, Files>
  /** The pages that list the episodes of shows, once the run is over. */
  readonly pages: () => ReadonlyArray<string>
  /** Goes on with the files that come into the folder, until it is stopped. */
  readonly goOn: Effect.Effect<void, E | BatchRefused, Files>
}

/** Finds out what is to be done. */
export const prepareBatch = <E>(
  request: BatchRequest,
  parts: BatchParts<E>,
): Effect.Effect<PreparedBatch<E>, BatchRefused, Files> =>
  Effect.gen(function* () {
    const { workplace, state, observer, explain, write } = parts
    const { feedWatch, watch } = request
    yield* requireDoable(request, workplace.server !== null)
    yield* beginManifest(request)
    const tasks =
      feedWatch === null ? yield* tasksOf(workplace, request.episodes, request.sources, explain) : []
    const isOnly = tasks.length === 1 && watch === null && feedWatch === null
    const claims = makeClaims(join(state, "claims"))
    const run: Run = {
      settings: request,
      destination: request.destination,
      workplace,
      claims,
      made: rememberMade(join(state, "made"), claims),
      failures: rememberFailures(join(state, "failed"), workplace.server),
      keeper: keeperFor(request, parts),
      budget: makeBudget({ minutes: request.maxMinutes, credits: request.maxCredits }),
      index: yield* makeShowIndex((folder, detail) =>
        observer.notice({ type: "index_not_written", folder, detail }),
      ),
      observer,
      explain,
      write,
      turns: request.dryRun ? makeTurns(tasks.length) : null,
      isOnly,
    }
    const onResult = keepIn(request.manifest, parts.onResult)
    const feeds = [...new Set(request.sources.map(({ source }) => source))]
    return {
      count: tasks.length,
      isOnly,
      isRepeatable: !tasks.some(({ item: { type } }) => type === "input"),
      run:
        feedWatch === null
          ? runAll(run, tasks, onResult)
          : watchFeeds(run, feeds, feedWatch, feedWatch.asked, join(state, "feeds"), onResult),
      pages: run.index.pages,
      goOn: watch === null ? Effect.void : watchFolder(run, watch.folder, watch.asked, onResult),
    }
  })
