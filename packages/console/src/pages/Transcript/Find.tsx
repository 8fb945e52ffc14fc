import { prepareSearch } from "@earmark/core/text"
import { useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { query, setQuery } from "../../router.js"
import type { Line } from "../../transcript/lines.js"
import type { Found, TextView } from "../../transcript/TextView.js"
import { Button } from "../../widgets/Button.js"
import { words } from "../../words.js"

const text = words.transcript
const MOST = 2000
const PAUSE = 120

interface FindProps {
  readonly segments: ReadonlyArray<Line>
  readonly view: RefObject<TextView>
}

/** Finds words in this transcript as search over all of them does. */
export const Find = ({ segments, view }: FindProps) => {
  const index = useMemo(
    () => prepareSearch(segments.map((segment) => ({ ...segment, words: [] }))),
    [segments],
  )
  const typed = useSignal(query.peek().get("q") ?? "")
  const found = useSignal<ReadonlyArray<Found>>([])
  const at = useSignal(0)
  const shown = useRef<string | null>(null)
  const go = (step: number) => {
    const { length } = found.peek()
    if (length === 0) return
    at.value = (at.peek() + step + length) % length
    view.current?.mark(found.peek(), at.peek())
    view.current?.reveal(found.peek()[at.peek()]?.line ?? 0)
  }
  useEffect(() => {
    const q = typed.value.trim()
    const timer = setTimeout(() => {
      const { hits } = q === "" ? { hits: [] } : index.search({ query: q, limit: MOST })
      found.value = hits.map(({ segment, highlights }) => ({ line: segment, ranges: highlights }))
      // A transcript that was read again (a speaker has a new name) does not move under the reader.
      const isNew = q !== shown.current
      shown.current = q
      at.value = isNew ? 0 : Math.min(at.peek(), Math.max(0, found.value.length - 1))
      view.current?.mark(found.value, at.value)
      if (q !== (query.peek().get("q") ?? "")) setQuery({ q })
      if (isNew && found.value.length > 0 && query.peek().get("line") === null) go(0)
    }, PAUSE)
    return () => clearTimeout(timer)
  }, [typed.value, index])
  return (
    <search class="find">
      <input
        type="search"
        data-find
        aria-label={text.find}
        placeholder={text.findHint}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return
          event.preventDefault()
          go(event.shiftKey ? -1 : 1)
        }}
      />
      {typed.value.trim() !== "" && (
        <div>
          <span role="status">{text.matches(at.value + 1, found.value.length)}</span>
          <Button kind="quiet" icon="up" label={text.previous} onClick={() => go(-1)} />
          <Button kind="quiet" icon="down" label={text.next} onClick={() => go(1)} />
        </div>
      )}
    </search>
  )
}
