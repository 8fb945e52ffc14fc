import { dirname } from "node:path"
import type { ExportFormat } from "@earmark/core/captions"
import { Clock, Effect } from "effect"
import type { Asked, NewNames } from "../Asked.js"
import type { Explain, Others } from "../Problem.js"
import { folderOfShow, placeOf } from "../results/destination.js"
import { identityOf } from "../results/identity.js"
import { makeFolders } from "../results/makeFolders.js"
import type { Done, Failed, Held, Planned, Result, Skipped, UnderWay } from "../results/results.js"
import { isSameFile } from "../results/sameFile.js"
import { checkWritable } from "../results/writable.js"
import { writeFile } from "../results/writeFile.js"
import { SourceFailed } from "../SourceFailed.js"
import type { Item } from "../sources/sources.js"
import { type Origin, publisherOf, type Target } from "../state/made.js"
import { OUTPUT_UNWRITABLE } from "../work/permission.js"
import type { SourceObserver } from "../work/SourceObserver.js"
import type { Facts, Following, Found, Made, Source } from "../work/Workplace.js"
import { costAt, OVER_CAP, partOf } from "./budget.js"
import { overCap, payFor } from "./payFor.js"
import type { Run } from "./Run.js"
import type { Task } from "./tasks.js"

/** Where the results of a source go: paths, or standard output (null). */
interface Wanted {
  readonly targets: ReadonlyArray<Target> | null
  readonly present: ReadonlyArray<Target>
  readonly origin: Origin
  readonly skip: Skipped | null
}

const formatsOf = ({ settings }: Run, { formats }: Asked): ReadonlyArray<ExportFormat> =>
  formats.length > 0 ? formats : [settings.format]

const skipped = (
  explain: Explain,
  item: Item,
  found: Found,
  outputs: ReadonlyArray<Target>,
  { others, isChanged }: Pick<Skipped, "isChanged"> & { readonly others: Others | null },
): Skipped => {
  const paths = outputs.map(({ path }) => path)
  const reason = explain({ reason: "present", paths, others, isChanged })
  const identity = identityOf(item, found)
  const isTaken = others !== null
  return { status: "skipped", source: item.name, identity, outputs, reason, isTaken, isChanged }
}

/** What else makes another file of the same words: nothing where nothing of it is asked for. */
const styleOf = ({ names, layout }: Asked): ReadonlyArray<unknown> =>
  Object.keys(names).length === 0 && Object.values(layout).every((value) => value === undefined)
    ? []
    : [names, layout]

/** Where the name of a file does not show its format, another format makes another file of it. */
const unnamed = ({ destination }: Run, formats: ReadonlyArray<string>): ReadonlyArray<string> =>
  destination.type === "file" ? formats.filter((format) => !destination.path.endsWith(`.${format}`)) : []

const where = Effect.fnUntraced(function* (run: Run, task: Task, number: number, found: Found) {
  const { settings, destination, made, explain } = run
  const { item, asked, options } = task
  const formats = formatsOf(run, asked)
  const origin: Origin = {
    source: found.identity,
    asked: JSON.stringify([
      found.state,
      options,
      settings.engine,
      asked.wordLevel,
      ...styleOf(asked),
      ...unnamed(run, formats),
    ]),
    publisher: publisherOf(found),
  }
  const wanted = (
    targets: Wanted["targets"],
    present: Wanted["present"] = [],
    skip: Wanted["skip"] = null,
  ): Wanted => ({ targets, present, origin, skip })
  if (destination.type === "output") return wanted(null)
  const mode = settings.force ? "force" : settings.skipExisting ? "keep" : "update"
  if (destination.type === "places") {
    const kept = yield* Effect.filter(destination.targets, ({ path }) =>
      Effect.map(made.keeping(path, origin, mode), (found) => found === null),
    )
    return wanted(kept)
  }
  if (destination.type === "file") {
    const targets = formats.map((format) => ({ format, path: destination.path }))
    const keeping = yield* made.keeping(destination.path, origin, mode)
    if (keeping === null) return wanted(targets)
    const isOwn = keeping === "done" || keeping === "kept"
    const standing = { others: isOwn ? null : keeping, isChanged: keeping === "kept" }
    return wanted(targets, [], skipped(explain, item, found, targets, standing))
  }
  const place = placeOf(item, found, destination.path, asked.name, number)
  const { targets, present, ...standing } = yield* made.choose(place, formats, origin, mode)
  return wanted(
    targets,
    present,
    targets.length === 0 ? skipped(explain, item, found, present, standing) : null,
  )
})

const unwritten = ({ message }: { readonly message: string }) =>
  new SourceFailed({ code: OUTPUT_UNWRITABLE, message })

/** Whatever is asked for, a recording is never written over with its own text. */
const keepRecording = Effect.fnUntraced(function* ({ item }: Task, { targets }: Wanted) {
  if (item.type !== "file") return
  for (const { path } of targets ?? [])
    if (yield* isSameFile(path, item.path))
      return yield* unwritten({
        message: `The result would be written over the recording itself: ${path}. Name another file or folder with -o.`,
      })
})

