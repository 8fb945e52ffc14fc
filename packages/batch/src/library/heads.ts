/** What the heads of entries tell, without what was heard. */

import { JobAlreadyEnded, JobNotRetryable } from "@earmark/core/jobs"
import { counted } from "@earmark/core/text"
import { decodeListQuery } from "@earmark/core/wire"
import { TranscriptNotReady } from "@earmark/service"
import { Effect } from "effect"
import { type Explain, explainPlainly } from "../Problem.js"
import { writeWhole } from "../state/stateFiles.js"
import { cursorsOf } from "./cursors.js"
import {
  type Entry,
  entriesIn,
  headPath,
  likeOf,
  readHead,
  removeAll,
  removeEntry,
  stateOf,
} from "./entries.js"
import { type Head, namesIn } from "./Head.js"
import type { Library } from "./Library.js"
import {
  ambiguous,
  damaged,
  LibraryRefused,
  notHere,
  orRefused,
  parametersOf,
  refusal,
  tooShort,
} from "./LibraryRefused.js"
import { countEntries, listEntries } from "./listEntries.js"
import { isUnderWay, jobOf } from "./underWay.js"

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Less of an id says too little. */
const BEGINNING = /^tr_[0-9a-z]{4,25}$/
const TOO_SHORT = /^tr_[0-9a-z]{0,3}$/

export interface LibraryOptions {
  readonly folder: string
  /** Told the ids of entries that cannot be read, which lists and searches leave out. */
  readonly onUnreadable?: (ids: ReadonlyArray<string>) => Effect.Effect<void>
  /** Told of an entry whose last edit was not written to its end: it does not count. */
  readonly onTorn?: (id: string) => Effect.Effect<void>
  readonly explain?: Explain
}

const logUnreadable = (ids: ReadonlyArray<string>) =>
  Effect.logWarning(
    `${counted(ids.length, "entry", "entries")} of the library cannot be read: ${ids.join(", ")}`,
  )

const logTorn = (id: string) =>
  Effect.logWarning(`The last edit of ${id} was not written to its end, and does not count`)

