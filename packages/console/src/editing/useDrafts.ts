/** The drafts of one transcript, each at the line that it is of by now. */
import type { DoneTranscription } from "@earmark/api/client"
import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { account } from "../session.js"
import {
  type Draft,
  dropDraft,
  isOwn,
  keepDraft,
  onOtherDrafts,
  placed,
  readDrafts,
  withoutDraft,
} from "./drafts.js"
import { cleaned } from "./operations.js"

/** A draft that is not saved, and is not on its way. */
export interface Offered {
  readonly draft: Draft
  /** What its line says by now; null where it says what it said. */
  readonly now: string | null
  /** How many drafts there are besides. */
  readonly others: number
  /** Another page was seen to type in it. */
  readonly isElsewhere: boolean
}

export interface Drafts {
  readonly offered: Signal<Offered | null>
  /** All that are kept, the oldest first. */
  readonly all: () => ReadonlyArray<Draft>
  readonly keep: (draft: Draft) => void
  readonly drop: (draft: Draft) => void
  readonly offer: () => void
}

interface Around {
  /** Those that are being saved, which are not offered. */
  readonly sending: () => ReadonlyArray<Draft>
  /** Another page keeps drafts, or lets them go. */
  readonly onOther: () => void
}

export const useDrafts = (job: DoneTranscription, around: Around): Drafts => {
  const owner = account.value?.id ?? ""
  const offered = useSignal<Offered | null>(null)
  /** Those of the page as it is now, also for what was begun before. */
  const lines = useRef(job.segments)
  lines.current = job.segments
  const all = () => readDrafts(owner, job.id).map((each) => placed(each, lines.current))
  /** What drafts said when this page was opened. */
  const first = useMemo(
    () => new Map(readDrafts(owner, job.id).map(({ id, text }) => [id, text])),
    [owner, job.id],
  )
  const keep = (draft: Draft) => {
    // Nothing is kept any more once somebody has signed out, also in another tab.
    if (account.peek()?.id === owner) keepDraft(owner, job.id, draft)
  }
  const drop = (draft: Draft) => dropDraft(owner, job.id, draft)
  const offer = (): void => {
    const [draft, ...others] = around.sending().reduce(withoutDraft, all())
    if (draft === undefined) {
      offered.value = null
      return
    }
    const now = lines.current[draft.line]?.text ?? null
    // It was saved, and the answer was lost.
    if (now !== draft.before && now === cleaned(draft.text)) {
      drop(draft)
      offer()
      return
    }
    offered.value = {
      draft,
      now: now === draft.before ? null : now,
      others: others.length,
      isElsewhere: !isOwn(draft) && first.get(draft.id) !== draft.text,
    }
  }
  const other = useRef(around.onOther)
  other.current = around.onOther
  useEffect(() => onOtherDrafts(owner, job.id, () => other.current()), [owner, job.id])
  return { offered, all, keep, drop, offer }
}