const MOST_LOOKS = 5

const pathsOf = ({ targets }: Wanted) => (targets ?? []).map(({ path }) => path)

/** A plan only looks at who else is at it, and keeps nobody from the work. */
const otherAt = (run: Run, paths: ReadonlyArray<string>, source: string) =>
  run.settings.dryRun
    ? Effect.map(
        Effect.forEach(paths, run.claims.holder),
        (holders) => holders.find((holder) => holder !== null)?.pid ?? null,
      )
    : run.claims.claim(paths, source)

/** Claims what is to be made. Another run may have made it, or taken its name, between the look and the claim: so it looks again. */
const claimed = Effect.fnUntraced(function* (
  run: Run,
  task: Task,
  number: number,
  found: Found,
  first: Wanted,
) {
  const answer = (wanted: Wanted, pid: number | null = null) => ({ wanted, pid })
  let wanted = first
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const paths = pathsOf(wanted)
    const pid = yield* otherAt(run, paths, found.identity)
    if (pid !== null) return answer(wanted, pid)
    wanted = yield* where(run, task, number, found)
    if (wanted.skip !== null || pathsOf(wanted).every((path) => paths.includes(path))) return answer(wanted)
  }
  return answer(wanted)
})

const writeTargets = Effect.fnUntraced(function* (
  run: Run,
  task: Task,
  { targets, origin: { publisher = null, ...source } }: Wanted,
  { facts, export: exported }: Made,
  onFailed: (targets: ReadonlyArray<Target>) => Effect.Effect<void>,
) {
  if (targets === null) {
    for (const format of formatsOf(run, task.asked)) {
      for (const chunk of yield* exported(format, task.asked))
        yield* Effect.mapError(run.write(chunk), unwritten)
    }
    return
  }
  const origin: Origin = facts.origin === "captions" ? { ...source, publisher } : source
  const write = Effect.fnUntraced(function* ({ format, path }: Target) {
    const chunks = yield* exported(format, task.asked)
    if (run.destination.type !== "file") {
      yield* Effect.tryPromise({
        try: () => makeFolders(dirname(path)),
        catch: () =>
          unwritten({
            message: `The folder ${dirname(path)} cannot be made; name one that you may write to.`,
          }),
      })
    }
    yield* run.made.expect(path, origin)
    yield* writeFile(path, chunks).pipe(Effect.mapError(unwritten))
    yield* run.made.remember(path, origin)
  })
  for (const [index, target] of targets.entries())
    yield* Effect.tapError(write(target), () => onFailed(targets.slice(index)))
})

const sourceOf = (item: Exclude<Item, { type: "episode" | "broken" }>, task: Task): Source => {
  if (item.type === "link") return { type: "link", link: item.name, episode: task.asked.episode }
  if (item.type === "input") return { type: "input", path: item.path }
  return { type: "file", path: item.path }
}

const find = (run: Run, task: Task) => {
  const { item } = task
  if (item.type === "broken") return new SourceFailed({ code: item.code, message: item.problem })
  if (item.type === "episode") return Effect.succeed(item.episode)
  return run.workplace.find(sourceOf(item, task))
}

/** On this machine every quality that is named listens; a server answers `fast` with captions too. */
const listens = ({ workplace: { server } }: Run, { quality, qualityExplicit, channels }: Task["options"]) =>
  channels === true || (qualityExplicit && (server === null || quality === "accurate"))

const plan = Effect.fnUntraced(function* (
  run: Run,
  task: Task,
  number: number,
  found: Found,
  wanted: Wanted,
) {
  const { seconds, keys, identity, isCached = false } = yield* found.look(task.options, run.keeper.mayHave)
  if (run.turns !== null) yield* run.turns.counts.begin(number)
  const cost = seconds === null ? null : yield* costAt(run.workplace, seconds, task.options)
  const isKnown = isCached || (keys !== null && (yield* run.keeper.has(keys)))
  const hasText = found.hasText && !listens(run, task.options)
  const isFree = isKnown || hasText
  if (cost !== null && !isFree) {
    const reason = run.budget.take(cost)
    if (reason !== null) return yield* overCap(run.explain(reason))
  }
  const planned: Planned = {
    status: "planned",
    source: task.item.name,
    identity: { ...identityOf(task.item, found), ...identity },
    outputs: wanted.targets ?? [],
    printed: wanted.targets === null ? formatsOf(run, task.asked).join(", ") : null,
    origin: isKnown ? "cache" : hasText ? "captions" : "engine",
    seconds,
    partSeconds: seconds === null ? null : partOf(seconds, task.options),
    minutes: cost?.minutes ?? null,
    credits: isFree ? 0 : (cost?.credits ?? null),
    creditsAtMost: isKnown ? 0 : (cost?.credits ?? null),
    takesCredits: yield* run.workplace.takesCredits,
  }
  return planned
})

