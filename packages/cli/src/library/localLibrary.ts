/** What this machine has transcribed. */
import { join } from "node:path"
import type { SearchResults } from "@earmark/api/client"
import { DoneJob, JobAlreadyEnded, JobId, JobNotRetryable } from "@earmark/core/jobs"
import { momentIn } from "@earmark/core/text"
import type { SpeakerNames } from "@earmark/core/transcripts"
import { decodeListQuery } from "@earmark/core/wire"
import {
  type Content,
  exportOf,
  namesTooMany,
  showContent,
  speakerMissing,
  TranscriptNotReady,
} from "@earmark/service"
import { Effect, Either, Schema } from "effect"
import { type CommandFailed, failed, usage } from "../CommandFailed.js"
import { note } from "../output.js"
import { counted } from "../transcribe/figures.js"
import { writeWhole } from "../transcribe/stateFiles.js"
import { stateFolder } from "../transcribe/stateFolder.js"
import { answerHere, askEntries } from "./askEntries.js"
import { cursorsOf } from "./cursors.js"
import {
  contentPath,
  type Entry,
  entriesIn,
  headPath,
  likeOf,
  readHead,
  removeAll,
  removeEntry,
} from "./entries.js"
import { type Head, namesIn } from "./Head.js"
import { isLibraryOff } from "./isOff.js"
import type { Library } from "./Library.js"
import { listEntries } from "./listEntries.js"
import { unpack } from "./packed.js"
import { ambiguous, damaged, notHere, orRefused, parametersOf, refusal, tooShort } from "./refusals.js"
import { retryHere } from "./retryHere.js"
import { searchEach, searchEntries, searchEntry } from "./searchEntries.js"
import { readPattern } from "./searchPattern.js"
import type { NewNames } from "./speakerNames.js"
import { isUnderWay, jobOf } from "./underWay.js"

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const encodeContent = Schema.encodeSync(
  DoneJob.pick("text", "segments", "speakers", "summary", "chapters", "translation"),
)

/** Less of an id says too little. */
const BEGINNING = /^tr_[0-9a-z]{4,25}$/
const TOO_SHORT = /^tr_[0-9a-z]{0,3}$/

const KEPT_OFF = "EARMARK_LIBRARY is off: nothing that this machine transcribes is kept."

const LOOK_EVERY = "500 millis"

type Job = Head["job"]
type Done = Extract<Job, { status: "done" }>

/** Who waits is told of entries that cannot be read; the others are there all the same. */
const tellDamaged = (entries: ReadonlyArray<Pick<Entry, "id">>): Effect.Effect<void> => {
  const [first] = entries
  return first === undefined
    ? Effect.void
    : note(
        `${counted(entries.length, "entry", "entries")} of the library cannot be read and ${entries.length === 1 ? "is" : "are"} left out: earmark jobs delete ${first.id} takes ${entries.length === 1 ? "it" : "the first one"} away.`,
      )
}

