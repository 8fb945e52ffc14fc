/** The text to read, with who speaks, chapters, and finding in it. */
import type { DoneTranscription } from "@earmark/api/client"
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { placedWords } from "../../data.js"
import { clockOf } from "../../format.js"
import { momentAt } from "../../player/placing.js"
import { isPlaying, seek } from "../../player/player.js"
import { query, setQuery } from "../../router.js"
import { type Line, lineAt, voicesOf } from "../../transcript/lines.js"
import { TextView } from "../../transcript/TextView.js"
import { type LineWords, useVoice } from "../../transcript/useVoice.js"
import { Button } from "../../widgets/Button.js"
import { Copy } from "../../widgets/Once.js"
import { words } from "../../words.js"
import { DoubtfulWords } from "./DoubtfulWords.js"
import { Find } from "./Find.js"
import { Speakers } from "./Speakers.js"

const text = words.transcript

/** The line that the address names, by its number or by a moment. */
const lineInAddress = (lines: ReadonlyArray<Line>): number | null => {
  const given = query.peek()
  const line = Number(given.get("line") ?? Number.NaN)
  if (Number.isInteger(line) && line >= 1 && line <= lines.length) return line - 1
  const seconds = Number(given.get("t") ?? Number.NaN)
  return seconds >= 0 ? lineAt(lines, seconds) : null
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

const Chosen = ({ job, line }: { readonly job: DoneTranscription; readonly line: number }) => {
  const segment = job.segments[line]
  if (segment === undefined) return null
  return (
    <section class="line">
      <h2>
        {text.line} {line + 1} · {clockOf(segment.start)}
      </h2>
      <Copy label={text.copyLink} text={() => `${location.origin}/console/t/${job.id}?line=${line + 1}`} />
      <Copy label={text.copyText} text={segment.text} />
    </section>
  )
}

export const TextPage = ({ job }: { readonly job: DoneTranscription }) => {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<TextView | null>(null)
  const chosen = useSignal<number | null>(null)
  const { segments } = job
  const placed = placedWords.use([job.id]).value ?? null
  const known = useRef<LineWords | null>(null)
  known.current = placed
  const isFollowing = useVoice(view, segments, placed)
  useEffect(() => {
    if (host.current === null) return
    const shown = new TextView(host.current, {
      voices: voicesOf(segments),
      names: job.speakers,
      language: job.language,
      onChoose: (line, offset) => {
        chosen.value = line
        setQuery({ line: line + 1, t: null })
        const start = (segments[line]?.start ?? 0) * 1000
        const moment = offset === null ? null : momentAt(known.current?.[line] ?? [], offset)
        isFollowing.value = true
        seek((moment ?? start) / 1000)
      },
    })
    view.current = shown
    void shown.show(segments)
    const first = lineInAddress(segments)
    if (first !== null) {
      chosen.value = first
      shown.reveal(first)
    }
    return () => shown.destroy()
  }, [job.id, segments.length])
  useEffect(() => view.current?.rename(job.speakers), [JSON.stringify(job.speakers)])
  const reveal = (seconds: number) => view.current?.reveal(lineAt(segments, seconds))
  const go = (seconds: number) => {
    seek(seconds)
    view.current?.reveal(lineAt(segments, seconds), { focus: true })
  }
  return (
    <div class="reading">
      <aside>
        <Find segments={segments} view={view} />
        {placed !== null && <DoubtfulWords words={placed} view={view} onGo={reveal} />}
        <Speakers job={job} />
        <Chapters job={job} onGo={go} />
        {chosen.value !== null && <Chosen job={job} line={chosen.value} />}
      </aside>
      <div class="text" ref={host} role="group" aria-label={text.tabs.text} />
      {isPlaying.value && !isFollowing.value && (
        <div class="to-voice">
          <Button
            onClick={() => {
              isFollowing.value = true
            }}
          >
            {words.player.toVoice}
          </Button>
        </div>
      )}
    </div>
  )
}
