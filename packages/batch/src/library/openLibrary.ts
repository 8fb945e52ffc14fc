/** What this machine has transcribed. */

import { noWordTimes } from "@earmark/core/captions"
import { EditRefused } from "@earmark/core/edits"
import { DoneJob, JobAlreadyEnded, JobId, JobNotRetryable } from "@earmark/core/jobs"
import { counted, encodeWords, hasWordTimes } from "@earmark/core/text"
import { namesByLabel, type SpeakerNames, wordCountOf } from "@earmark/core/transcripts"
import { decodeListQuery } from "@earmark/core/wire"
import {
  type Content,
  enrichmentAt,
  namesTooMany,
  showContent,
  speakerMissing,
  TranscriptNotReady,
} from "@earmark/service"
import { Effect, Either, Schema } from "effect"
import type { NewNames } from "../Asked.js"
import { type Explain, explainPlainly } from "../Problem.js"
import { writeWhole } from "../state/stateFiles.js"
import { makeExtras, withMade } from "./addExtras.js"
import { answerFrom, askEntries, byPassages } from "./askEntries.js"
import { cursorsOf } from "./cursors.js"
import { editRefused, makeEditing } from "./editEntry.js"
import { DamagedEdits } from "./editsFile.js"
import {
  contentPath,
  type Entry,
  entriesIn,
  headPath,
  likeOf,
  readHead,
  removeAll,
  removeEntry,
  stateOf,
} from "./entries.js"
import { exportEntry } from "./exportEntry.js"
import { keepExtras } from "./extrasFile.js"
import { type Head, namesIn } from "./Head.js"
import type { Library, ShownParts } from "./Library.js"
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
import { listEntries } from "./listEntries.js"
import { readRevised } from "./revisedContent.js"
import { rewriteResults } from "./rewriteResults.js"
import { searchEach, searchEntries, searchEntry, searchedIn, withMoments } from "./searchEntries.js"
import { readPattern } from "./searchPattern.js"
import { isUnderWay, jobOf } from "./underWay.js"

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const encodeContent = Schema.encodeSync(
  DoneJob.pick("text", "segments", "speakers", "summary", "chapters", "translation"),
)

/** Less of an id says too little. */
const BEGINNING = /^tr_[0-9a-z]{4,25}$/
const TOO_SHORT = /^tr_[0-9a-z]{0,3}$/

const LOOK_EVERY = "500 millis"

type Job = Head["job"]
type Done = Extract<Job, { status: "done" }>

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