const failedBefore = Effect.fnUntraced(function* (run: Run, item: Item, found: Found, origin: Origin) {
  if (run.isOnly || run.settings.retryFailed || run.settings.force) return null
  const before = yield* run.failures.find(origin)
  if (before === null) return null
  const result: Failed = {
    status: "failed",
    source: item.name,
    identity: identityOf(item, found),
    code: before.code,
    message: run.explain({ reason: "failed_before", message: before.message }),
    remembered: true,
  }
  return result
})

const listInIndex = (run: Run, task: Task, found: Found, wanted: Wanted, facts: Facts | null) => {
  const { item, asked } = task
  const { destination } = run
  if (item.type !== "episode" || destination.type !== "folder") return Effect.void
  const folder = folderOfShow(item, found, destination.path, asked.name)
  const outputs = [...wanted.present, ...(wanted.targets ?? [])]
  return run.index.add(folder, item.show, { found: item.episode, facts, outputs })
}

const named = (made: Made, names: NewNames, notice: SourceObserver["notice"]) =>
  Object.keys(names).length === 0 ? Effect.succeed(made) : made.named(names, notice)

/** Told what a source is, as soon as anything of that is known. */
interface Identified extends Pick<Following, "identified"> {
  readonly onFound: (found: Found) => void
}

const work = Effect.fnUntraced(function* (
  run: Run,
  task: Task,
  number: number,
  line: SourceObserver,
  { onFound, identified }: Identified,
) {
  const { item } = task
  const began = yield* Clock.currentTimeMillis
  const found = yield* find(run, task)
  onFound(found)
  if (run.turns !== null) yield* run.turns.names.begin(number)
  const first = yield* where(run, task, number, found)
  const { wanted, pid } =
    first.skip === null ? yield* claimed(run, task, number, found, first) : { wanted: first, pid: null }
  if (run.turns !== null) yield* run.turns.names.end(number)
  yield* keepRecording(task, wanted)
  if (wanted.skip !== null) {
    if (!run.settings.dryRun) yield* listInIndex(run, task, found, wanted, null)
    return wanted.skip
  }
  if (pid !== null) {
    const identity = identityOf(item, found)
    const underWay: UnderWay = { status: "under_way", source: item.name, identity, pid }
    return underWay
  }
  const before = yield* failedBefore(run, item, found, wanted.origin)
  if (before !== null) return before
  if (run.settings.dryRun) return yield* plan(run, task, number, found, wanted)
  for (const { path } of wanted.targets ?? [])
    yield* Effect.mapError(checkWritable(path, run.destination.type !== "file"), unwritten)
  const pay = payFor(run, task)
  const kept = yield* run.keeper.begin({ ...task, found, targets: wanted.targets ?? [], began })
  const following = { line, allow: pay.allow, known: kept.known, identified }
  const made = yield* found.transcribe(task.options, following).pipe(
    Effect.flatMap((made) => named(made, kept.names(), () => Effect.void)),
    Effect.flatMap((made) => named(made, task.asked.names, line.notice)),
    Effect.tap(({ facts }) => pay.settle(facts)),
    Effect.tapError((failure) => run.failures.remember(wanted.origin, failure)),
    Effect.onError(() => pay.giveBack),
    Effect.onExit(kept.ended),
  )
  yield* line.end
  const newest = kept.newest()
  yield* writeTargets(run, task, wanted, newest === null ? made : made.corrected(newest), kept.unwritten)
  yield* made.settled
  yield* run.failures.forget(wanted.origin)
  yield* listInIndex(run, task, found, wanted, made.facts)
  const done: Done = {
    status: "done",
    source: item.name,
    identity: identityOf(item, found),
    facts: { ...made.facts, id: made.facts.id ?? kept.id() },
    partSeconds: partOf(made.facts.durationSeconds, task.options),
    outputs: wanted.targets ?? [],
    tookSeconds: ((yield* Clock.currentTimeMillis) - began) / 1000,
  }
  return done
}, Effect.scoped)

/** Transcribes one source and writes its results. What goes wrong is a result too. */
export const transcribeOne = (run: Run, task: Task, number: number, line: SourceObserver) => {
  const { item } = task
  const source = item.name
  let identity = identityOf(item, null)
  const onFound = (found: Found) => {
    identity = identityOf(item, found)
  }
  const identified: Following["identified"] = (known) => {
    identity = { ...identity, ...known }
  }
  return work(run, task, number, line, { onFound, identified }).pipe(
    Effect.catchTag("SourceFailed", ({ code, message }) => {
      const held: Held = { status: "held", source, identity, reason: message }
      const failure: Failed = { status: "failed", source, identity, code, message, remembered: false }
      return Effect.succeed(code === OVER_CAP ? held : failure)
    }),
    Effect.map((result): Result => (result.status === "done" ? { ...result, identity } : result)),
    Effect.ensuring(line.end),
  )
}
