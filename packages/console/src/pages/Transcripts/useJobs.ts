/** All transcripts that a filter lets through, as far as somebody has read on. */
import type { TranscriptionsListQuery } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { type Loaded, sentenceOf } from "../../cache.js"
import { NEWEST, transcripts } from "../../data.js"
import { isOfJobs } from "../../live.js"
import { earmark, noteFailure } from "../../session.js"
import { type Jobs, type Place, withPage } from "./jobList.js"

/** Beyond the newest, which are asked for again after every change. */
const FURTHER = 100
export const EVERY = 3000
/** Older pages where something runs are asked for again in turn, so many at a time. */
const AGAIN = 2

export type Filter = Pick<TranscriptionsListQuery, "status" | "q" | "language" | "feed" | "batch_id">

interface FurtherPage {
  readonly cursor: string
  readonly after: Place
  readonly last: Place | undefined
  readonly next: string | null
}

interface JobsShown extends Loaded<Jobs> {
  /** Null where there is nothing older. */
  readonly more: (() => Promise<void>) | null
}

export const useJobs = (filter: Filter): JobsShown => {
  const first = transcripts.use([{ ...filter, limit: NEWEST }], {
    every: EVERY,
    when: isOfJobs,
  })
  const older = useSignal<Jobs>([])
  const pages = useSignal<ReadonlyArray<FurtherPage>>([])
  const error = useSignal<string | undefined>(undefined)
  const round = useRef(0)
  const known = useRef<{ readonly from: unknown; readonly older: Jobs; readonly jobs: Jobs }>({
    from: undefined,
    older: [],
    jobs: [],
  })
  if (
    first.value !== undefined &&
    (known.current.from !== first.value || known.current.older !== older.value)
  ) {
    const before = known.current.older === older.value ? known.current.jobs : older.value
    known.current = {
      from: first.value,
      older: older.value,
      jobs: withPage(before, first.value, null),
    }
  }
  const read = async (cursor: string, after: Place): Promise<FurtherPage | null> => {
    try {
      const page = await earmark.transcriptions.list({ ...filter, limit: FURTHER, cursor })
      older.value = withPage(known.current.jobs, page, after)
      error.value = undefined
      return { cursor, after, last: page.data.at(-1), next: page.next_cursor }
    } catch (failure) {
      noteFailure(failure)
      error.value = sentenceOf(failure)
      return null
    }
  }
  useEffect(() => {
    const running = known.current.jobs.filter(({ status }) => status === "queued")
    const changing = pages
      .peek()
      .filter(({ after, last }) =>
        running.some(
          ({ created_at }) =>
            created_at <= after.created_at && (last === undefined || created_at >= last.created_at),
        ),
      )
    for (let turn = 0; turn < Math.min(AGAIN, changing.length); turn++) {
      const page = changing[round.current++ % changing.length]
      if (page !== undefined) void read(page.cursor, page.after)
    }
  }, [first.value])
  const isReading = useRef(false)
  const more = async () => {
    const page = pages.peek().at(-1)
    const cursor = page === undefined ? first.value?.next_cursor : page.next
    const after = page === undefined ? first.value?.data.at(-1) : page.last
    if (isReading.current || after === undefined || typeof cursor !== "string") return
    isReading.current = true
    const next = await read(cursor, after)
    isReading.current = false
    if (next !== null) pages.value = [...pages.peek(), next]
  }
  const last = pages.value.at(-1)
  const hasMore = last === undefined ? first.value?.has_more === true : last.next !== null
  return {
    value: first.value === undefined ? undefined : known.current.jobs,
    error: first.error ?? error.value,
    isLoading: first.isLoading,
    reload: first.reload,
    more: hasMore ? more : null,
  }
}