export const openLibrary = (folder: string): Library => {
  const reading = <A>(read: () => A): Effect.Effect<A, CommandFailed> =>
    Effect.try({
      try: read,
      catch: (cause) => failed(`The library cannot be read: ${messageOf(cause)}. [library_unreadable]`),
    })

  const writing = <A>(write: () => Promise<A>): Effect.Effect<A, CommandFailed> =>
    Effect.tryPromise({
      try: write,
      catch: (cause) => failed(`The library cannot be changed: ${messageOf(cause)}. [library_unwritable]`),
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
    const job = jobOf(head)
    if (job.status !== "done") return yield* refusal(new TranscriptNotReady({ status: job.status }))
    return { job, speakerNames: namesIn(head) }
  })

  const contentOf = (id: string): Effect.Effect<Content, CommandFailed> =>
    Effect.try({
      try: () => unpack(contentPath(folder, id)),
      catch: () => damaged(id, contentPath(folder, id)),
    })

  const whole = Effect.fnUntraced(function* (job: Done, head: Head) {
    const shown = showContent(
      { durationSeconds: job.duration_seconds, speakerNames: namesIn(head) },
      yield* contentOf(job.id),
      { words: false },
    )
    return { ...job, ...encodeContent(shown) }
  })

  const list: Library["list"] = Effect.fnUntraced(function* (query) {
    const { status, ...others } = query
    const isCanceled = status === "canceled"
    const asked = parametersOf({ ...others, ...(!isCanceled && { status }) })
    const { cursor, limit, ...decoded } = yield* orRefused(decodeListQuery(asked))
    const filters = isCanceled ? { ...decoded, status } : decoded
    if (filters.batchId !== undefined)
      return yield* usage("--batch is for a service: runs on this machine have no batches. Leave it out.")
    const cursors = cursorsOf("jobs", filters)
    const after = yield* cursors.open(cursor)
    const all = yield* entries
    const { jobs, next, unreadable } = yield* reading(() => listEntries(all, { ...filters, limit, after }))
    yield* tellDamaged(unreadable)
    if (yield* isLibraryOff) yield* note(KEPT_OFF)
    return { data: jobs, has_more: next !== null, next_cursor: next === null ? null : cursors.at(next) }
  })

  const show: Library["show"] = Effect.fnUntraced(function* (id, wait) {
    let head = yield* find(id)
    let job = jobOf(head)
    while (wait && job.status === "queued") {
      yield* Effect.sleep(LOOK_EVERY)
      head = yield* find(id)
      job = jobOf(head)
    }
    return job.status === "done" ? yield* whole(job, head) : job
  })

  /** Runs are stopped where they were begun: one run may be at many sources. */
  const refuseUnderWay = Effect.fnUntraced(function* ({ job, run }: Head) {
    const pid = run?.pid ?? 0
    return yield* failed(
      `${job.id} is under way in a run of this machine (process ${pid}): Ctrl-C in its terminal stops the run, or kill -INT ${pid}. What it has heard is kept. [runs_here]`,
    )
  })

  const cancel: Library["cancel"] = Effect.fnUntraced(function* (id) {
    const head = yield* find(id)
    const { status, failure } = jobOf(head)
    if (status === "queued") return yield* refuseUnderWay(head)
    return failure?.code === "canceled"
      ? yield* failed(`${id} was stopped already; earmark jobs retry ${id} goes on with it. [invalid_state]`)
      : yield* refusal(new JobAlreadyEnded({ status }))
  })

  const retry: Library["retry"] = Effect.fnUntraced(function* (id) {
    const head = yield* find(id)
    const { status, enrichment } = jobOf(head)
    const lacks = Object.entries(enrichment).filter(([, extra]) => extra?.status === "failed")
    const isLacking = status === "done" && lacks.length > 0
    if (status !== "failed" && !isLacking) return yield* refusal(new JobNotRetryable({ reason: status }))
    yield* retryHere(head)
    if (isLacking)
      yield* note(
        `What could not be made (${lacks.map(([name]) => name).join(", ")}) was tried again. Files that were written stay as they are: earmark export ${id} writes them anew.`,
      )
    // A source that has changed since is another entry, which begins like this one.
    const made = (yield* entries).find((entry) => likeOf(entry.id) === likeOf(id))
    return jobOf(yield* find(made?.id ?? id))
  })

  /** The names that speakers have then; refused for labels that the transcript does not have. */
  const namesWith = Effect.fnUntraced(function* (id: string, known: SpeakerNames, names: NewNames) {
    const refused = speakerMissing(yield* contentOf(id), names) ?? namesTooMany(known, names)
    if (refused !== null) return yield* refusal(refused)
    const after: Record<string, string> = {}
    for (const [label, name] of Object.entries({ ...known, ...names })) if (name !== null) after[label] = name
    return after
  })

  const name: Library["name"] = Effect.fnUntraced(function* (id, names) {
    const { job, speakerNames } = yield* finished(id)
    const speakers = yield* namesWith(id, speakerNames, names)
    const head = { ...(yield* find(id)), speakers }
    yield* writing(() => writeWhole(headPath(folder, head.job), `${JSON.stringify(head)}\n`))
    return job
  })

  const remove: Library["remove"] = Effect.fnUntraced(function* (id) {
    const entry = (yield* entries).find((each) => each.id === id) ?? (yield* notHere(id, folder))
    const head = readHead(entry)
    if (head !== null && isUnderWay(head)) return yield* refuseUnderWay(head)
    yield* writing(() => removeEntry(folder, id))
    return `${id} is deleted from the library of this machine. Files that were written stay where they are.`
  })

  const removeEach: Library["removeAll"] = Effect.fnUntraced(function* (consent) {
    const { length } = yield* entries
    if (length > 0) yield* consent(length)
    const count = yield* writing(() => removeAll(folder))
    return `The library of this machine is empty: ${counted(count, "entry", "entries")} deleted. Files that were written stay where they are.`
  })

  const exported: Library["export"] = Effect.fnUntraced(function* (id, wanted) {
    const { job, speakerNames: known } = yield* finished(id)
    const { title, duration_seconds: durationSeconds, word_timing: wordTiming = null } = job
    const doubts = (job.integrity?.doubts ?? []).map(({ start, end, reason }) => ({
      start: Math.round(start * 1000),
      end: Math.round(end * 1000),
      reason,
    }))
    const {
      names = {},
      word_level: wordLevel,
      max_chars_per_line: maxCharsPerLine,
      max_lines: maxLines,
      ...query
    } = wanted
    const speakerNames = yield* namesWith(id, known, names)
    return yield* Either.match(
      exportOf(
        { id: JobId.make(job.id), title, durationSeconds, speakerNames, wordTiming, integrity: { doubts } },
        yield* contentOf(id),
        {
          ...query,
          wordLevel,
          maxCharsPerLine,
          maxLines,
        },
      ),
      { onLeft: (refused) => refusal(refused), onRight: ({ chunks }) => Effect.succeed(chunks) },
    )
  })

  /** Lines are looked through without their words: the moments of those that are shown come from what is kept of each word. */
  const withMoments = (found: SearchResults): Effect.Effect<SearchResults, CommandFailed> =>
    Effect.gen(function* () {
      const contents = new Map<string, Content>()
      for (const { id } of found.data) if (!contents.has(id)) contents.set(id, yield* contentOf(id))
      const data = found.data.map((hit) => {
        const segment = contents
          .get(hit.id)
          ?.segments.find(({ start, text }) => start === Math.round(hit.start * 1000) && text === hit.text)
        const place = hit.highlights[0]?.[0] ?? 0
        return segment === undefined ? hit : { ...hit, at: momentIn(segment, place) / 1000 }
      })
      return { ...found, data }
    })

  const search: Library["search"] = Effect.fnUntraced(function* (id, query) {
    if (id !== null) {
      const { job: found, speakerNames } = yield* finished(id)
      const job = { id: JobId.make(id), title: found.title, createdAt: 0, speakerNames }
      const { feed: _, ...inOne } = query
      return yield* searchEntry({ job, content: yield* contentOf(id) }, inOne)
    }
    const { answer, unreadable } = yield* searchEntries(folder, yield* entries, query)
    yield* tellDamaged(unreadable)
    return yield* withMoments(answer)
  })

  const ask: Library["ask"] = Effect.fnUntraced(function* (id, question) {
    if (id === null) {
      const { answer, unreadable } = yield* askEntries(folder, yield* entries, question)
      yield* tellDamaged(unreadable)
      return answer
    }
    const { job: found, speakerNames } = yield* finished(id)
    const job = { id: JobId.make(id), title: found.title, speakerNames }
    return yield* answerHere(question, [{ job, content: yield* contentOf(id) }], 1)
  })

  const searchPattern: Library["searchPattern"] = Effect.fnUntraced(function* (id, query) {
    const pattern = yield* readPattern(query.pattern)
    const meant = (yield* entries).filter((each) => each.status === "done" && (id === null || each.id === id))
    if (id !== null) yield* finished(id)
    const { hits, unreadable } = yield* searchEach(folder, meant, pattern, query)
    yield* tellDamaged(unreadable)
    const data = hits.slice(0, query.limit)
    const has_more = hits.length > data.length
    return yield* withMoments({
      query: query.pattern,
      total: hits.length,
      data,
      has_more,
      next_cursor: null,
    })
  })

  const sourceOf: Library["sourceOf"] = (id) => Effect.map(find(id), ({ again }) => again.source)

  return {
    idOf,
    list,
    show,
    cancel,
    retry,
    name,
    remove,
    removeAll: removeEach,
    export: exported,
    exportLink: () =>
      Effect.fail(
        usage(
          "--link is for a service: nobody could open an address of this machine. Write a file with -o FILE, or name a service with --server.",
        ),
      ),
    search,
    ask,
    searchPattern,
    sourceOf,
  }
}

/** Where this machine keeps what it has transcribed. */
export const libraryFolder = Effect.map(stateFolder, (state) => join(state, "library"))

export const localLibrary = Effect.map(libraryFolder, openLibrary)
