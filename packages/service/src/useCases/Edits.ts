import {
  type EditOperation,
  EditRefused,
  MOST_REVISIONS,
  newestTranscript,
  nextTranscript,
  type Revision,
  speakersByLabel,
} from "@earmark/core/edits"
import { type AccountId, JobExpired } from "@earmark/core/jobs"
import type { CursorInvalid } from "@earmark/core/requests"
import { counted } from "@earmark/core/text"
import {
  Edited,
  type EditRequest,
  type EditRevision,
  type EditsQuery,
  MOST_CHANGES,
} from "@earmark/core/wire"
import { Context, DateTime, Effect, Layer } from "effect"
import { ApiKeys } from "../ports/Accounts.js"
import { EditStore, type NewRevision, RevisionConflict, type StoredRevision } from "../ports/EditStore.js"
import type { Guard } from "../ports/JobStore.js"
import type { StoredJob } from "../ports/records.js"
import { type Listed, makeCursors } from "./Cursors.js"
import { makeFinding, type Unknown, type Unreadable } from "./finding.js"
import { type Answered, makeRepeats, type RequestContext } from "./Repeats.js"
import { type RepeatRefused, TranscriptNotReady } from "./refusals.js"
import { labelledTranscript } from "./showJob.js"

/** What keeps a transcript from being corrected. */
type Uneditable = EditRefused | RevisionConflict | TranscriptNotReady | RepeatRefused | Unreadable

const EDIT_ROUTE = "/api/v1/transcriptions/:id/edits"
const REVISION = /^[1-9]\d{0,8}$/

/** An operation as the history tells of it: not what it wrote. */
const changeOf = (operation: EditOperation) => ({
  type: operation.type,
  line: "line" in operation ? operation.line : null,
})

const refuse = (reason: EditRefused["reason"], detail: string) =>
  new EditRefused({ reason, operation: null, detail })

/** Corrections of transcripts: each is a revision of its own, and what was heard stays. */
export class Edits extends Context.Tag("@earmark/service/Edits")<
  Edits,
  {
    /** Applies all operations or none. Speakers may be named by their labels or by the names they are shown under. */
    readonly edit: (
      account: AccountId,
      id: string,
      request: EditRequest,
      context?: RequestContext,
    ) => Effect.Effect<Answered<Edited>, Uneditable>
    /** Takes a revision back, as a new one. */
    readonly undo: (
      account: AccountId,
      id: string,
      revision: string,
      context?: RequestContext,
    ) => Effect.Effect<Edited, Uneditable>
    /** Newest first. */
    readonly history: (
      account: AccountId,
      id: string,
      query: EditsQuery,
    ) => Effect.Effect<Listed<EditRevision>, CursorInvalid | Unknown>
  }
>() {
  static readonly layer = Layer.effect(
    Edits,
    Effect.gen(function* () {
      const store = yield* EditStore
      const keys = yield* ApiKeys
      const cursors = yield* makeCursors
      const repeats = yield* makeRepeats
      const { find, heardContent } = yield* makeFinding

      const append = (made: NewRevision, guard: Guard | null) =>
        store.append(made, { guard }).pipe(
          // It was there a moment ago.
          Effect.catchTag("NothingToEdit", () => Effect.fail(new JobExpired({ id: made.job }))),
        )

      /** What a change makes of a job, as the store takes it. */
      const prepare = Effect.fnUntraced(function* (
        job: StoredJob,
        changeOf: (lines: ReturnType<typeof labelledTranscript>["segments"]) => Revision,
        { key = null }: { readonly key?: string | null | undefined } = {},
      ) {
        const { status } = job.state
        if (status !== "done") return yield* new TranscriptNotReady({ status })
        const heard = labelledTranscript(job, yield* heardContent(job))
        const stored = yield* store.first(job.account, job.id, job.revision)
        const revisions = stored.map(({ change }) => change)
        const { segments } = yield* Effect.orDie(newestTranscript(heard, revisions))
        const change = changeOf(segments)
        if (revisions.length >= MOST_REVISIONS)
          return yield* refuse(
            "too_many_revisions",
            `A transcript has at most ${counted(MOST_REVISIONS, "revision")}. Send more operations at a time.`,
          )
        const { segments: lines } = yield* nextTranscript(heard, revisions, change)
        const answer: Edited = { revision: job.revision + 1, lines: lines.length }
        const made = { account: job.account, job: job.id, base: job.revision, change, madeBy: key, lines }
        return { answer, made }
      })

      const edit = Effect.fn("Edits.edit")(function* (
        account: AccountId,
        id: string,
        request: EditRequest,
        context: RequestContext = {},
      ) {
        const { baseRevision, operations } = request
        const repeatable = {
          account,
          idempotencyKey: context.idempotencyKey,
          route: EDIT_ROUTE,
          body: { id, request },
          answer: Edited,
        }
        return yield* repeats.once(repeatable, (guardOf) =>
          Effect.gen(function* () {
            const job = yield* find(account, id)
            if (job.state.status === "done" && job.revision !== baseRevision)
              return yield* new RevisionConflict({ revision: job.revision })
            const { answer, made } = yield* prepare(
              job,
              (lines) => ({ operations: speakersByLabel(operations, lines, job.speakerNames) }),
              context,
            )
            const guarded = yield* append(made, yield* guardOf(answer))
            return { answer, guarded }
          }),
        )
      })

      const undo = Effect.fn("Edits.undo")(function* (
        account: AccountId,
        id: string,
        revision: string,
        context: RequestContext = {},
      ) {
        const job = yield* find(account, id)
        const number = REVISION.test(revision) ? Number(revision) : 0
        if (number === 0 || number > job.revision)
          return yield* refuse(
            "unknown_revision",
            `There is no revision ${revision.slice(0, 20)} to undo; the newest is ${job.revision}.`,
          )
        const { answer, made } = yield* prepare(job, () => ({ undo: number }), context)
        yield* append(made, null)
        return answer
      })

      /** The names of the keys of an account, of the newest hundred. */
      const keyNames = (account: AccountId) =>
        Effect.map(
          keys.list(account, { limit: 100, after: null }),
          ({ items }) => new Map<string, string | null>(items.map(({ id, name }) => [id, name])),
        )

      const history = Effect.fn("Edits.history")(function* (
        account: AccountId,
        id: string,
        query: EditsQuery,
      ) {
        const job = yield* find(account, id)
        const pages = cursors(account, "edits", { id: job.id })
        const [place] = (yield* pages.open(query)) ?? []
        const before = typeof place === "number" ? place : null
        const { limit } = query
        const found = yield* store.latest(account, job.id, { before, limit: limit + 1 })
        const shown = found.slice(0, limit)
        const last = found.length > limit ? shown.at(-1) : undefined
        const names = yield* keyNames(account)
        const show = ({ revision, change, madeAt, madeBy }: StoredRevision): EditRevision => ({
          revision,
          operations: "operations" in change ? change.operations.length : 0,
          changes: "operations" in change ? change.operations.slice(0, MOST_CHANGES).map(changeOf) : [],
          undoes: "undo" in change ? change.undo : null,
          madeAt: DateTime.unsafeMake(madeAt),
          madeBy: madeBy === null ? null : { keyId: madeBy, name: names.get(madeBy) ?? null },
        })
        return {
          data: shown.map(show),
          hasMore: last !== undefined,
          nextCursor: last === undefined ? null : pages.at([last.revision]),
        }
      })

      return Edits.of({ edit, undo, history })
    }),
  )
}
