/** The text to read, with who speaks, chapters, and finding in it. */
import type { DoneTranscription } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { useCallback, useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { type Editor, useEditor } from "../../editing/useEditor.js"
import { clockOf } from "../../format.js"
import { onLetter } from "../../letters.js"
import { momentAt } from "../../player/placing.js"
import { isPlaying, playFrom, seek } from "../../player/player.js"
import { query, setQuery } from "../../router.js"
import { account } from "../../session.js"
import { type Line, lineAt } from "../../transcript/lines.js"
import { usePlacedWords } from "../../transcript/placedWords.js"
import { TextView } from "../../transcript/TextView.js"
import { type LineWords, useVoice } from "../../transcript/useVoice.js"
import { Button } from "../../widgets/Button.js"
import { later } from "../../widgets/later.js"
import { reading } from "../../words/reading.js"
import { Corrections } from "./Corrections.js"
import { Find } from "./Find.js"
import { Panel } from "./Panel.js"
import { Speakers } from "./Speakers.js"

const text = reading.transcript

/** It needs the words, which come later than the text. */
const DoubtfulWords = later(async () => (await import("./DoubtfulWords.js")).DoubtfulWords, null)
/** Begun with the page, so that it is there when a line is chosen. */
const Chosen = later(async () => (await import("./Chosen.js")).Chosen, null)

/** The line that the address names, by its number or by a moment. */
const lineInAddress = (lines: ReadonlyArray<Line>): number | null => {
  const given = query.peek()
  const line = Number(given.get("line") ?? Number.NaN)
  if (Number.isInteger(line) && line >= 1 && line <= lines.length) return line - 1
  const seconds = Number(given.get("t") ?? Number.NaN)
  return seconds >= 0 ? lineAt(lines, seconds) : null
}

/** Where one was when the text was drawn anew: the line that had the focus, else one that was seen. */
interface Place {
  readonly id: string
  readonly line: number
  readonly revision: number
  readonly start: number
  readonly text: string | null
  readonly hasFocus: boolean
  /** How far below the upper edge of the window, in pixels. */
  readonly top: number
}

const placeIn = (host: HTMLElement | null, job: DoneTranscription): Place | null => {
  const hasFocus = host?.contains(document.activeElement) === true
  const at = hasFocus ? document.activeElement : document.elementFromPoint(innerWidth / 2, innerHeight / 2)
  const element = at?.closest(".text p") ?? null
  if (host === null || element === null) return null
  const line = [...host.querySelectorAll<Element>("p")].indexOf(element)
  return {
    id: job.id,
    line,
    revision: job.revision ?? 0,
    start: job.segments[line]?.start ?? 0,
    text: element.textContent,
    hasFocus,
    top: element.getBoundingClientRect().top,
  }
}

/** The line where one was: others may have split or joined lines above it, and one goes on where one has done so. */
const lineFrom = (
  { line, revision, start, text }: Place,
  lines: ReadonlyArray<Line>,
  editor: Editor,
): number => {
  const same = lineAt(lines, start)
  return lines[same]?.text === text ? same : editor.movedSince(line, revision)
}

const Chapters = ({
  job,
  onGo,
}: {
  readonly job: DoneTranscription
  readonly onGo: (seconds: number) => void
}) =>
  job.chapters === undefined || job.chapters.length === 0 ? null : (
    <section>
      <h2>{text.chapters}</h2>
      <ol class="chapters">
        {job.chapters.map(({ start, title }) => (
          <li key={start}>
            <button type="button" onClick={() => onGo(start)}>
              <time>{clockOf(start)}</time> <span dir="auto">{title}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )

/** Pixels between the edge of the window and a line that was brought there. */
const ABOVE_LINE = 16

/** Within the text they go from line to line; from elsewhere they lead into it. */
const LINE_KEYS = ["j", "k"]
const isElsewhere = (target: Element): boolean => target.closest(".text") === null

export const TextPage = ({ job }: { readonly job: DoneTranscription }) => {
  const host = useRef<HTMLDivElement>(null)
  const left = useRef<Place | null>(null)
  const view = useRef<TextView | null>(null)
  const chosen = useSignal<number | null>(null)
  const { segments } = job
  const placed = usePlacedWords(job)
  const known = useRef<LineWords | null>(null)
  known.current = placed
  const isFollowing = useVoice(view, segments, placed)
  const momentOf = useCallback(
    (line: number, offset: number | null): number => {
      const moment = offset === null ? null : momentAt(known.current?.[line] ?? [], offset)
      // Times of words are rounded, so that the first one may begin before its line.
      return Math.max(segments[line]?.start ?? 0, (moment ?? 0) / 1000)
    },
    [segments, placed],
  )
  const editor = useEditor(job, view, chosen)
  // In the same frame as the page around it.
  useLayoutEffect(() => {
    if (host.current === null) return
    const shown = new TextView(host.current, {
      id: job.id,
      names: job.speakers,
      language: job.language,
      onChoose: (line, offset) => {
        chosen.value = line
        setQuery({ line: line + 1, t: null })
        isFollowing.value = true
        seek(momentOf(line, offset))
      },
      // What can be done with a line stands beside the text.
      onFocus: (line) => {
        chosen.value = line
        editor.atLine(line)
      },
    })
    view.current = shown
    void shown.show(editor.linesNow())
    const from = left.current?.id === job.id ? left.current : null
    left.current = null
    const first = from === null ? lineInAddress(segments) : lineFrom(from, segments, editor)
    if (first !== null) {
      const line = Math.min(segments.length - 1, first)
      const element = shown.elementOf(line)
      if (from?.hasFocus !== false) {
        chosen.value = line
        shown.reveal(line, { focus: from !== null })
      } else element?.scrollIntoView()
      if (from !== null && element !== undefined) scrollBy(0, element.getBoundingClientRect().top - from.top)
    }
    return () => {
      left.current = placeIn(host.current, job)
      editor.setAside()
      shown.destroy()
    }
  }, [job.id, segments.length, editor.moves])
  useLayoutEffect(() => {
    view.current?.update(editor.linesNow())
    editor.drawn()
  }, [account.value?.id, job.id, segments])
  useEffect(() => view.current?.rename(job.speakers), [JSON.stringify(job.speakers)])
  useEffect(() => {
    const stops = LINE_KEYS.map((key) => onLetter(key, () => view.current?.focus(), isElsewhere))
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  const isPanelOpen = useSignal(false)
  // A sheet that opens does not cover the line that it is about.
  useEffect(() => {
    if (!isPanelOpen.value || chosen.value === null) return
    view.current?.elementOf(chosen.value)?.scrollIntoView({ block: "start" })
    scrollBy(0, -ABOVE_LINE)
  }, [isPanelOpen.value])
  const reveal = (seconds: number) => view.current?.reveal(lineAt(segments, seconds))
  const go = (seconds: number) => {
    isFollowing.value = true
    playFrom(seconds)
    view.current?.reveal(lineAt(segments, seconds), { focus: true })
  }
  /** Its first click has chosen the line, and the browser has selected the word. */
  const editWord = ({ target }: Event) => {
    const line = chosen.value
    const offset = getSelection()?.anchorOffset ?? 0
    if (line !== null && target instanceof Element && target.closest("p") !== null)
      editor.edit(line, { fromEnd: (target.textContent ?? "").length - offset })
  }
  const hasSpeakers = segments.some(({ speaker }) => speaker !== null)
  const at = chosen.value === null ? undefined : segments[chosen.value]
  const panelTitle =
    at === undefined || chosen.value === null
      ? text.panel
      : `${text.line} ${chosen.value + 1} · ${clockOf(at.start)}`
  return (
    <div class="reading">
      <Panel
        title={panelTitle}
        isOpen={isPanelOpen}
        notes={<Corrections editor={editor} isFirst={chosen.value === 0} />}
      >
        <Find segments={segments} view={view} momentOf={momentOf} chosen={chosen} editor={editor} />
        <Chosen
          job={job}
          line={chosen.value}
          editor={editor}
          onEdit={() => {
            // The line must be seen where the panel is a sheet over the text.
            isPanelOpen.value = false
          }}
          onRemove={() => {
            isPanelOpen.value = false
            view.current?.reveal(chosen.value ?? 0, { focus: true })
          }}
        />
        {placed !== null && <DoubtfulWords words={placed} view={view} onGo={reveal} />}
        <Speakers job={job} editor={editor} />
        <Chapters job={job} onGo={go} />
      </Panel>
      <div
        class={hasSpeakers ? "text" : "text plain"}
        ref={host}
        onDblClick={editWord}
        role="group"
        aria-label={text.tabs.text}
      />
      {isPlaying.value && !isFollowing.value && (
        <div class="to-voice">
          <Button
            onClick={() => {
              isFollowing.value = true
            }}
          >
            {reading.player.toVoice}
          </Button>
        </div>
      )}
    </div>
  )
}
