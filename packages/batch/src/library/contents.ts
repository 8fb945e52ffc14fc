/** What was heard, as people have corrected it since. */

import { noWordTimes } from "@earmark/core/captions"
import { EditRefused } from "@earmark/core/edits"
import { DoneJob } from "@earmark/core/jobs"
import { encodeWords, hasWordTimes } from "@earmark/core/text"
import { namesByLabel, type SpeakerNames, wordCountOf } from "@earmark/core/transcripts"
import {
  type Content,
  enrichmentAt,
  namesTooMany,
  showContent,
  speakerMissing,
  withCorrectedTimes,
  withoutStaleSummary,
} from "@earmark/service"
import { Effect, Either, Schema } from "effect"
import type { NewNames } from "../Asked.js"
import { editRefused } from "./editEntry.js"
import { DamagedEdits } from "./editsFile.js"
import { contentPath } from "./entries.js"
import { exportEntry } from "./exportEntry.js"
import { type Head, namesIn } from "./Head.js"
import type { Heads } from "./heads.js"
import type { Library, ShownParts } from "./Library.js"
import { damaged, type LibraryRefused, refusal } from "./LibraryRefused.js"
import { readRevised } from "./revisedContent.js"

const encodeContent = Schema.encodeSync(
  DoneJob.pick("text", "segments", "speakers", "summary", "chapters", "translation"),
)

type Done = Extract<Head["job"], { status: "done" }>

/** What makes extras of a text. Few entries have got some later. */
const loadExtras = Effect.promise(() => import("./addExtras.js"))

export const makeContents = ({ folder, onTorn, find, finished, keepHead }: Heads) => {
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

  type Revised = Effect.Effect.Success<ReturnType<typeof revised>>

  const extendedAt = Effect.fnUntraced(function* (job: Done, revision: number, extras: Revised["extras"]) {
    const { enrichment, options } = job
    const made = extras.length === 0 ? enrichment : (yield* loadExtras).withMade(enrichment, extras)
    return { enrichment: made, options: { translateTo: options.translate_to }, revision }
  })

  /** What files of a transcript are made of: no summary from before a correction, which may say what was just put right. */
  const forFiles = Effect.fnUntraced(function* (job: Done, at?: number) {
    const { content, revision, extras } = yield* revised(job.id, at)
    return withoutStaleSummary(yield* extendedAt(job, revision, extras), content)
  })

  const whole = Effect.fnUntraced(function* (job: Done, head: Head, parts: ShownParts = {}) {
    const { words = false, translation } = parts
    const { content, revision, extras } = yield* revised(job.id, parts.revision)
    const shown = showContent(
      { durationSeconds: job.duration_seconds, speakerNames: namesIn(head) },
      content,
      { words, translation },
    )
    const enrichment = enrichmentAt(yield* extendedAt(job, revision, extras))
    const word_count = revision === 0 ? job.word_count : wordCountOf(content.segments)
    const { warnings, integrity } = job
    const times = withCorrectedTimes({ wordTiming: job.word_timing ?? null, warnings, integrity }, content)
    const { wordTiming: word_timing, ...said } = times
    const record = { ...job, ...said, revision, word_count, enrichment, ...encodeContent(shown) }
    return word_timing === null ? record : { ...record, word_timing }
  })

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

  const exportFile: Library["exportFile"] = Effect.fnUntraced(function* (id, wanted) {
    const { job, speakerNames: known } = yield* finished(id)
    const { names = {}, ...query } = wanted
    const content = yield* forFiles(job, wanted.revision)
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

  return { revised, contentOf, forFiles, whole, name, exportFile, words }
}

export type Contents = ReturnType<typeof makeContents>
