/** Revisions of entries: what people have corrected. One writer at a time, whichever process it is in. */
import { dirname, join } from "node:path"
import {
  applyEdits,
  distinctNames,
  type EditOperation,
  type EditRefused,
  nextTranscript,
  speakersByLabel,
} from "@earmark/core/edits"
import { renameSpeakers, type SpeakerNames, type Transcript } from "@earmark/core/transcripts"
import { problemOf } from "@earmark/service"
import { DateTime, Effect, Either } from "effect"
import { makeClaims } from "../state/claims.js"
import { appendRevision, editsPath, readEdits, type StoredRevision, settleEdits } from "./editsFile.js"
import { LibraryRefused } from "./LibraryRefused.js"
import type { Revised } from "./revisedContent.js"

/** What an edit gave. */
export interface EditMade {
  /** The newest revision. */
  readonly revision: number
  /** How many lines the transcript has now. */
  readonly lines: number
}

/** A transcript to be edited, with the names of its speakers. */
export interface EditableTranscript {
  readonly id: string
  readonly title: string | null
  readonly revision: number
  readonly transcript: Transcript
}

/** A finished entry, as far as editing it needs to know it. */
interface EditedEntry {
  readonly id: string
  readonly title: string | null
  readonly durationSeconds: number
  readonly speakerNames: SpeakerNames
}

interface EditingParts {
  readonly folder: string
  readonly finished: (id: string) => Effect.Effect<EditedEntry, LibraryRefused>
  readonly revised: (id: string, revision?: number) => Effect.Effect<Revised, LibraryRefused>
  readonly writing: <A>(write: () => Promise<A>) => Effect.Effect<A, LibraryRefused>
}

export const editRefused = (id: string, refused: EditRefused): LibraryRefused =>
  new LibraryRefused({
    reason: "edit_refused",
    subject: id,
    message: refused.message,
    code: problemOf(refused, "").code,
  })

const conflict = (id: string, base: number, newest: number): LibraryRefused =>
  new LibraryRefused({
    reason: "revision_conflict",
    subject: id,
    revision: newest,
    message: `${id} was edited meanwhile: it is at revision ${newest} now, and these changes are for revision ${base}.`,
  })

const busy = (id: string, pid: number): LibraryRefused =>
  new LibraryRefused({
    reason: "being_edited",
    subject: id,
    pid,
    message: `${id} is being edited by another process (${pid}). Try again when it has ended.`,
  })

/** Within this process. An edit takes some milliseconds. */
const turns = Effect.unsafeMakeSemaphore(1)

const LOOK_EVERY = "50 millis"
const MOST_LOOKS = 100

export const makeEditing = ({ folder, finished, revised, writing }: EditingParts) => {
  const claims = makeClaims(join(dirname(folder), "claims"))

  /** Works on what is kept beside an entry: nobody else writes it meanwhile. */
  const alone = <A, E, R>(
    id: string,
    work: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E | LibraryRefused, R> =>
    Effect.gen(function* () {
      const path = editsPath(folder, id)
      for (let looks = 0; ; looks++) {
        const pid = yield* claims.claim([path], id)
        if (pid === null) break
        if (looks === MOST_LOOKS) return yield* busy(id, pid)
        yield* Effect.sleep(LOOK_EVERY)
      }
      return yield* work
    }).pipe(Effect.scoped, turns.withPermits(1))

  /** Whatever was heard decides; a change that changes nothing is no revision. */
  const append = Effect.fnUntraced(function* (
    entry: EditedEntry,
    revisionOf: (
      now: Transcript,
      newest: number,
    ) => Effect.Effect<
      { readonly operations: ReadonlyArray<EditOperation> } | { readonly undo: number },
      LibraryRefused
    >,
  ) {
    const { id, durationSeconds } = entry
    const heard = yield* revised(id, 0)
    const { content, revision: newest, revisions } = yield* revised(id)
    const { language, segments } = heard.content
    const duration = durationSeconds * 1000
    const now = { language, duration, segments: content.segments }
    const change = yield* revisionOf(now, newest)
    const after =
      "undo" in change
        ? nextTranscript({ language, duration, segments }, revisions, change)
        : applyEdits(now, change.operations)
    if (Either.isLeft(after)) return yield* editRefused(id, after.left)
    const made_at = DateTime.formatIso(yield* DateTime.now)
    const stored: StoredRevision = { revision: newest + 1, made_at, ...change }
    yield* writing(async () => {
      await settleEdits(folder, id, segments)
      const path = editsPath(folder, id)
      await appendRevision(path, readEdits(path), { segments, duration }, stored)
    })
    const made: EditMade = { revision: newest + 1, lines: after.right.segments.length }
    return made
  })

  const editable = Effect.fnUntraced(function* (id: string, wanted?: number) {
    const { title, durationSeconds, speakerNames } = yield* finished(id)
    const { content, revision } = yield* revised(id, wanted)
    const { language, segments } = content
    const transcript = { language, duration: durationSeconds * 1000, segments }
    const shown: EditableTranscript = {
      id,
      title,
      revision,
      transcript: renameSpeakers(transcript, distinctNames(speakerNames, segments)),
    }
    return shown
  })

  const edit = (id: string, base: number, operations: ReadonlyArray<EditOperation>) =>
    alone(
      id,
      Effect.gen(function* () {
        const entry = yield* finished(id)
        return yield* append(entry, ({ segments }, newest) => {
          if (base !== newest) return conflict(id, base, newest)
          return Effect.succeed({ operations: speakersByLabel(operations, segments, entry.speakerNames) })
        })
      }),
    )

  const undoEdit = (id: string, revision: number) =>
    alone(
      id,
      Effect.flatMap(finished(id), (entry) => append(entry, () => Effect.succeed({ undo: revision }))),
    )

  /** The newest first. */
  const edits = Effect.fnUntraced(function* (id: string) {
    yield* finished(id)
    return (yield* revised(id)).revisions.toReversed()
  })

  return { alone, editable, edit, undoEdit, edits }
}
