/** The player of a transcript: at the lower edge, below all of its views. */
import type { DoneTranscription } from "@earmark/api/client"
import { useComputed, useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks"
import { waveform } from "../data.js"
import { clockOf } from "../format.js"
import { onLetter } from "../letters.js"
import { query } from "../router.js"
import { turnsOf } from "../timeline/geometry.js"
import { type Marked, Timeline } from "../timeline/Timeline.js"
import { findingsOf } from "../transcript/findings.js"
import { voicesOf } from "../transcript/lines.js"
import { matchMoments } from "../transcript/matches.js"
import { Button } from "../widgets/Button.js"
import { Failure } from "../widgets/States.js"
import { reading } from "../words/reading.js"
import { RATES, shownAt } from "./placing.js"
import * as player from "./player.js"

const text = reading.player
const JUMP = 5

/** A name of its own for the space bar, which also presses the button that has the focus. */
const onSpace = (run: () => void) =>
  onLetter(" ", run, (target) => target.closest("button,a,summary") === null)

const useKeys = () =>
  useEffect(() => {
    const stops = [
      onSpace(player.toggle),
      onLetter(",", () => player.seekBy(-JUMP)),
      onLetter(".", () => player.seekBy(JUMP)),
      onLetter("<", () => player.changeRate(-1)),
      onLetter(">", () => player.changeRate(1)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])

const Rate = () => (
  <select
    aria-label={text.rate}
    value={String(player.rate.value)}
    onChange={({ currentTarget }) => player.setRate(Number(currentTarget.value))}
  >
    {RATES.map((rate) => (
      <option key={rate} value={String(rate)}>
        {text.times(rate)}
      </option>
    ))}
  </select>
)

const Clock = () => {
  const now = useComputed(() => clockOf(shownAt(player.time.value, player.length.value)))
  return (
    <span class="clock">
      {now} <span class="soft">/ {clockOf(Math.round(player.length.value))}</span>
    </span>
  )
}

const above = new CSSStyleSheet()
document.adoptedStyleSheets.push(above)

/**
 * How high the player is, for what stands above it: with large text its buttons wrap. A property of the root, or `:has()`, would
 * have the browser look at the whole page again.
 */
const stand = (height: number): void => {
  document.documentElement.style.scrollPaddingBlockEnd = height === 0 ? "" : `calc(${height}px + 0.5rem)`
  above.replaceSync(`.reading > aside, .to-voice { --player: ${height}px }`)
}

const seen = new ResizeObserver(([entry]) => stand(entry?.borderBoxSize[0]?.blockSize ?? 0))

const measure = (player: HTMLElement | null): void => {
  seen.disconnect()
  if (player === null) stand(0)
  else seen.observe(player, { box: "border-box" })
}

const SILENT = new Uint8Array()

const marksOf = ({ integrity }: DoneTranscription): ReadonlyArray<Marked> =>
  integrity === null ? [] : findingsOf(integrity)

const turnsIn = (job: DoneTranscription) => {
  const colours = new Map(voicesOf(job).map(({ label, colour }) => [label, colour]))
  return turnsOf(job.segments).map((turn) => ({
    ...turn,
    colour: turn.speaker === null ? null : (colours.get(turn.speaker) ?? null),
  }))
}

export const PlayerBar = ({ job }: { readonly job: DoneTranscription }) => {
  useKeys()
  useEffect(() => {
    const at = Number(query.peek().get("t") ?? Number.NaN)
    void player.open(job.id, job.duration_seconds, at >= 0 && Number.isFinite(at) ? at : null)
  }, [job.id, query.value.get("t")])
  useEffect(() => player.close, [job.id])
  const points = waveform.use([job.id])
  const turns = useSignal<ReturnType<typeof turnsIn>>([])
  useEffect(() => {
    // After the first lines are seen, and in a task of its own.
    const timer = setTimeout(() => {
      turns.value = turnsIn(job)
    })
    return () => clearTimeout(timer)
  }, [job.segments])
  const marks = useMemo(() => marksOf(job), [job.integrity])
  const isShown = player.state.value !== "empty"
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute("data-player", isShown)
    return () => document.documentElement.removeAttribute("data-player")
  }, [isShown])
  if (player.state.value === "empty" || player.state.value === "missing")
    return player.state.value === "missing" ? <p class="player none">{player.failure.value}</p> : null
  return (
    <section class="player" aria-label={text.title} ref={measure}>
      {player.state.value === "failed" && (
        <Failure text={player.failure.value || text.failed} onRetry={player.retry} />
      )}
      <Timeline points={points.value ?? SILENT} turns={turns.value} marks={marks} hits={matchMoments.value} />
      <div class="controls">
        <Button icon="back" label={text.back} onClick={() => player.seekBy(-JUMP)} />
        <Button
          kind="primary"
          icon={player.isPlaying.value ? "pause" : "play"}
          label={player.isPlaying.value ? text.pause : text.play}
          disabled={player.state.value !== "ready"}
          onClick={player.toggle}
        />
        <Button icon="forward" label={text.forward} onClick={() => player.seekBy(JUMP)} />
        <Clock />
        <Rate />
        {!player.exactSeek.value && <span class="soft inexact">{text.inexact}</span>}
      </div>
    </section>
  )
}