/** Opens a library of files. Nothing is made before something is kept in it: see `makeKeeper`. */
export const openLibrary = ({
  folder,
  onUnreadable = logUnreadable,
  onTorn = logTorn,
  explain = explainPlainly,
}: LibraryOptions): Library => {
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

  const revised = Effect.fnUntraced(function* (id: string, revision?: number) {
    const found = yield* Effect.try({
      try: () => readRevised(folder, id, revision),
      catch: (cause) => {
        if (cause instanceof EditRefused) return editRefused(id, cause)
        return damaged(id, cause instanceof DamagedEdits ? cause.path : contentPath(folder, id))
      },
    })
    if (found.isTorn) yield* onTorn(id)
    return found
  })

  const contentOf = (id: string): Effect.Effect<Content, LibraryRefused> =>
    Effect.map(revised(id), ({ content }) => content)

  const whole = Effect.fnUntraced(function* (job: Done, head: Head, parts: ShownParts = {}) {
    const { words = false, translation } = parts
    const { content, revision, extras } = yield* revised(job.id, parts.revision)
    const shown = showContent(
      { durationSeconds: job.duration_seconds, speakerNames: namesIn(head) },
      content,
      { words, translation },
    )
    const options = { translateTo: job.options.translate_to }
    const enrichment = enrichmentAt({ enrichment: withMade(job.enrichment, extras), options, revision })
    const word_count = revision === 0 ? job.word_count : wordCountOf(content.segments)
    return { ...job, revision, word_count, enrichment, ...encodeContent(shown) }
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

  const show: Library["show"] = Effect.fnUntraced(function* (id, wait, parts) {
    let head = yield* find(id)
    let job = jobOf(head, explain)
    while (wait && job.status === "queued") {
      yield* Effect.sleep(LOOK_EVERY)
      head = yield* find(id)
      job = jobOf(head, explain)
    }
    return job.status === "done" ? yield* whole(job, head, parts) : job
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

  /** The names that speakers have then; refused for labels that the transcript does not have. */
  const namesWith = Effect.fnUntraced(function* (content: Content, known: SpeakerNames, asked: NewNames) {
    const names = namesByLabel(asked, content.segments, known)
    const refused = speakerMissing(content, names) ?? namesTooMany(known, names)
    if (refused !== null) return yield* refusal(refused)
    const after: Record<string, string> = {}
    for (const [label, name] of Object.entries({ ...known, ...names })) if (name !== null) after[label] = name
    return after
  })

  const name: Library["name"] = Effect.fnUntraced(function* (id, names) {
    const { job, speakerNames } = yield* finished(id)
    const speakers = yield* namesWith(yield* contentOf(id), speakerNames, names)
    yield* keepHead({ ...(yield* find(id)), speakers })
    return job
  })

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

  const exportFile: Library["exportFile"] = Effect.fnUntraced(function* (id, wanted) {
    const { job, speakerNames: known } = yield* finished(id)
    const { names = {}, ...query } = wanted
    const { content } = yield* revised(id, wanted.revision)
    const speakerNames = yield* namesWith(content, known, names)
    return yield* Either.match(exportEntry(job, content, speakerNames, query, { hasId: true }), {
      onLeft: (refused) => refusal(refused),
      onRight: Effect.succeed,
    })
  })

  const words: Library["words"] = Effect.fnUntraced(function* (id) {
    yield* finished(id)
    const { segments } = yield* contentOf(id)
    return hasWordTimes(segments) ? encodeWords(segments) : yield* refusal(noWordTimes(), id)
  })

  const search: Library["search"] = Effect.fnUntraced(function* (id, query) {
    if (id !== null) {
      yield* finished(id)
      const head = yield* find(id)
      const job = searchedIn(head, 0) ?? (yield* damaged(id, headPath(folder, head.job)))
      const { feed: _, ...inOne } = query
      return yield* searchEntry({ job, content: yield* contentOf(id) }, inOne)
    }
    const { answer, unreadable } = yield* searchEntries(folder, yield* entries, query)
    yield* tellDamaged(unreadable)
    return yield* withMoments(answer, contentOf)
  })

  const ask: Library["ask"] = (id, question, answering) =>
    Effect.gen(function* () {
      const by = answering ?? byPassages
      if (id === null) {
        const { answer, unreadable } = yield* askEntries(folder, yield* entries, question, by)
        yield* tellDamaged(unreadable)
        return answer
      }
      const { job: found, speakerNames } = yield* finished(id)
      const job = { id: JobId.make(id), title: found.title, speakerNames }
      return yield* answerFrom(question, [{ job, content: yield* contentOf(id) }], 1, by)
    })

  const searchPattern: Library["searchPattern"] = Effect.fnUntraced(function* (id, query) {
    const pattern = yield* readPattern(query.pattern)
    const meant = (yield* entries).filter((each) => each.status === "done" && (id === null || each.id === id))
    if (id !== null) yield* finished(id)
    const { hits, unreadable } = yield* searchEach(folder, meant, pattern, query)
    yield* tellDamaged(unreadable)
    const data = hits.slice(0, query.limit)
    const has_more = hits.length > data.length
    const answer = { query: query.pattern, total: hits.length, data, has_more, next_cursor: null }
    return yield* withMoments(answer, contentOf)
  })

  const editing = makeEditing({
    folder,
    writing,
    revised,
    finished: (id) =>
      Effect.map(finished(id), ({ job, speakerNames }) => ({
        id: job.id,
        title: job.title,
        durationSeconds: job.duration_seconds,
        speakerNames,
      })),
  })

  const addExtras: Library["addExtras"] = Effect.fnUntraced(function* (id, request, staff) {
    const { job } = yield* finished(id)
    const { content, revision, extras } = yield* revised(id)
    const { made, answer } = yield* makeExtras(
      {
        enrichment: withMade(job.enrichment, extras),
        translateTo: job.options.translate_to,
        durationSeconds: job.duration_seconds,
        content,
        revision,
      },
      request,
      staff,
    ).pipe(Effect.mapError((refused) => refusal(refused, id)))
    if (made.length === 0) return answer
    yield* editing.alone(
      id,
      Effect.flatMap(revised(id, 0), (heard) =>
        writing(() => keepExtras(folder, id, heard.content.segments, made)),
      ),
    )
    return answer
  })

  const rewrite: Library["rewrite"] = Effect.fnUntraced(function* (id) {
    return yield* rewriteResults(folder, yield* find(id), yield* contentOf(id))
  })

  const sourceOf: Library["sourceOf"] = (id) => Effect.map(find(id), ({ again }) => again.source)

  return {
    idOf,
    list,
    show,
    cancel,
    retry,
    name,
    retitle,
    remove,
    state: reading(() => stateOf(folder)),
    count: Effect.map(entries, ({ length }) => length),
    removeAll: writing(() => removeAll(folder)),
    exportFile,
    words,
    export: (id, wanted) => Effect.map(exportFile(id, wanted), ({ chunks }) => chunks),
    search,
    ask,
    searchPattern,
    sourceOf,
    addExtras,
    editable: editing.editable,
    edit: editing.edit,
    undoEdit: editing.undoEdit,
    edits: editing.edits,
    rewrite,
  }
}
