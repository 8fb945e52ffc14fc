import { prepareSearch, type SearchIndex } from "@earmark/core/text"
import { type Signal, useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useEffect, useMemo, useRef } from "preact/hooks"
import type { Editor } from "../../editing/useEditor.js"
import { query, setQuery } from "../../router.js"
import type { Line } from "../../transcript/lines.js"
import { matchMoments } from "../../transcript/matches.js"
import type { Found, TextView } from "../../transcript/TextView.js"
import { Button } from "../../widgets/Button.js"
import { later } from "../../widgets/later.js"
import { reading } from "../../words/reading.js"

const text = reading.transcript
const Replace = later(async () => (await import("./Replace.js")).Replace, null)
const MOST = 2000
const PAUSE = 120

/** Made when something is sought: it would hold up the text. */
const whenAsked = (lines: ReadonlyArray<Line>): (() => SearchIndex) => {
  let made: SearchIndex | null = null
  return () => {
    made ??= prepareSearch(
      lines.map(({ start, end, speaker, text }) => ({ start, end, speaker, text, words: [] })),
    )
    return made
  }
}

interface FindProps {
  readonly segments: ReadonlyArray<Line>
  readonly view: RefObject<TextView>
  /** When a character of a line is heard, in seconds. */
  readonly momentOf: (line: number, offset: number) => number
  /** The line of the match that one goes to. */
  readonly chosen: Signal<number | null>
  readonly editor: Editor
}

/** The match that the address leads to: the first one from its moment on. */
const firstFrom = (found: ReadonlyArray<Found>, lines: ReadonlyArray<Line>): number => {
  const seconds = Number(query.peek().get("t") ?? 0)
  return Math.max(
    0,
    found.findIndex(({ line }) => (lines[line]?.end ?? 0) > seconds),
  )
}

/** Finds words in this transcript as search over all of them does. */
export const Find = ({ segments, view, momentOf, chosen, editor }: FindProps) => {
  const index = useMemo(() => whenAsked(segments), [segments])
  const typed = useSignal(query.peek().get("q") ?? "")
  const found = useSignal<ReadonlyArray<Found>>([])
  const at = useSignal(0)
  const shown = useRef<string | null>(null)
  const go = (step: number) => {
    const { length } = found.peek()
    if (length === 0) return
    at.value = (at.peek() + step + length) % length
    view.current?.mark(found.peek(), at.peek())
    chosen.value = found.peek()[at.peek()]?.line ?? 0
    view.current?.reveal(chosen.value)
  }
  const search = () => {
    const q = typed.peek().trim()
    const { hits } = q === "" ? { hits: [] } : index().search({ query: q, limit: MOST })
    found.value = hits.map(({ segment, highlights }) => ({ line: segment, ranges: highlights }))
    // A transcript that was read again (a speaker has a new name) does not move under the reader.
    const isNew = q !== shown.current
    const isOpening = shown.current === null && q === (query.peek().get("q") ?? "").trim()
    shown.current = q
    if (isOpening) at.value = firstFrom(found.value, segments)
    else at.value = isNew ? 0 : Math.min(at.peek(), Math.max(0, found.value.length - 1))
    view.current?.mark(found.value, at.value)
    if (q !== (query.peek().get("q") ?? "")) setQuery({ q })
    // The line that the address leads to stays in view.
    if (isNew && !(isOpening && query.peek().get("line") !== null)) go(0)
  }
  /** Goes to the next or previous match in the text; the sound stays where it is. */
  const step = (by: 1 | -1) => {
    // What has just been typed shows its first match before one leaves it.
    if (typed.peek().trim() === shown.current) go(by)
    else search()
  }
  useEffect(() => {
    const timer = setTimeout(search, PAUSE)
    return () => clearTimeout(timer)
  }, [typed.value, index])
  useEffect(() => {
    matchMoments.value = found.value.map(({ line, ranges }) => momentOf(line, ranges[0]?.[0] ?? 0))
    return () => {
      matchMoments.value = []
    }
  }, [found.value, momentOf])
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
          if (event.key === "Escape" && typed.peek() === "") view.current?.focus()
          if (event.key !== "Enter") return
          event.preventDefault()
          step(event.shiftKey ? -1 : 1)
        }}
      />
      {typed.value.trim() !== "" && (
        <div>
          <span role="status">{text.matches(at.value + 1, found.value.length)}</span>
          <Button kind="quiet" icon="up" label={text.previous} onClick={() => step(-1)} />
          <Button kind="quiet" icon="down" label={text.next} onClick={() => step(1)} />
        </div>
      )}
      {found.value.length > 0 && (
        <Replace query={typed.value} found={found.value} segments={segments} editor={editor} />
      )}
    </search>
  )
}