export const makeHeads = ({
  folder,
  onUnreadable = logUnreadable,
  onTorn = logTorn,
  explain = explainPlainly,
}: LibraryOptions) => {
  const tellDamaged = (entries: ReadonlyArray<Pick<Entry, "id">>): Effect.Effect<void> =>
    entries.length === 0 ? Effect.void : onUnreadable(entries.map(({ id }) => id))

  const reading = <A>(read: () => A): Effect.Effect<A, LibraryRefused> =>
    Effect.try({
      try: read,
      catch: (cause) =>
        new LibraryRefused({
          reason: "library_unreadable",
          subject: folder,
          message: `The library cannot be read: ${messageOf(cause)}.`,
        }),
    })

  const writing = <A>(write: () => Promise<A>): Effect.Effect<A, LibraryRefused> =>
    Effect.tryPromise({
      try: write,
      catch: (cause) =>
        new LibraryRefused({
          reason: "library_unwritable",
          subject: folder,
          message: `The library cannot be changed: ${messageOf(cause)}.`,
        }),
    })

  const entries = reading(() => entriesIn(folder))

  const superseded = Effect.gen(function* () {
    const { supersededIn } = yield* Effect.promise(() => import("./superseded.js"))
    const all = yield* entries
    return yield* reading(() => supersededIn(folder, all))
  })

  const idOf: Library["idOf"] = Effect.fnUntraced(function* (given) {
    if (TOO_SHORT.test(given)) return yield* tooShort(given)
    if (!BEGINNING.test(given)) return given
    const ids = (yield* entries).map(({ id }) => id).filter((id) => id.startsWith(given))
    const [first = given, ...others] = ids
    return others.length === 0 ? first : yield* ambiguous(given, ids)
  })

  const find = Effect.fnUntraced(function* (id: string) {
    const entry = (yield* entries).find((each) => each.id === id) ?? (yield* notHere(id, folder))
    return readHead(entry) ?? (yield* damaged(id, entry.path))
  })

  const finished = Effect.fnUntraced(function* (id: string) {
    const head = yield* find(id)
    const job = jobOf(head, explain)
    if (job.status !== "done") return yield* refusal(new TranscriptNotReady({ status: job.status }))
    return { job, speakerNames: namesIn(head) }
  })

  const list: Library["list"] = Effect.fnUntraced(function* (query) {
    const { status, ...others } = query
    const isCanceled = status === "canceled"
    const asked = parametersOf({ ...others, ...(!isCanceled && { status }) })
    const { cursor, limit, ...decoded } = yield* orRefused(decodeListQuery(asked))
    const filters = isCanceled ? { ...decoded, status } : decoded
    const cursors = cursorsOf("jobs", filters)
    const after = yield* cursors.open(cursor)
    const all = yield* entries
    const { jobs, next, unreadable } = yield* reading(() =>
      listEntries(all, { ...filters, limit, after }, explain),
    )
    yield* tellDamaged(unreadable)
    return { data: jobs, has_more: next !== null, next_cursor: next === null ? null : cursors.at(next) }
  })

  const counts = Effect.gen(function* () {
    const all = yield* entries
    return yield* reading(() => countEntries(all, explain))
  })

  /** Runs are stopped where they were begun: one run may be at many sources. */
  const refuseUnderWay = Effect.fnUntraced(function* ({ job, run }: Head) {
    const pid = run?.pid ?? 0
    return yield* new LibraryRefused({
      reason: "under_way",
      subject: job.id,
      pid,
      message: `${job.id} is under way in a run of this machine (process ${pid}). Stop that run: what it has heard is kept.`,
    })
  })

  const cancel: Library["cancel"] = Effect.fnUntraced(function* (id) {
    const head = yield* find(id)
    const { status, failure } = jobOf(head, explain)
    if (status === "queued") return yield* refuseUnderWay(head)
    return failure?.code === "canceled"
      ? yield* new LibraryRefused({
          reason: "stopped_already",
          subject: id,
          message: `${id} was stopped already.`,
        })
      : yield* refusal(new JobAlreadyEnded({ status }))
  })

  const retry: Library["retry"] = (id, transcribe) =>
    Effect.gen(function* () {
      const head = yield* find(id)
      const { status, enrichment } = jobOf(head, explain)
      const failed = Object.entries(enrichment).filter(([, extra]) => extra?.status === "failed")
      const lacked = status === "done" ? failed.map(([name]) => name) : []
      if (status !== "failed" && lacked.length === 0)
        return yield* refusal(new JobNotRetryable({ reason: status }), id)
      if (head.again.source === null)
        return yield* new LibraryRefused({
          reason: "source_gone",
          subject: id,
          message: `${id} came through a pipe, and is not there any more. Pipe it in again.`,
        })
      yield* transcribe(head)
      // A source that has changed since is another entry, which begins like this one.
      const made = (yield* entries).find((entry) => likeOf(entry.id) === likeOf(id))
      return { job: jobOf(yield* find(made?.id ?? id), explain), lacked }
    })

  const keepHead = (head: Head) =>
    writing(() => writeWhole(headPath(folder, head.job), `${JSON.stringify(head)}\n`))

  const retitle: Library["retitle"] = Effect.fnUntraced(function* (id, title) {
    const head = yield* find(id)
    if (isUnderWay(head)) return yield* refuseUnderWay(head)
    yield* keepHead({ ...head, job: { ...head.job, title } })
    return jobOf(yield* find(id), explain)
  })

  const remove: Library["remove"] = Effect.fnUntraced(function* (id) {
    const entry = (yield* entries).find((each) => each.id === id) ?? (yield* notHere(id, folder))
    const head = readHead(entry)
    if (head !== null && isUnderWay(head)) return yield* refuseUnderWay(head)
    yield* writing(() => removeEntry(folder, id))
  })

  const sourceOf: Library["sourceOf"] = (id) => Effect.map(find(id), ({ again }) => again.source)

  return {
    folder,
    onTorn,
    tellDamaged,
    writing,
    entries,
    superseded,
    /** Each recording once. */
    oneOfEach: Effect.flatMap(entries, (all) =>
      Effect.map(superseded, (left) => all.filter(({ id }) => !left.has(id))),
    ),
    find,
    finished,
    keepHead,
    jobOf: (head: Head) => jobOf(head, explain),
    operations: {
      idOf,
      list,
      counts,
      superseded,
      cancel,
      retry,
      retitle,
      remove,
      state: reading(() => stateOf(folder)),
      count: Effect.map(entries, ({ length }) => length),
      removeAll: writing(() => removeAll(folder)),
      sourceOf,
    },
  }
}

export type Heads = ReturnType<typeof makeHeads>
